/* The optimal turn in C: the algorithm of sims/tschakka_lakka/solver.py with the same order of additions, so that the
   values are the same to the last bit. Built by solver_speed.py with gcc -O3 -march=native, called by ctypes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef int64_t i64;

enum { DICE = 7, STATES = 1 << 14, MOVES = 16 * STATES, SLOTS = STATES };
enum { LOW, HIGH, REACH, LEFT };
enum { AFTER, FIRST, LAST };
enum { SCORE = 8, STOP = 9 };

typedef struct {
    i64 starts[5][DICE + 2];
    const u64 *picks;
    const double *chances;
    i64 ranks[16][4];
    double binomial[DICE + 1][DICE + 1];
} Odds;

typedef struct {
    i64 any_gem, limit;
    double chamber[64], gem[2];
} Terms;

static u64 nodes[STATES][4];
static i64 links[STATES][3];
static double values[STATES][10];
static i64 moves[MOVES];
static double finals[MOVES];
static i64 slots[SLOTS];
static i64 heads[DICE + 1];
static double best[16 * (DICE + 1)];
static i64 epoch, states_found, skulls_before;

static const u64 NOT_FIRST = 0xFEFEFEFEFEFEFEFEull, NOT_LAST = 0x7F7F7F7F7F7F7F7Full;

static inline u64 east(u64 m) { return (m << 1) & NOT_FIRST; }
static inline u64 west(u64 m) { return (m >> 1) & NOT_LAST; }
static inline u64 near_(u64 m) { return east(m) | west(m) | (m << 8) | (m >> 8); }
static inline u64 crossings(u64 m) { u64 r = m | (m >> 8); return r | west(r); }
static inline u64 around(u64 g) { u64 r = g | east(g); return r | (r << 8); }
static inline int first(u64 m) { return __builtin_ctzll(m); }
static inline double dmax(double a, double b) { return a > b ? a : b; }

static double gem_gain(const u64 *t, const Terms *w, u64 filled, u64 released, int square) {
    u64 now = released | (1ull << square), gems = (t[6] | t[7]) & crossings(1ull << square);
    double gained = 0;
    while (gems) {
        u64 gem = gems & -gems;
        gems ^= gem;
        u64 rest = around(gem) & filled;
        if (w->any_gem ? !(rest & released) : !(rest & ~now)) gained += gem & t[6] ? w->gem[0] : w->gem[1];
    }
    return gained;
}

static inline u64 plain(const u64 *t, u64 low, u64 high, i64 dice) {
    return dice == 1 ? low & (~(t[4] & t[5]) | high) : low;
}

static inline i64 look_up(u64 low, u64 high, i64 dice, i64 *slot) {
    u64 mixed = (low * 0x9E3779B97F4A7C15ull) ^ (high * 0xC2B2AE3D27D4EB4Full) ^ ((u64)dice * 0x165667B19E3779F9ull);
    mixed ^= mixed >> 29;
    *slot = (i64)((mixed * 0x9E3779B97F4A7C15ull) >> 32) & (SLOTS - 1);
    while (slots[*slot] >> 32 == epoch) {
        i64 state = slots[*slot] & 0xFFFFFFFF;
        if (nodes[state][LOW] == low && nodes[state][HIGH] == high && (i64)(nodes[state][LEFT] & 7) == dice) return state;
        *slot = (*slot + 1) & (SLOTS - 1);
    }
    return -1;
}

static void expand(const u64 *t, const Terms *w, i64 dice) {
    u64 filled = t[0] | t[1] | t[2] | t[3], odd = t[1] | t[3], upper = t[2] | t[3], gem_near = around(t[6] | t[7]);
    i64 states = 1, places = 0;
    for (i64 m = dice; m > 0; m--)
        for (i64 state = heads[m]; state >= 0; state = links[state][AFTER]) {
            if (states > STATES - 256 || places > 16 * (STATES - 256)) abort();
            u64 low = nodes[state][LOW], high = nodes[state][HIGH], reach = nodes[state][REACH];
            double score = values[state][SCORE], stop = values[state][STOP];
            i64 rises = (i64)(nodes[state][LEFT] >> 8);
            u64 released = filled & ~(low ^ t[4]) & ~(high ^ t[5]), takers = 0;
            if (m == 2) takers = reach & t[4] & t[5] & ~low & ~high;
            else if (m == 1) takers = reach & t[5] & ~((~t[4] & low) | (t[4] & high));
            u64 todo = reach & ~takers;
            if (takers)
                for (int c = 0; c < 4; c++) {
                    u64 same = takers & t[c];
                    todo |= same & -same;
                }
            links[state][FIRST] = places;
            while (todo) {
                u64 here = todo & -todo;
                todo ^= here;
                int square = first(here);
                i64 colour = !!(odd & here) + 2 * !!(upper & here), size = !!(t[4] & here) + 2 * !!(t[5] & here);
                i64 lies = !!(low & here) + 2 * !!(high & here), need = size - lies;
                for (i64 k = 1; k <= (need < m ? need : m); k++) {
                    i64 left = m - k, slot = 0, child = -1;
                    u64 next_low = low, next_high = high;
                    if (!(takers & here)) {
                        next_low = (low & ~here) | ((lies + k) & 1 ? here : 0);
                        next_high = (high & ~here) | ((lies + k) & 2 ? here : 0);
                    }
                    if (left > 0) {
                        next_low = plain(t, next_low, next_high, left);
                        child = look_up(next_low, next_high, left, &slot);
                    }
                    if (child < 0) {
                        u64 next_reach = reach;
                        i64 next_rises = rises;
                        double next_score = score, next_stop = stop;
                        if (k == need) {
                            next_reach = (reach | (near_(here) & filled)) & ~(released | here);
                            next_rises = rises + (size << (4 * colour));
                            next_score = score + w->chamber[square];
                            if (gem_near & here) next_score += gem_gain(t, w, filled, released, square);
                            next_stop = next_score;
                        }
                        if (left > 0) {
                            child = states++;
                            slots[slot] = (epoch << 32) | child;
                            nodes[child][LOW] = next_low, nodes[child][HIGH] = next_high, nodes[child][REACH] = next_reach;
                            nodes[child][LEFT] = (u64)(left | (next_rises << 8));
                            values[child][SCORE] = next_score, values[child][STOP] = next_stop;
                            links[child][AFTER] = heads[left];
                            heads[left] = child;
                        } else
                            finals[places] = next_stop;
                    }
                    moves[places++] = square | (k << 6) | (colour << 8) | (i64)((u64)child << 16);
                }
            }
            links[state][LAST] = places;
        }
    states_found = states;
}

static void evaluate(const Odds *o, i64 dice, i64 limit) {
    for (i64 m = 1; m <= dice; m++)
        for (i64 state = heads[m]; state >= 0; state = links[state][AFTER]) {
            i64 present = 0;
            for (i64 place = links[state][FIRST]; place < links[state][LAST]; place++)
                present |= 1 << ((moves[place] >> 8) & 3);
            memset(best, 0, 16 * (m + 1) * sizeof *best);
            for (i64 place = links[state][FIRST]; place < links[state][LAST]; place++) {
                i64 k = (moves[place] >> 6) & 3, child = moves[place] >> 16;
                double *at = best + 17 * k + 4 * o->ranks[present][(moves[place] >> 8) & 3];
                if (child < 0)
                    *at = dmax(*at, finals[place]);
                else
                    for (i64 left = 0; left <= m - k; left++, at += 16)
                        *at = dmax(*at, dmax(values[child][STOP], values[child][left]));
            }
            for (i64 at = 16; at < 16 * (m + 1); at += 4) {
                best[at + 2] = dmax(best[at + 2], best[at + 1]);
                best[at + 3] = dmax(best[at + 3], best[at + 2]);
            }
            for (i64 n = 0; n <= m; n++) values[state][n] = 0;
            i64 colours = o->ranks[present][3] + (present >> 3);
            for (i64 u = 1; u <= m; u++) {
                if (!colours || (limit > 0 && skulls_before + m - u >= limit)) continue;
                const double *row = best + 16 * u;
                double total = 0;
                for (i64 index = o->starts[colours][u]; index < o->starts[colours][u + 1]; index++) {
                    u64 pick = o->picks[index];
                    double top = row[pick & 255];
                    if (colours > 1) top = dmax(top, row[(pick >> 8) & 255]);
                    if (colours > 2) top = dmax(top, row[(pick >> 16) & 255]);
                    if (colours > 3) top = dmax(top, row[pick >> 24]);
                    total += o->chances[index] * top;
                }
                for (i64 n = u; n <= m; n++) values[state][n] += o->binomial[n][u] * total;
            }
        }
}

/* Solve `count` turns from their start with seven dice, `rounds` times over; returns all states found. */
i64 solve_all(i64 count, i64 rounds, const u64 *temples, const i64 *raccoons, const double *chambers, const double *gems,
              i64 any_gem, i64 limit, const i64 *starts, const u64 *picks, const double *chances, const i64 *ranks,
              const double *binomial, double *found) {
    Odds odds = {.picks = picks, .chances = chances};
    memcpy(odds.starts, starts, sizeof odds.starts);
    memcpy(odds.ranks, ranks, sizeof odds.ranks);
    memcpy(odds.binomial, binomial, sizeof odds.binomial);
    Terms terms = {.any_gem = any_gem, .limit = limit};
    memcpy(terms.gem, gems, sizeof terms.gem);
    i64 total = 0;
    for (i64 round = 0; round < rounds; round++)
        for (i64 i = 0; i < count; i++) {
            const u64 *t = temples + 8 * i;
            memcpy(terms.chamber, chambers + 64 * i, sizeof terms.chamber);
            epoch++;
            skulls_before = 0;
            i64 slot;
            look_up(0, 0, DICE, &slot);
            slots[slot] = epoch << 32;
            nodes[0][LOW] = nodes[0][HIGH] = 0;
            nodes[0][REACH] = near_(1ull << raccoons[i]) & (t[0] | t[1] | t[2] | t[3]);
            nodes[0][LEFT] = DICE;
            values[0][SCORE] = values[0][STOP] = 0;
            for (int n = 0; n <= DICE; n++) heads[n] = -1;
            heads[DICE] = 0;
            links[0][AFTER] = -1;
            expand(t, &terms, DICE);
            evaluate(&odds, DICE, limit);
            found[i] = values[0][DICE];
            total += states_found;
        }
    return total;
}
