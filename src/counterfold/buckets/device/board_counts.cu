// Counts over complete boards with all hands on each, a block of threads for a board.
//
// All sums are of integers, so their order does not matter and atomic additions give the same bits
// every time. The twin of `board_counts_kernels.py`, argument by argument. Hands are pairs of the
// cards that a board leaves, in lexicographic order of places.

typedef long long wide;
typedef unsigned long long word;

#define MOST_CARDS 47  // that five cards leave of a full deck
#define MOST_HANDS (MOST_CARDS * (MOST_CARDS - 1) / 2)
#define MOST_SORTED 2048  // the power of two that holds all hands
#define HAND_BITS 11
#define HAND_MASK ((1u << HAND_BITS) - 1)
#define NO_HAND 0xFFFFFFFFu
#define N_BOARD 5
#define RANK_SHIFT 48
#define PLACES ((1ull << RANK_SHIFT) - 1)
#define FULL_WARP 0xFFFFFFFFu

// As in `cards/ranking_kernels.py`.
#define HIGH_SHIFT 14
#define SUIT_SHIFT 31
#define LOW_BITS ((1 << HIGH_SHIFT) - 1)
#define HIGH_BITS ((1 << (SUIT_SHIFT - HIGH_SHIFT)) - 1)

__device__ wide pair_of(wide a, wide b) { return b * (b - 1) / 2 + a; }

__device__ int hand_at(int i, int j, int n) {
    return i < j ? i * (2 * n - i - 1) / 2 + j - i - 1 : j * (2 * n - j - 1) / 2 + i - j - 1;
}

// Called by one thread: what the board leaves of the deck.
__device__ void leave(wide n_deck, const unsigned char *deck, const unsigned char *board,
                      unsigned char *cards) {
    int n = 0;
    for (int k = 0; k < n_deck; ++k) {
        bool on_board = false;
        for (int m = 0; m < N_BOARD; ++m) on_board |= deck[k] == board[m];
        if (!on_board) cards[n++] = deck[k];
    }
}

// 1 for a tie, 2 for a win.
__device__ int beats(int own, int other) { return (other < own) + (other <= own); }

extern "C" __global__ void score_boards(
    wide n_boards, wide n_deck, wide n_hands, const unsigned char *deck,
    const unsigned char *boards, const unsigned char *firsts, const unsigned char *seconds,
    const wide *keys, const unsigned short *low, const unsigned short *high,
    const short *unsuited, const short *flushes, short *ranks, unsigned short *scores) {
    __shared__ unsigned char cards[MOST_CARDS + N_BOARD];
    __shared__ short rank_of[MOST_HANDS + 1];
    __shared__ wide board_key;
    __shared__ int suits[4];
    wide n = blockIdx.x;
    const unsigned char *board = boards + n * N_BOARD;
    if (threadIdx.x == 0) {
        leave(n_deck, deck, board, cards);
        board_key = 0;
        for (int s = 0; s < 4; ++s) suits[s] = 0;
        for (int k = 0; k < N_BOARD; ++k) {
            board_key += keys[board[k]];
            suits[board[k] & 3] |= 1 << (board[k] >> 2);
        }
    }
    __syncthreads();
    for (int h = threadIdx.x; h < n_hands; h += blockDim.x) {
        int a = cards[firsts[h]], b = cards[seconds[h]];
        wide total = board_key + keys[a] + keys[b];
        int rank = unsuited[low[total & LOW_BITS] + high[(total >> HIGH_SHIFT) & HIGH_BITS]];
        for (int s = 0; s < 4; ++s) {
            int mask = suits[s];
            if ((a & 3) == s) mask |= 1 << (a >> 2);
            if ((b & 3) == s) mask |= 1 << (b >> 2);
            if (__popc(mask) >= 5) rank = max(rank, (int)flushes[mask]);
        }
        rank_of[h] = rank;
        ranks[n * n_hands + h] = rank;
    }
    __syncthreads();
    // Against all hands, less those with the first card, less those with the second; the hand
    // itself, a tie, was counted once and taken off twice.
    int n_left = n_deck - N_BOARD;
    for (int h = threadIdx.x; h < n_hands; h += blockDim.x) {
        int own = rank_of[h], i = firsts[h], j = seconds[h];
        int score = 1;
        for (int g = 0; g < n_hands; ++g) score += beats(own, rank_of[g]);
        for (int k = 0; k < n_left; ++k) {
            if (k != i) score -= beats(own, rank_of[hand_at(i, k, n_left)]);
            if (k != j) score -= beats(own, rank_of[hand_at(j, k, n_left)]);
        }
        scores[n * n_hands + h] = score;
    }
}

extern "C" __global__ void count_scores(
    wide n_boards, wide n_deck, wide n_hands, wide n_places, wide n_pairs, wide n_scores,
    const unsigned char *deck, const unsigned char *boards, const unsigned char *firsts,
    const unsigned char *seconds, const int *places, const wide *weights, const int *turns,
    const unsigned short *scores, word *counts) {
    __shared__ unsigned char cards[MOST_CARDS + N_BOARD];
    wide n = blockIdx.x;
    if (threadIdx.x == 0) leave(n_deck, deck, boards + n * N_BOARD, cards);
    __syncthreads();
    for (int order = 0; order < 2; ++order) {
        const int *before = turns + (places[3 * n] * n_places + places[3 * n + 1 + order]) * n_pairs;
        for (int h = threadIdx.x; h < n_hands; h += blockDim.x) {
            wide sequence = before[pair_of(cards[firsts[h]], cards[seconds[h]])];
            atomicAdd(counts + sequence * n_scores + scores[n * n_hands + h], (word)weights[n]);
        }
    }
}

// How many cuts of a row are not above the level.
__device__ int count_reached(wide n_cuts, const int *cuts, wide row, int level) {
    int n = 0;
    for (int k = 0; k < n_cuts; ++k) n += cuts[row * n_cuts + k] <= level;
    return n;
}

// The power of two that holds `n` keys.
__device__ int sorted_size(int n) {
    int size = 1;
    while (size < n) size <<= 1;
    return size;
}

// Ascending, by a bitonic network, all threads of the block together; `n` is a power of two.
__device__ void sort_keys(int n, unsigned *keys) {
    for (int size = 2; size <= n; size <<= 1) {
        for (int step = size >> 1; step > 0; step >>= 1) {
            for (int k = threadIdx.x; k < n; k += blockDim.x) {
                int other = k ^ step;
                if (other > k && (keys[k] > keys[other]) == ((k & size) == 0)) {
                    unsigned key = keys[k];
                    keys[k] = keys[other];
                    keys[other] = key;
                }
            }
            __syncthreads();
        }
    }
}

// Called by the first warp: where each sequence begins among sorted hands. Returns how many.
__device__ int find_starts(int n_hands, const unsigned *keys, unsigned short *starts) {
    int n = 0, lane = threadIdx.x;
    for (int begin = 0; begin < n_hands; begin += 32) {
        int k = begin + lane;
        bool first = k < n_hands && (k == 0 || keys[k] >> HAND_BITS != keys[k - 1] >> HAND_BITS);
        unsigned votes = __ballot_sync(FULL_WARP, first);
        if (first) starts[n + __popc(votes & ((1u << lane) - 1))] = k;
        n += __popc(votes);
    }
    if (lane == 0) starts[n] = n_hands;
    return n;
}

// A block for each order of turn and river of a board.
extern "C" __global__ void tally_showdowns(
    wide n_boards, wide n_deck, wide n_hands, wide n_places, wide n_pairs, wide n_buckets,
    wide n_cuts, wide n_within, wide n_sequences, const unsigned char *deck,
    const unsigned char *boards, const unsigned char *firsts, const unsigned char *seconds,
    const int *places, const wide *weights, const int *turns, const int *cuts,
    const int *within_cuts, const short *ranks, const unsigned short *levels, word *sums) {
    __shared__ unsigned char cards[MOST_CARDS + N_BOARD];
    __shared__ unsigned keys[MOST_SORTED];
    __shared__ unsigned by_size[MOST_SORTED];  // sequences, those of most hands first
    __shared__ word hands[MOST_HANDS + 1];  // places of both cards as bits, and above them the rank
    __shared__ unsigned short starts[MOST_HANDS + 1];
    __shared__ int n_seen, next_row;
    wide n = blockIdx.x / 2, order = blockIdx.x % 2;
    if (threadIdx.x == 0) {
        leave(n_deck, deck, boards + n * N_BOARD, cards);
        next_row = 0;
    }
    __syncthreads();
    const int *before = turns + (places[3 * n] * n_places + places[3 * n + 1 + order]) * n_pairs;
    int n_sorted = sorted_size(n_hands);
    for (int h = threadIdx.x; h < n_sorted; h += blockDim.x) {
        keys[h] = NO_HAND;
        if (h >= n_hands) continue;
        wide sequence = before[pair_of(cards[firsts[h]], cards[seconds[h]])];
        int level = levels[n * n_hands + h];
        wide bucket = level;
        if (n_cuts >= 0) {
            int set = count_reached(n_cuts, cuts, sequence, level);
            wide row = sequence * (n_cuts + 1) + set;
            bucket = set * (n_within + 1) + count_reached(n_within, within_cuts, row, level);
        }
        keys[h] = (unsigned)(sequence * n_buckets + bucket) << HAND_BITS | h;
    }
    __syncthreads();
    sort_keys(n_sorted, keys);
    for (int k = threadIdx.x; k < n_hands; k += blockDim.x) {
        int h = keys[k] & HAND_MASK;
        hands[k] = 1ull << firsts[h] | 1ull << seconds[h];
        hands[k] |= (word)ranks[n * n_hands + h] << RANK_SHIFT;
    }
    if (threadIdx.x < 32) {
        int found = find_starts(n_hands, keys, starts);
        if (threadIdx.x == 0) n_seen = found;
    }
    __syncthreads();

    // Threads that go together have sequences of about as many hands, or most of them would wait.
    int n_ordered = sorted_size(n_seen);
    for (int a = threadIdx.x; a < n_ordered; a += blockDim.x) {
        int size = a < n_seen ? starts[a + 1] - starts[a] : 0;
        by_size[a] = a < n_seen ? (unsigned)(MOST_SORTED - size) << HAND_BITS | a : NO_HAND;
    }
    __syncthreads();
    sort_keys(n_ordered, by_size);

    // A warp takes a sequence, its threads one by one those that follow.
    int lane = threadIdx.x % 32;
    wide weight = weights[n];
    while (true) {
        int x = lane == 0 ? atomicAdd(&next_row, 1) : 0;
        x = __shfl_sync(FULL_WARP, x, 0);
        if (x >= n_seen) break;
        int a = by_size[x] & HAND_MASK;
        int begin = starts[a], end = starts[a + 1];
        wide one = keys[begin] >> HAND_BITS;
        for (int y = x + lane; y < n_seen; y += 32) {
            int b = by_size[y] & HAND_MASK;
            int pairs = 0, net = 0;
            for (int g = starts[b]; g < starts[b + 1]; ++g) {
                word other = hands[g];
                int rank = other >> RANK_SHIFT;
                for (int k = begin; k < end; ++k) {
                    word own = hands[k];
                    int by = (int)(own >> RANK_SHIFT) - rank;
                    bool meet = (own & other & PLACES) == 0;
                    pairs += meet;
                    net += meet ? (by > 0) - (by < 0) : 0;
                }
            }
            wide two = keys[starts[b]] >> HAND_BITS;
            wide low = min(one, two);
            word *sum = sums + 2 * (low * (2 * n_sequences - low - 1) / 2 + max(one, two));
            if (pairs != 0) atomicAdd(sum, (word)(weight * pairs));
            if (b != a && net != 0) atomicAdd(sum + 1, (word)(one < two ? weight * net : -weight * net));
        }
        __syncwarp();
    }
}

// A thread for each pair of sequences, the lower number first.
extern "C" __global__ void pack_sums(wide n_sequences, const wide *sums, wide *packed) {
    wide at = (wide)blockIdx.x * blockDim.x + threadIdx.x;
    wide a = at / n_sequences, b = at % n_sequences;
    if (a >= n_sequences || b < a) return;
    const wide *both = sums + 2 * (a * (2 * n_sequences - a - 1) / 2 + b);
    packed[a * n_sequences + b] = both[0];
    if (a != b) packed[b * n_sequences + a] = -both[1];
}
