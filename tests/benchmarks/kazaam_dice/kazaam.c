/* Kazaam Dice in C, to measure the compiled Python against: the same algorithm, dice and records, the same sums.
 *
 * The rules come as the bytes of the kernel's own table, so board and rulings are those of the Python run.
 *
 * usage: kazaam TABLE random|runner GAMES SEED
 * Prints the processor seconds spent playing and, per column of the record, the sum of values and of their squares.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { SEATS = 4, FIELDS = 64, EDGES = 112, ORIENTATIONS = 24, USES = 2 * 4 * FIELDS + 4 * FIELDS + FIELDS + EDGES };
enum { PLACE, TIP, AMBROSIUS, OBSTACLE };
enum { OWN, SEVERAL, OTHER, LAST_DIE, PASSES, TURNS };
enum { ASK_USE = 0, ASK_REROLL = 1, ASK_EXTRA = 2, ASK_TAKE = 64 };
enum { DICE = 0, CHOICE = 2 };
/* Readings of rulings, by their places in the rules. */
enum { BURNS = 0, BESIDE = 1, OWN_TURN = 1 };

typedef struct {
    i64 players, fields, columns, edges;
    u64 ways[EDGES + 1][4];
    i64 edge_fields[EDGES][2], tips[ORIENTATIONS][4];
    u64 places[2][7], loses[7], fire_fields;
    i64 fire_water;
    u64 centre, stands, shuts[EDGES + 1], home[SEATS], goal[SEATS], favourite[SEATS], chips;
    i64 chain_ends, taking, end_takes_chips, supply, points_connection, points_also, connected_by_other, points_last_die;
    i64 points_favourite, points_chip, max_passes, max_turns;
    i64 quarter[SEATS], field_rank[SEATS][FIELDS], edge_rank[SEATS][EDGES], facing_rank[SEATS][ORIENTATIONS];
} Rules;

typedef struct { u64 start, step; } Key;

typedef struct {
    u64 tops[7], ambrosius, chips;
    i64 obstacle, supply, favourite[SEATS], others[SEATS], seat, round, throws, low, high, leader, uses_count;
    i64 lead_changes, doubles, double_uses[4], placed, tipped, burnt, drowned, passes;
    i64 taken[SEATS], spent_favourite[SEATS], spent_others[SEATS], own[SEATS], other[SEATS], last[SEATS];
    int8_t orientation[FIELDS];
    int32_t uses[USES];
} Game;

static Rules t;
static int runner;

/* -- dice ----------------------------------------------------------------------------------------------------- */

static inline u64 mulhi(u64 a, u64 b) { return (u64)(((unsigned __int128)a * b) >> 64); }

static Key game_key(u64 seed, u64 game) {
    const u64 m0 = 0xD2E7470EE14C6C93u, m1 = 0xCA5A826395121157u;
    u64 c0 = game, c1 = 0, c2 = 0, c3 = 0, k0 = seed, k1 = 0;
    for (int i = 0; i < 10; i++) {
        u64 h0 = mulhi(m0, c0), l0 = m0 * c0, h1 = mulhi(m1, c2), l1 = m1 * c2;
        c0 = h1 ^ c1 ^ k0, c1 = l1, c2 = h0 ^ c3 ^ k1, c3 = l0;
        k0 += 0x9E3779B97F4A7C15u, k1 += 0xBB67AE8584CAA73Bu;
    }
    return (Key){c0, c1 | 1};
}

static inline u64 mix64(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

static inline u64 below(Key key, i64 turn, i64 seat, i64 roll, i64 purpose, u64 bound) {
    u64 z = mix64(key.start + key.step * (u64)((((turn << 4) | seat) << 2 | purpose) << 14 | roll));
    if (__builtin_expect(z * bound < bound, 0)) {
        u64 threshold = -bound % bound;
        while (z * bound < threshold) z = mix64(z + 0x9E3779B97F4A7C15u);
    }
    return mulhi(z, bound);
}

/* -- words, chains, distances --------------------------------------------------------------------------------- */

static inline u64 bit(i64 field) { return (u64)1 << field; }
static inline i64 lowest(u64 word) { return __builtin_ctzll(word); }

static inline u64 beside(i64 obstacle, u64 word) {
    const u64 *ways = t.ways[obstacle];
    return (word & ways[0]) >> t.columns | (word & ways[1]) << 1 | (word & ways[2]) << t.columns | (word & ways[3]) >> 1;
}

static u64 flood(i64 obstacle, u64 dice, u64 start) {
    u64 chain = start & dice, new = chain;
    while (new) new = beside(obstacle, new) & dice & ~chain, chain |= new;
    return chain;
}

static inline u64 links(u64 dice, i64 seat) { return t.chain_ends == BESIDE ? dice | t.home[seat] | t.goal[seat] : dice; }

static u64 reached_chips(const Game *g, i64 seat) {
    return flood(g->obstacle, links(g->tops[0], seat), t.home[seat]) & g->chips & g->tops[0];
}

static i64 distance(u64 dice, u64 ambrosius, i64 obstacle, i64 seat) {
    u64 reached = t.home[seat], new = reached;
    dice = links(dice, seat);
    i64 missing = !(reached & dice);
    for (;; missing++) {
        while (new) new = beside(obstacle, new) & dice & ~reached, reached |= new;
        if (reached & t.goal[seat]) return missing;
        new = beside(obstacle, reached) & ~ambrosius & ~reached;
        if (!new) return t.fields;
        reached |= new;
    }
}

/* the seat's distance, and in *path all fields that lie on a shortest way */
static i64 survey(u64 dice, u64 ambrosius, i64 obstacle, i64 seat, u64 *path) {
    u64 layers[FIELDS + 2], goal = t.goal[seat], layer = t.home[seat], before = 0, reached;
    dice = links(dice, seat);
    i64 missing = !(layer & dice), back = !(goal & dice);
    layers[0] = *path = 0;
    for (;; missing++) {
        for (reached = before | layer; layer; reached |= layer) layer = beside(obstacle, layer) & dice & ~reached;
        layers[missing] = reached & ~before;
        if (reached & goal) break;
        before = reached, layer = beside(obstacle, reached) & ~ambrosius & ~reached;
        if (!layer) return t.fields;
    }
    for (before = 0, layer = goal;; back++) {
        for (reached = before | layer; layer; reached |= layer) layer = beside(obstacle, layer) & dice & ~reached;
        layer = reached & ~before;
        *path |= layer & dice & layers[missing - back];
        if (back) *path |= layer & ~dice & layers[missing + 1 - back];
        if (back == missing) return missing;
        before = reached, layer = beside(obstacle, reached) & ~ambrosius & ~reached;
    }
}

static i64 largest_group(i64 obstacle, u64 dice) {
    i64 largest = 0;
    while (dice) {
        u64 group = flood(obstacle, dice, dice & -dice);
        i64 size = __builtin_popcountll(group);
        if (size > largest) largest = size;
        dice &= ~group;
    }
    return largest;
}

/* -- uses ----------------------------------------------------------------------------------------------------- */

static inline int32_t use_code(i64 kind, i64 value, i64 place, i64 extra) {
    return (int32_t)(((kind * 8 + value) * 128 + place) * 32 + extra);
}

static inline u64 beyond(u64 here, i64 direction) {
    switch (direction) {
        case 0: return here >> t.columns;
        case 1: return here << 1;
        case 2: return here << t.columns;
        default: return here >> 1;
    }
}

static inline u64 lost_on(i64 orientation, i64 direction) { return t.loses[(t.tips[orientation][direction] >> 2) + 1]; }

static i64 list_uses(Game *g) {
    i64 n = 0, twice = g->low == g->high;
    u64 free = ~g->tops[0] & ~g->ambrosius;
    for (int k = 0; k < 2 - twice; k++) {
        i64 value = k ? g->high : g->low;
        for (u64 places = t.places[twice][value] & free; places; places &= places - 1)
            for (int facing = 0; facing < 4; facing++)
                g->uses[n++] = use_code(PLACE, value, lowest(places), 4 * value - 4 + facing);
    }
    for (int k = 0; k < 2 - twice; k++) {
        i64 value = k ? g->high : g->low;
        for (u64 dice = g->tops[value]; dice; dice &= dice - 1) {
            i64 field = lowest(dice);
            for (int direction = 0; direction < 4; direction++) {
                if (!(bit(field) & t.ways[g->obstacle][direction])) continue;
                u64 to = beyond(bit(field), direction);
                if ((to & free) && (t.fire_water == BURNS || !(to & lost_on(g->orientation[field], direction))))
                    g->uses[n++] = use_code(TIP, value, field, direction);
            }
        }
    }
    if (twice) {
        u64 fields = t.stands & free & ~t.shuts[g->obstacle];
        for (; fields; fields &= fields - 1) g->uses[n++] = use_code(AMBROSIUS, g->low, lowest(fields), 0);
        for (i64 edge = 0; edge < t.edges; edge++)
            if (edge + 1 != g->obstacle && !(t.shuts[edge + 1] & g->ambrosius))
                g->uses[n++] = use_code(OBSTACLE, g->low, edge, 0);
    }
    return n;
}

static void put(Game *g, i64 field, i64 orientation) {
    g->tops[0] |= bit(field), g->tops[(orientation >> 2) + 1] |= bit(field);
    g->orientation[field] = (int8_t)orientation;
}

static void lift(Game *g, u64 here) {
    for (int top = 0; top < 7; top++) g->tops[top] &= ~here;
}

static void take_chip(Game *g, i64 seat, i64 field) {
    lift(g, bit(field));
    g->chips &= ~bit(field);
    g->supply++, g->taken[seat]++;
    if (bit(field) & t.favourite[seat]) g->favourite[seat]++;
    else g->others[seat]++;
}

static i64 distance_after(const Game *g, i64 use) {
    i64 kind = use >> 15, place = use >> 5 & 127, extra = use & 31, obstacle = g->obstacle;
    u64 dice = g->tops[0], ambrosius = g->ambrosius;
    if (kind == PLACE) dice |= bit(place);
    else if (kind == TIP) {
        u64 to = beyond(bit(place), extra);
        dice &= ~bit(place);
        if (!(to & lost_on(g->orientation[place], extra))) dice |= to;
    } else if (kind == AMBROSIUS) ambrosius = bit(place);
    else obstacle = place + 1;
    return distance(dice, ambrosius, obstacle, g->seat);
}

/* -- policies ------------------------------------------------------------------------------------------------- */

typedef struct { i64 missing[3]; u64 path[3]; } View;

static View look(const Game *g) {
    View v;
    v.missing[0] = survey(g->tops[0], g->ambrosius, g->obstacle, g->seat, &v.path[0]);
    if (g->low == g->high) {
        v.missing[1] = survey(g->tops[0], 0, g->obstacle, g->seat, &v.path[1]);
        v.missing[2] = survey(g->tops[0], g->ambrosius, 0, g->seat, &v.path[2]);
    }
    return v;
}

static i64 seen_after(const Game *g, const View *v, i64 use) {
    i64 kind = use >> 15, place = use >> 5 & 127, extra = use & 31;
    u64 wanted = v->path[0] & ~links(g->tops[0], g->seat);
    if (kind == PLACE) return v->missing[0] - !!(bit(place) & wanted);
    if (kind == TIP && !(bit(place) & v->path[0])) {
        u64 to = beyond(bit(place), extra);
        return v->missing[0] - (!(to & lost_on(g->orientation[place], extra)) && to & wanted);
    }
    if (kind == AMBROSIUS && !(bit(place) & v->path[1])) return v->missing[1];
    if (kind == OBSTACLE && (bit(t.edge_fields[place][0]) | bit(t.edge_fields[place][1])) & ~v->path[2])
        return v->missing[2];
    return distance_after(g, use);
}

static i64 own_rank(i64 seat, i64 use) {
    i64 kind = use >> 15, value = use >> 12 & 7, place = use >> 5 & 127, extra = use & 31;
    if (kind == PLACE) extra = t.facing_rank[seat][extra];
    if (kind == TIP) extra = (extra - t.quarter[seat]) & 3;
    place = kind == OBSTACLE ? t.edge_rank[seat][place] : t.field_rank[seat][place];
    return ((kind * 8 + value) * 128 + place) * 32 + extra;
}

static i64 shortest_use(const Game *g) {
    i64 best = 0, least = 0, rank = 0, missing = 0;
    View v = look(g);
    for (i64 i = 0; i < g->uses_count; i++) {
        i64 use = g->uses[i];
        if (!i || use >> 15 != PLACE || use >> 5 != g->uses[i - 1] >> 5) missing = seen_after(g, &v, use);
        if (i == 0 || missing < least) best = i, least = missing, rank = own_rank(g->seat, use);
        else if (missing == least) {
            i64 other = own_rank(g->seat, use);
            if (other < rank) best = i, rank = other;
        }
    }
    return best;
}

static int accepts(const Game *g, i64 seat, i64 field) {
    u64 dice = g->tops[0], asked = bit(field), chips = reached_chips(g, seat) | asked;
    if (chips & t.favourite[seat]) {
        if (asked == t.favourite[seat]) return 1;
        dice &= ~t.favourite[seat], chips &= ~t.favourite[seat];
    }
    i64 missing = distance(dice, g->ambrosius, g->obstacle, seat);
    for (;;) {
        u64 here = asked;
        for (u64 left = chips & ~asked; left; left &= left - 1) {
            u64 other = left & -left;
            if (t.field_rank[seat][lowest(other)] < t.field_rank[seat][lowest(here)]) here = other;
        }
        int spared = distance(dice & ~here, g->ambrosius, g->obstacle, seat) == missing;
        if (here == asked) return spared;
        if (spared) dice &= ~here;
        chips &= ~here;
    }
}

static i64 answer(const Game *g, Key key, int due, i64 seat, i64 field) {
    if (!runner) {
        i64 who = due == ASK_TAKE ? 4 * seat + g->seat : seat;
        i64 roll = 128 * g->throws + due + (due == ASK_TAKE ? field : 0);
        return (i64)below(key, g->round, who, roll, CHOICE, due == ASK_USE ? (u64)g->uses_count : 2);
    }
    if (due == ASK_USE) return shortest_use(g);
    if (due == ASK_TAKE) return accepts(g, seat, field);
    if (distance(g->tops[0], g->ambrosius, g->obstacle, seat) != 1) return 0;
    if (due == ASK_REROLL)
        for (i64 i = 0; i < g->uses_count; i++)
            if (distance_after(g, g->uses[i]) == 0) return 0;
    return 1;
}

/* -- the course of play --------------------------------------------------------------------------------------- */

static i64 joined_seats(const Game *g, u64 dice) {
    i64 joined = 0;
    for (i64 seat = 0; seat < t.players; seat++)
        joined |= (i64)((flood(g->obstacle, links(dice, seat), t.home[seat]) & t.goal[seat]) != 0) << seat;
    return joined;
}

static void look_at_lead(Game *g) {
    i64 best = t.fields + 1, leader = -1;
    for (i64 seat = 0; seat < t.players; seat++) {
        i64 missing = distance(g->tops[0], g->ambrosius, g->obstacle, seat);
        if (missing < best) best = missing, leader = seat;
        else if (missing == best) leader = -1;
    }
    if (leader >= 0) g->lead_changes += g->leader >= 0 && leader != g->leader, g->leader = leader;
}

static void take_last_chips(Game *g, i64 joined) {
    for (i64 k = 0; k < (t.taking == OWN_TURN ? 1 : t.players); k++) {
        i64 seat = (g->seat + k) % t.players;
        for (u64 chips = reached_chips(g, seat); chips; chips &= chips - 1)
            if (!(joined & ~joined_seats(g, g->tops[0] & ~(chips & -chips)))) take_chip(g, seat, lowest(chips));
    }
}

/* makes a use; how it ended the game, or -1 */
static i64 make_use(Game *g, i64 use) {
    i64 kind = use >> 15, place = use >> 5 & 127, extra = use & 31, joined = 0, end = -1;
    if (g->low == g->high) g->double_uses[kind]++;
    if (kind == PLACE) {
        put(g, place, extra);
        g->placed++;
        if (--g->supply == 1) g->last[g->seat] += t.points_last_die, end = LAST_DIE;
    } else if (kind == TIP) {
        i64 orientation = g->orientation[place];
        u64 to = beyond(bit(place), extra);
        lift(g, bit(place));
        g->tipped++;
        if (to & lost_on(orientation, extra)) {
            g->supply++;
            if (to & t.fire_fields) g->burnt++;
            else g->drowned++;
        } else put(g, lowest(to), t.tips[orientation][extra]);
    } else if (kind == AMBROSIUS) g->ambrosius = bit(place);
    else g->obstacle = place + 1;
    if (end < 0 && (joined = joined_seats(g, g->tops[0]))) {
        int own = joined >> g->seat & 1;
        for (i64 seat = 0; seat < t.players; seat++) {
            if (seat == g->seat) g->own[seat] += own ? t.points_connection : 0;
            else if (joined >> seat & 1) g->other[seat] += own ? t.points_also : t.connected_by_other;
        }
        end = !own ? OTHER : joined == 1 << g->seat ? OWN : SEVERAL;
    }
    if (end >= 0) {
        look_at_lead(g);
        if (t.end_takes_chips) take_last_chips(g, joined);
    }
    return end;
}

static void take_chips(Game *g, Key key) {
    for (i64 k = 0; k < (t.taking == OWN_TURN ? 1 : t.players); k++) {
        i64 seat = (g->seat + k) % t.players;
        for (u64 chips = reached_chips(g, seat); chips; chips &= chips - 1)
            if (answer(g, key, ASK_TAKE, seat, lowest(chips))) take_chip(g, seat, lowest(chips));
    }
}

/* plays a game; how it ended; *turns is set */
static i64 play(Game *g, Key key, i64 *turns) {
    memset(g, 0, offsetof(Game, uses));
    g->ambrosius = t.centre, g->chips = t.chips, g->supply = t.supply, g->leader = -1;
    for (i64 turn = 0, idle = 0;;) {
        i64 moved = 0;
        g->seat = turn % t.players, g->round = turn / t.players, g->throws = -1;
        for (;;) {
            do {
                i64 number = (i64)below(key, g->round, g->seat, ++g->throws, DICE, 36);
                i64 first = number / 6 + 1, second = number % 6 + 1;
                g->low = first < second ? first : second, g->high = first < second ? second : first;
                g->doubles += first == second;
                g->uses_count = list_uses(g);
            } while (g->others[g->seat] && answer(g, key, ASK_REROLL, g->seat, 0) &&
                     (g->others[g->seat]--, g->spent_others[g->seat]++, 1));
            if (g->uses_count) {
                i64 end = make_use(g, g->uses[answer(g, key, ASK_USE, g->seat, 0)]);
                moved = 1;
                if (end >= 0) {
                    *turns = turn + 1;
                    return end;
                }
                take_chips(g, key);
            } else g->passes++;
            if (!g->favourite[g->seat] || !answer(g, key, ASK_EXTRA, g->seat, 0)) break;
            g->favourite[g->seat]--, g->spent_favourite[g->seat]++;
        }
        look_at_lead(g);
        idle = moved ? 0 : idle + 1;
        *turns = ++turn;
        if (idle == t.players * t.max_passes) return PASSES;
        if (turn == t.max_turns) return TURNS;
    }
}

static int write_record(const Game *g, i64 end, i64 turns, i64 *out) {
    i64 n = t.players, finished = end < PASSES, c = 5, best = -1, winners = 0, score[SEATS];
    for (i64 s = 0; s < n; s++) {
        score[s] = g->favourite[s] * t.points_favourite + g->others[s] * t.points_chip + g->own[s] + g->other[s] + g->last[s];
        if (score[s] > best) best = score[s], winners = 0;
        if (score[s] == best) winners |= 1 << s;
    }
    out[0] = finished ? winners : 0, out[1] = !finished;
    out[2] = (turns - 1) / n + 1, out[3] = turns, out[4] = end;
    for (i64 s = 0; s < n; s++) {
        i64 values[10] = {score[s], g->own[s], g->other[s], g->last[s], g->favourite[s] * t.points_favourite,
                          g->others[s] * t.points_chip, g->taken[s], g->spent_favourite[s], g->spent_others[s],
                          g->favourite[s] + g->others[s]};
        for (int k = 0; k < 10; k++) out[c + k * n + s] = values[k];
    }
    c += 10 * n;
    out[c++] = g->doubles;
    for (int k = 0; k < 4; k++) out[c++] = g->double_uses[k];
    out[c++] = g->placed, out[c++] = g->tipped, out[c++] = g->burnt, out[c++] = g->drowned;
    out[c++] = __builtin_popcountll(g->tops[0]), out[c++] = largest_group(g->obstacle, g->tops[0]);
    out[c++] = g->lead_changes, out[c++] = g->passes;
    return (int)c;
}

int main(int argc, char **argv) {
    static Game g;
    i64 out[64], sums[64] = {0}, squares[64] = {0}, turns = 0;
    int columns = 0;
    if (argc != 5) return 2;
    FILE *file = fopen(argv[1], "rb");
    if (!file || fread(&t, sizeof t, 1, file) != 1 || fgetc(file) != EOF) return 3;
    runner = !strcmp(argv[2], "runner");
    i64 games = atoll(argv[3]), seed = atoll(argv[4]);
    clock_t began = clock();
    for (i64 number = 0; number < games; number++) {
        i64 end = play(&g, game_key((u64)seed, (u64)number), &turns);
        columns = write_record(&g, end, turns, out);
        for (int c = 0; c < columns; c++) sums[c] += out[c], squares[c] += out[c] * out[c];
    }
    printf("%f", (double)(clock() - began) / CLOCKS_PER_SEC);
    for (int c = 0; c < columns; c++) printf(" %lld %lld", (long long)sums[c], (long long)squares[c]);
    printf("\n");
    return 0;
}
