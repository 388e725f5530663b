/* Tacatuca in C, to measure the compiled Python against: the same dice, the same records, the same sums.
 *
 *   duel    two players, the algorithm of the kernel: one table of 1296 joint throws, pins after every round kept,
 *           the record read from them.
 *   plain   two to four players as one writes it down first: one loop, demands pair by pair, no joint tables.
 *
 * usage: tacatuca duel|plain PLAYERS GAMES SEED
 * Prints the processor seconds spent playing and, per column of the record, the sum of values and of their squares.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef uint64_t u64;
typedef int64_t i64;
enum { PINS = 20, MAX_ROUNDS = 10000, BLOCK = 8192, MAX_COLUMNS = 32, BINS = 4096 };

/* -- dice: one Philox4x64-10 block for the key of a game, SplitMix64 at an address, Lemire below a bound -------- */

typedef struct { u64 start, step; } Key;

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

static inline u64 throw_below(Key key, u64 turn, u64 bound) {
    u64 z = mix64(key.start + key.step * (turn << 20));
    if (__builtin_expect(z * bound < bound, 0)) {
        u64 threshold = -bound % bound;
        while (z * bound < threshold) z = mix64(z + 0x9E3779B97F4A7C15u);
    }
    return mulhi(z, bound);
}

/* -- the cards ------------------------------------------------------------------------------------------------ */

static int high_die(int pair) { int a = pair / 6 + 1, b = pair % 6 + 1; return a > b ? a : b; }
static int low_die(int pair) { int a = pair / 6 + 1, b = pair % 6 + 1; return a < b ? a : b; }

/* pins that the first pair asks of the second, given whether its sum is the highest of the round */
static int asks(int highest, int taker, int giver) {
    int n = high_die(taker), h = high_die(giver), l = low_die(giver);
    int difference = n + low_die(taker) - h - l;
    int plain = highest && difference > 0 ? difference : 0;
    if (h == l && n == h + 1 && low_die(taker) == h) return 0; /* truce */
    if (n != low_die(taker)) return plain;
    if (h == l) return h < n ? difference + (n == 6 ? 2 : 0) : 0;
    if (h <= n + 1 && !(h == n + 1 && l == n) && n > 1) {
        if (n == 3 && h == 5) return plain;
        int bonus = n == 6 ? 5 : n - 1;
        if (h == n + 1 && h + l > 2 * n) return plain;
        return difference + bonus;
    }
    return plain;
}

/* -- records -------------------------------------------------------------------------------------------------- */

static int32_t block[BLOCK][MAX_COLUMNS];
static i64 counts[MAX_COLUMNS][BINS], sums[MAX_COLUMNS], squares[MAX_COLUMNS];

static void accumulate(int games, int columns) {
    for (int g = 0; g < games; g++)
        for (int c = 0; c < columns; c++) {
            i64 value = block[g][c];
            counts[c][value < BINS ? value : BINS - 1]++;
            sums[c] += value;
            squares[c] += value * value;
        }
}

static inline int lane(u64 word, int seat) { return (word >> (16 * seat)) & 0xFFFF; }

static inline void leader(u64 word, int players, int *seat, int *pins) {
    int best = lane(word, 0), of_best = 1;
    for (int s = 1; s < players; s++) {
        int p = lane(word, s);
        of_best = p > best ? s + 1 : p == best ? 0 : of_best;
        best = p > best ? p : best;
    }
    *seat = of_best, *pins = best;
}

static void write_record(int32_t *row, int players, const u64 *history, const int *left, int rounds, int idle, int moved) {
    int winner = 0, still_in = 0;
    for (int s = 0; s < players; s++)
        if (!left[s]) winner = s + 1, still_in++;
    int finished = still_in == 1, changes = 0, before = 0, since = 0, fewest = PINS;
    for (int r = 1; r <= rounds; r++) {
        int sole, pins, own = lane(history[r], winner - 1);
        leader(history[r], players, &sole, &pins);
        changes += sole && before && sole != before;
        before = sole ? sole : before;
        since = sole == winner ? since : r;
        fewest = own < fewest ? own : fewest;
    }
    *row++ = finished ? 1 << (winner - 1) : 0;
    *row++ = !finished;
    *row++ = rounds;
    for (int s = 0; s < players; s++) {
        int place = 1;
        for (int t = 0; t < players; t++) place += left[s] && (!left[t] || left[t] > left[s]);
        *row++ = finished || left[s] ? place : 0;
    }
    for (int s = 0; s < players; s++) *row++ = left[s];
    *row++ = finished ? fewest : 0;
    *row++ = changes;
    *row++ = finished ? since + 1 : 0;
    *row++ = idle;
    *row++ = moved;
    for (int q = 1; q < 4; q++) {
        int sole, pins;
        leader(history[rounds * q / 4], players, &sole, &pins);
        row[0] = sole, row[3] = pins, row++;
    }
}

/* -- two players: the kernel's algorithm ---------------------------------------------------------------------- */

static int32_t joint[1296];

static void build_joint(void) {
    for (int a = 0; a < 36; a++)
        for (int b = 0; b < 36; b++) {
            int sum_a = high_die(a) + low_die(a), sum_b = high_die(b) + low_die(b);
            joint[a * 36 + b] = asks(sum_b >= sum_a, b, a) | asks(sum_a >= sum_b, a, b) << 16;
        }
}

static void play_duel(u64 seed, i64 first, int games) {
    static u64 history[MAX_ROUNDS + 1];
    history[0] = PINS | (u64)PINS << 16;
    for (int g = 0; g < games; g++) {
        Key key = game_key(seed, first + g);
        i64 held = PINS, against = PINS, idle = 0, moved = 0;
        int rounds = 0;
        while (held > 0 && against > 0 && rounds < MAX_ROUNDS) {
            i64 demand = joint[throw_below(key, rounds, 1296)];
            i64 gives = demand & 0xFFFF, takes = demand >> 16;
            gives = gives < held ? gives : held;
            takes = takes < against ? takes : against;
            held += takes - gives;
            against += gives - takes;
            history[++rounds] = (u64)held | (u64)against << 16;
            idle += gives + takes == 0;
            moved += gives + takes;
        }
        int left[2] = {held ? 0 : rounds, against ? 0 : rounds};
        write_record(block[g], 2, history, left, rounds, idle, moved);
    }
}

/* -- two to four players: one loop ---------------------------------------------------------------------------- */

static void play_plain(int players, u64 seed, i64 first, int games) {
    static u64 history[MAX_ROUNDS + 1];
    static int asked[2][36][36], ready;
    if (!ready)
        for (int a = 0; a < 36; a++)
            for (int b = 0; b < 36; b++) asked[0][a][b] = asks(0, a, b), asked[1][a][b] = asks(1, a, b);
    ready = 1;
    u64 bound = 1;
    for (int s = 0; s < players; s++) bound *= 36;
    for (int g = 0; g < games; g++) {
        Key key = game_key(seed, first + g);
        int pins[4] = {0}, left[4] = {0}, alive = players, rounds = 0, idle = 0, moved = 0;
        history[0] = 0;
        for (int s = 0; s < players; s++) pins[s] = PINS, history[0] |= (u64)PINS << (16 * s);
        while (alive > 1 && rounds < MAX_ROUNDS) {
            u64 number = throw_below(key, rounds, bound);
            int pair[4], sum[4], highest = 0, change[4] = {0}, paid_now = 0;
            for (int s = players - 1; s >= 0; s--) pair[s] = number % 36, number /= 36;
            for (int s = 0; s < players; s++) {
                sum[s] = pair[s] / 6 + pair[s] % 6;
                if (pins[s] && sum[s] > highest) highest = sum[s];
            }
            for (int debtor = 0; debtor < players; debtor++) {
                if (!pins[debtor]) continue;
                int purse = pins[debtor];
                for (int step = 1; step < players && purse; step++) { /* clockwise from his left */
                    int creditor = (debtor + step) % players;
                    if (!pins[creditor]) continue;
                    int owed = asked[sum[creditor] == highest][pair[creditor]][pair[debtor]];
                    int paid = owed < purse ? owed : purse;
                    purse -= paid, change[debtor] -= paid, change[creditor] += paid, paid_now += paid;
                }
            }
            rounds++;
            u64 word = 0;
            for (int s = 0; s < players; s++) {
                if (pins[s] && pins[s] + change[s] == 0) left[s] = rounds, alive--;
                pins[s] += change[s];
                word |= (u64)pins[s] << (16 * s);
            }
            history[rounds] = word;
            idle += paid_now == 0;
            moved += paid_now;
        }
        write_record(block[g], players, history, left, rounds, idle, moved);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

int main(int argc, char **argv) {
    if (argc != 5) return 2;
    int duel = !strcmp(argv[1], "duel"), players = atoi(argv[2]), columns = 14 + 2 * players;
    i64 games = atoll(argv[3]);
    u64 seed = strtoull(argv[4], NULL, 10);
    build_joint();
    double began = now();
    for (i64 first = 0; first < games; first += BLOCK) {
        int size = games - first < BLOCK ? games - first : BLOCK;
        if (duel) play_duel(seed, first, size);
        else play_plain(players, seed, first, size);
        accumulate(size, columns);
    }
    printf("%.9f\n", now() - began);
    for (int c = 0; c < columns; c++) printf("%lld %lld\n", (long long)sums[c], (long long)squares[c]);
    return 0;
}
