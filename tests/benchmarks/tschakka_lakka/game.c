/* Whole games of Tschakka Lakka in C: the kernel's algorithm and dice, for the policies timid, hold and dice.
   The structures are the records RULES (tables.py) and, in part, WORK (work.py). */
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;
typedef unsigned __int128 u128;

enum { TIMID = 1, HOLD = 2, DICE_LEFT = 3 };
enum { SCORE, SMALL, MEDIUM, LARGE, YELLOW, PINK, MAJORITY, BUSTS, ROLLS, STOPS, LEFT, LOST, FIRST_TURN, TOWERS, WIDTH = 17 };
enum { DICE = 0, SETUP = 1, ORDER = 0, BAG = 1, GAME_WIDTH = 8 };
/* Readings of rulings, by their places in the rules. */
enum { PAIRS = 0, NO_LINE = 1, ANY = 1, COUNT = 1 };

struct rules {
    u64 entrances, chambers, yellow_gems, pink_gems;
    i64 squares[64], chamber_count, size_counts[3], layout, dice, skull_limit, gem_needs, tower, points[4];
    i64 yellow_points, pink_points, highest_points, highest_tied_points, second_points, second_tied_points, second_players;
    i64 end_gems, max_turns;
    u64 powers[8];
    i64 faces[1296], misses[8][8][256];
};

struct work {
    u64 colours[4], size_low, size_high, yellow_gems, pink_gems, raccoon;
    i64 seat, turn, policy[4], skulls, stake;
    u64 released, placed_low, placed_high;
    i64 roll, dice, matching[4];
    u64 targets;
    i64 seats[4][WIDTH], emptied[64], gem_taken[64];
    u64 forbidden[4];
    i64 bag[4], sizes[4][3], order[64];
};

struct key { u64 start, step; };

/* -- dice */

static u64 high(u64 a, u64 b) { return (u64)(((u128)a * b) >> 64); }

static struct key game_key(u64 seed, u64 game) {
    const u64 M0 = 0xD2E7470EE14C6C93u, M1 = 0xCA5A826395121157u;
    u64 c0 = game, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0;
    for (int i = 0; i < 10; i++) {
        u64 h0 = high(M0, c0), l0 = M0 * c0, h1 = high(M1, c2), l1 = M1 * c2;
        c0 = h1 ^ c1 ^ k0; c1 = l1; c2 = h0 ^ c3 ^ k1; c3 = l0;
        k0 += 0x9E3779B97F4A7C15u; k1 += 0xBB67AE8584CAA73Bu;
    }
    return (struct key){c0, c1 | 1};
}

static u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static u64 below(struct key key, i64 turn, i64 seat, i64 roll, i64 purpose, u64 bound) {
    u64 where = (u64)((((turn << 4) | seat) << 2 | purpose) << 14 | roll);
    u64 z = mix(key.start + key.step * where);
    u128 product = (u128)z * bound;
    if ((u64)product < bound) {
        u64 threshold = (0 - bound) % bound;
        while ((u64)product < threshold) {
            z = mix(z + 0x9E3779B97F4A7C15u);
            product = (u128)z * bound;
        }
    }
    return (u64)(product >> 64);
}

/* -- sets of squares */

static u64 bit(i64 square) { return (u64)1 << square; }
static i64 count(u64 mask) { return __builtin_popcountll(mask); }
static i64 first(u64 mask) { return __builtin_ctzll(mask); }
static u64 east(u64 mask) { return (mask << 1) & 0xFEFEFEFEFEFEFEFEu; }
static u64 west(u64 mask) { return (mask >> 1) & 0x7F7F7F7F7F7F7F7Fu; }
static u64 near(u64 mask) { return east(mask) | west(mask) | mask << 8 | mask >> 8; }
static u64 near_twice(u64 mask) {
    u64 e = east(mask), w = west(mask), d = mask << 8, u = mask >> 8;
    return (e & w) | (d & u) | ((e | w) & (d | u));
}
static u64 makes_line(u64 mask) {
    u64 e = east(mask), w = west(mask), d = mask << 8, u = mask >> 8;
    return (e & w) | (e & east(e)) | (w & west(w)) | (d & u) | (d & d << 8) | (u & u >> 8);
}
static u64 crossings(u64 mask) { u64 rows = mask | mask >> 8; return rows | west(rows); }

/* -- the table */

static u64 all_filled(const struct work *w) { return w->colours[0] | w->colours[1] | w->colours[2] | w->colours[3]; }
static u64 in_reach(const struct work *w, u64 released) { return near(w->raccoon | released) & all_filled(w) & ~released; }
static u64 freed(const struct rules *r, u64 gems, u64 left) {
    return gems & (r->gem_needs == ANY ? crossings(r->chambers & ~left) : ~crossings(left));
}
static i64 missing(const struct work *w, i64 at) {
    u64 size = (w->size_low >> at & 1) + (w->size_high >> at & 1) * 2;
    return (i64)(size - (w->placed_low >> at & 1) - (w->placed_high >> at & 1) * 2);
}
static i64 stake_of(const struct rules *r, const struct work *w, u64 released) {
    u64 low = w->size_low, hi = w->size_high, left = all_filled(w) & ~released;
    return count(released & low & ~hi) * r->points[1] + count(released & hi & ~low) * r->points[2]
         + count(released & hi & low) * r->points[3] + count(freed(r, w->yellow_gems, left)) * r->yellow_points
         + count(freed(r, w->pink_gems, left)) * r->pink_points;
}

/* -- policies */

static i64 place(const struct rules *r, const struct work *w) {
    u64 filled = all_filled(w), legal = (r->entrances | (r->chambers & ~filled)) & near(filled);
    u64 a = near(w->colours[0]), b = near(w->colours[1]), c = near(w->colours[2]), d = near(w->colours[3]);
    u64 four = a & b & c & d & legal, three = ((a & b & (c | d)) | (c & d & (a | b))) & legal;
    u64 two = ((a & b) | (c & d) | ((a | b) & (c | d))) & legal;
    return first(four ? four : three ? three : two ? two : legal);
}

static i64 simple_chamber(const struct work *w) {
    u64 low = w->size_low ^ w->placed_low, hi = w->size_high ^ w->placed_high ^ (~w->size_low & w->placed_low);
    u64 t = w->targets, one = t & low & ~hi, two = t & hi & ~low, three = t & low & hi, releasable = 0, one_short = 0;
    for (int colour = 0; colour < 4; colour++) {
        i64 matching = w->matching[colour];
        u64 mine = w->colours[colour];
        if (matching >= 1) releasable |= mine & one;
        if (matching >= 2) releasable |= mine & two;
        if (matching >= 3) releasable |= mine & three;
        if (matching == 1) one_short |= mine & two;
        if (matching == 2) one_short |= mine & three;
    }
    u64 best = releasable ? releasable : one_short ? one_short : t;
    u64 large = best & w->size_low & w->size_high, medium = best & w->size_high;
    return first(large ? large : medium ? medium : best);
}

static i64 offer(const struct rules *r, const struct work *w) {
    i64 chamber = simple_chamber(w), colour = 0;
    while (!(w->colours[colour] >> chamber & 1)) colour++;
    i64 need = missing(w, chamber), dice = w->matching[colour] < need ? w->matching[colour] : need;
    u64 released = w->released;
    i64 stake = w->stake;
    if (dice == need) {
        released |= bit(chamber);
        stake = stake_of(r, w, released);
    }
    if (!released) return chamber | dice << 6;
    i64 enough = w->policy[0] == TIMID || !in_reach(w, released);
    if (w->policy[0] == HOLD) enough |= stake >= w->policy[1];
    else if (w->policy[0] == DICE_LEFT) enough |= w->dice - dice <= w->policy[1];
    return chamber | dice << 6 | enough << 8;
}

/* -- the game */

static int fill(const struct rules *r, struct work *w, struct key key, i64 attempt) {
    i64 chambers = r->chamber_count, each = r->size_counts[0] + r->size_counts[1] + r->size_counts[2];
    w->size_low = w->size_high = 0;
    for (int colour = 0; colour < 4; colour++) {
        w->colours[colour] = w->forbidden[colour] = 0;
        w->bag[colour] = each;
        for (int size = 0; size < 3; size++) w->sizes[colour][size] = r->size_counts[size];
    }
    for (i64 i = 0; i < chambers; i++) w->order[i] = r->squares[i];
    for (i64 step = 0; step < chambers; step++) {
        i64 picked = step + (i64)below(key, attempt, ORDER, step, SETUP, (u64)(chambers - step));
        u64 here = bit(w->order[picked]);
        w->order[picked] = w->order[step];
        i64 choices = 0;
        for (int colour = 0; colour < 4; colour++)
            if (!(w->forbidden[colour] & here)) choices += w->bag[colour];
        if (!choices) return 0;
        i64 drawn = (i64)below(key, attempt, BAG, step, SETUP, (u64)choices);
        int colour = 0, size = 0;
        while ((w->forbidden[colour] & here) || drawn >= w->bag[colour]) {
            if (!(w->forbidden[colour] & here)) drawn -= w->bag[colour];
            colour++;
        }
        while (drawn >= w->sizes[colour][size]) drawn -= w->sizes[colour][size++];
        w->bag[colour]--;
        w->sizes[colour][size]--;
        if (size != 1) w->size_low |= here;
        if (size != 0) w->size_high |= here;
        u64 mine = w->colours[colour] |= here;
        if (r->layout == PAIRS) w->forbidden[colour] = near(mine & near(mine)) | near_twice(mine);
        else if (r->layout == NO_LINE) w->forbidden[colour] = makes_line(mine);
    }
    return 1;
}

static void roll(const struct rules *r, struct work *w, struct key key) {
    u64 thrown = below(key, w->turn, w->seat, w->roll, DICE, r->powers[w->dice]), targets = 0;
    i64 faces = r->faces[thrown % 1296] + r->faces[thrown / 1296] - (8 - w->dice);
    i64 jokers = faces >> 16 & 15, skulls = faces >> 20 & 15;
    w->skulls += skulls;
    w->dice -= skulls;
    for (int colour = 0; colour < 4; colour++) {
        i64 matching = (faces >> 4 * colour & 15) + jokers;
        w->matching[colour] = matching;
        if (matching) targets |= w->colours[colour];
    }
    if (0 < r->skull_limit && r->skull_limit <= w->skulls) targets = 0;
    w->targets = targets & in_reach(w, w->released);
}

static void pay(const struct rules *r, struct work *w, i64 at, i64 dice) {
    u64 here = bit(at);
    w->dice -= dice;
    if (dice == missing(w, at)) {
        w->released |= here;
        w->stake = stake_of(r, w, w->released);
    } else {
        u64 placed = (w->placed_low >> at & 1) + (w->placed_high >> at & 1) * 2 + (u64)dice;
        w->placed_low = (w->placed_low & ~here) | (placed & 1) << at;
        w->placed_high = (w->placed_high & ~here) | (placed >> 1) << at;
    }
}

static void note_round(i64 *rounds, u64 squares, i64 now) {
    for (; squares; squares &= squares - 1) rounds[first(squares)] = now;
}

static void collect(const struct rules *r, struct work *w, i64 *mine) {
    u64 taken = w->released, low = w->size_low, hi = w->size_high;
    mine[SMALL] += count(taken & low & ~hi) * r->points[1];
    mine[MEDIUM] += count(taken & hi & ~low) * r->points[2];
    mine[LARGE] += count(taken & hi & low) * r->points[3];
    for (int colour = 0; colour < 4; colour++) {
        u64 won = taken & w->colours[colour];
        mine[TOWERS + colour] += r->tower == COUNT ? count(won) : count(won & low) + 2 * count(won & hi);
        w->colours[colour] &= ~taken;
    }
    w->size_low &= ~taken;
    w->size_high &= ~taken;
    u64 left = all_filled(w), yellow = freed(r, w->yellow_gems, left), pink = freed(r, w->pink_gems, left);
    mine[YELLOW] += count(yellow) * r->yellow_points;
    mine[PINK] += count(pink) * r->pink_points;
    w->yellow_gems &= ~yellow;
    w->pink_gems &= ~pink;
    note_round(w->emptied, taken, w->turn + 1);
    note_round(w->gem_taken, yellow | pink, w->turn + 1);
    mine[SCORE] = mine[SMALL] + mine[MEDIUM] + mine[LARGE] + mine[YELLOW] + mine[PINK];
}

static void take_turn(const struct rules *r, struct work *w, struct key key) {
    i64 *mine = w->seats[w->seat], bust = 0;
    w->skulls = w->stake = w->roll = 0;
    w->dice = r->dice;
    w->released = w->placed_low = w->placed_high = 0;
    w->raccoon = bit(place(r, w));
    for (;;) {
        mine[ROLLS]++;
        roll(r, w, key);
        if (!w->targets) { bust = 1; break; }
        i64 answer = offer(r, w);
        pay(r, w, answer & 63, answer >> 6 & 3);
        if (!w->dice || answer >> 8) break;
        w->roll++;
    }
    if (bust) {
        mine[BUSTS]++;
        mine[LOST] += w->stake;
        w->stake = 0;
    } else {
        mine[STOPS]++;
        mine[LEFT] += w->dice;
        collect(r, w, mine);
    }
    if (!w->turn) mine[FIRST_TURN] = w->stake;
}

static i64 best(const struct work *w, i64 players) {
    i64 most = w->seats[0][SCORE], found = 1;
    for (i64 seat = 1; seat < players; seat++) {
        i64 score = w->seats[seat][SCORE];
        if (score > most) { most = score; found = 1 << seat; }
        else if (score == most) found |= 1 << seat;
    }
    return found;
}

static i64 sole_leader(const struct work *w, i64 players) {
    i64 most = w->seats[0][SCORE], leader = 0;
    for (i64 seat = 1; seat < players; seat++) {
        i64 score = w->seats[seat][SCORE];
        if (score > most) { most = score; leader = seat; }
        else if (score == most) leader = -1;
    }
    return leader;
}

static void score_towers(const struct rules *r, struct work *w, i64 players) {
    for (int tower = TOWERS; tower < TOWERS + 4; tower++) {
        i64 highest = 0, second = 0, at_highest = 0, at_second = 0;
        for (i64 seat = 0; seat < players; seat++) {
            i64 height = w->seats[seat][tower];
            if (height > highest) { second = highest; at_second = at_highest; highest = height; at_highest = 1; }
            else if (height == highest) at_highest++;
            else if (height > second) { second = height; at_second = 1; }
            else if (height == second) at_second++;
        }
        for (i64 seat = 0; seat < players; seat++) {
            i64 height = w->seats[seat][tower], points = 0;
            if (!height) continue;
            if (height == highest) points = at_highest == 1 ? r->highest_points : r->highest_tied_points;
            else if (height == second && at_highest == 1 && players >= r->second_players)
                points = at_second == 1 ? r->second_points : r->second_tied_points;
            w->seats[seat][MAJORITY] += points;
            w->seats[seat][SCORE] += points;
        }
    }
}

void play_games(const struct rules *r, const i64 *lineup, i64 players, i64 seed, i64 from, i64 games, int32_t *out) {
    struct work w;
    for (i64 game = 0; game < games; game++, out += GAME_WIDTH + WIDTH * players) {
        struct key key = game_key((u64)seed, (u64)(from + game));
        for (i64 attempt = 0; !fill(r, &w, key, attempt); attempt++) {}
        w.yellow_gems = r->yellow_gems;
        w.pink_gems = r->pink_gems;
        w.raccoon = 0;
        memset(w.seats, 0, sizeof w.seats);
        memset(w.emptied, 0, sizeof w.emptied);
        memset(w.gem_taken, 0, sizeof w.gem_taken);
        i64 turns = 0, lead_changes = 0, leader = -1, last_round = 0, unfinished = 0;
        w.seat = w.turn = 0;
        while (!(last_round && w.seat == 0)) {
            if (turns == r->max_turns) { unfinished = 1; break; }
            if (all_filled(&w)) {
                memcpy(w.policy, lineup + 4 * w.seat, sizeof w.policy);
                take_turn(r, &w, key);
            }
            turns++;
            i64 ahead = sole_leader(&w, players);
            if (ahead >= 0) {
                lead_changes += leader >= 0 && leader != ahead;
                leader = ahead;
            }
            if (count(w.yellow_gems) + count(w.pink_gems) <= r->end_gems) last_round = 1;
            if (++w.seat == players) { w.seat = 0; w.turn++; }
        }
        i64 leaders = best(&w, players), winners = 0;
        if (!unfinished) {
            score_towers(r, &w, players);
            winners = best(&w, players);
        }
        out[0] = winners;
        out[1] = unfinished;
        out[2] = (turns + players - 1) / players;
        out[3] = turns;
        out[4] = count(w.yellow_gems) + count(w.pink_gems);
        out[5] = lead_changes;
        out[6] = !unfinished && !(leaders & winners);
        out[7] = !unfinished && leaders != winners;
        for (int column = 0; column < WIDTH; column++)
            for (i64 seat = 0; seat < players; seat++)
                out[GAME_WIDTH + column * players + seat] = (int32_t)w.seats[seat][column];
    }
}
