// Teaches the two networks of Oh Hell's taught player (games/oh_hell/taught.py), and prints them as JSON.
//
//     gcc -O3 -march=native -o /tmp/teach tools/teach_oh_hell.c -lm
//     /tmp/teach --minutes 15 --seed 77 > /tmp/networks.json && mv /tmp/networks.json games/oh_hell/networks.json
//
// Run it from the root of the repository: it reads the weights of the rule of thumb, games/oh_hell/weights.json. With
// `--from games/oh_hell/networks.json` it goes on from networks that have learned before, with `--minutes 0` it only
// measures them: the lead over three of the rule, in `--deals 5000`, each played from every seat. Minutes are of the
// processor, on one core. Progress goes to the standard error. What came of it is told in docs/bots.md.
//
// They learn by policy gradient: they play hands, move by what they score, and what was done in hands that went better
// than expected becomes likelier. The reward is the lead: the points of a hand beyond the mean of the others, with
// positive scoring. Two more networks learn what to expect; nobody needs them afterwards, so that they begin anew each
// time. Half of the hands are of ten cards at four seats, the others of any number. The figures of the rule of thumb
// are those of games/oh_hell/bot.py, and the numbers that describe a position and its moves are those of
// games/oh_hell/taught.py, in the same order: what changes there must change here.

#define _DEFAULT_SOURCE // for M_PI
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUITS = 4, RANKS = 13, PACK = 52, LEAST_SEATS = 3, MOST_SEATS = 7, MOST_CARDS = 10, MOST_MOVES = 11 };
enum { BID_SHARED = 15, BID_OWN = 9, CARD_SHARED = 25, CARD_OWN = 25, MOST_SHARED = 26, MOST_OWN = 25 };
enum { BID_HIDDEN = 24, CARD_HIDDEN = 48, HOPE_HIDDEN = 24, MOST_HIDDEN = 48 };
enum { LOWER_BIDS = 2, HIGHER_BIDS = 3 };       // how far a bid may lie from the rule's
enum { TABLES = 512 };                          // hands dealt before the weights change
enum { TEST_DEALS = 1000, TEST_SECONDS = 100 }; // of the tests while they learn, and the time between two
enum { TEST_SEED = 777, LAST_TEST_SEED = 4242 };
static const int FULL_HAND[MOST_SEATS + 1] = {[3] = 10, [4] = 10, [5] = 10, [6] = 8, [7] = 7};
static const double TRUST_BID = 1.0, TRUST_CARD = 2.0; // in what the rule promises, for each point less than its best
static const double ENTROPY = 0.004;                   // what doubt is worth, so that they go on trying other moves
static const double AMONG_LEARNERS = 0.3;              // how often the others at a table are all copies of the learner,
static const double AMONG_ALL = 0.2;                   // or each an erring rule, the rule or a copy; otherwise the rule
static const double ODD_BIDS = 0.3, ODD_CARDS = 0.1;   // how often an erring rule errs
static const double FAST_PART = 0.5, LAST_RATE = 0.05; // the rate falls after that part of the time, to so much of it

// Cards and sets of cards, as in games/kit/card_sets.py: a card is its place in the pack, a set has a bit for each.

typedef uint64_t Set;

static int count(Set cards) { return __builtin_popcountll(cards); }
static int suit_of(int card) { return card / RANKS; }
static Set only(int card) { return (Set)1 << card; }
static Set of_suit(int suit) { return (Set)0x1fff << (RANKS * suit); }
static Set lower(int card) { return of_suit(suit_of(card)) & (only(card) - 1); }
static Set higher(int card) { return of_suit(suit_of(card)) & ~lower(card) & ~only(card); }

// The lowest card of a set, which loses it.
static int take(Set *cards) {
  int card = __builtin_ctzll(*cards);
  *cards &= *cards - 1;
  return card;
}

static bool beats(int card, int best, int trump) {
  return suit_of(card) == suit_of(best) ? card > best : suit_of(card) == trump;
}

static double within(double number, double least, double most) { return fmin(fmax(number, least), most); }

// Random numbers: splitmix64.

static uint64_t next_random(uint64_t *random) {
  uint64_t bits = *random += 0x9e3779b97f4a7c15;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

static double uniform(uint64_t *random) { return (double)(next_random(random) >> 11) / 9007199254740992.0; } // 2 ** 53
static int below(int limit, uint64_t *random) { return (int)(uniform(random) * limit); }
static bool chance(double likely, uint64_t *random) { return uniform(random) < likely; }

static double normal(uint64_t *random) {
  double distance = sqrt(-2.0 * log(uniform(random) + 1e-12));
  return distance * cos(2.0 * M_PI * uniform(random));
}

// A hand as it is played.

typedef struct {
  int seats, cards, dealer, trump, to_act;
  Set hands[MOST_SEATS];
  Set gone;                                // the turn-up and all cards played
  int bids[MOST_SEATS], taken[MOST_SEATS]; // a bid is -1 until it is made
  bool voids[MOST_SEATS][SUITS];           // shown
  int played, led, best, winner;           // in this trick; nothing is led, or best, while no card is played
  bool bidding;
} Table;

static Table deal(int seats, int cards, int dealer, uint64_t *random) {
  Table table = {.seats = seats, .cards = cards, .dealer = dealer, .to_act = (dealer + 1) % seats, .bidding = true};
  int deck[PACK];
  for (int place = 0; place < PACK; place++) {
    int other = below(place + 1, random);
    deck[place] = deck[other];
    deck[other] = place;
  }
  for (int place = 0; place < seats * cards; place++)
    table.hands[place / cards] |= only(deck[place]);
  table.gone = only(deck[seats * cards]);
  table.trump = suit_of(deck[seats * cards]);
  for (int seat = 0; seat < seats; seat++)
    table.bids[seat] = -1;
  return table;
}

static void make_bid(Table *table, int bid) {
  table->bids[table->to_act] = bid;
  table->bidding = table->to_act != table->dealer;
  table->to_act = (table->to_act + 1) % table->seats;
}

static void play_card(Table *table, int card) {
  int seat = table->to_act;
  table->hands[seat] &= ~only(card);
  table->gone |= only(card);
  if (!table->played)
    table->led = suit_of(card);
  else if (suit_of(card) != table->led)
    table->voids[seat][table->led] = true;
  if (!table->played || beats(card, table->best, table->trump)) {
    table->best = card;
    table->winner = seat;
  }
  table->to_act = (seat + 1) % table->seats;
  if (++table->played == table->seats) {
    table->taken[table->winner]++;
    table->to_act = table->winner;
    table->played = 0;
  }
}

static Set legal_cards(const Table *table) {
  Set hand = table->hands[table->to_act], following = hand & of_suit(table->led);
  return table->played && following ? following : hand;
}

// How many have bid, and the sum of their bids.
static int bids_made(const Table *table, int *sum) {
  int made = 0;
  *sum = 0;
  for (int seat = 0; seat < table->seats; seat++)
    if (table->bids[seat] >= 0) {
      made++;
      *sum += table->bids[seat];
    }
  return made;
}

// The bid that the dealer may not make, as all bids would come to as many tricks as there are. Otherwise -1 or less.
static int forbidden_bid(const Table *table) {
  int sum, made = bids_made(table, &sum);
  return made == table->seats - 1 ? table->cards - sum : -1;
}

static int need_of(const Table *table, int seat) { return table->bids[seat] - table->taken[seat]; }
static int points(const Table *table, int seat) { return table->taken[seat] + (need_of(table, seat) ? 0 : 10); }
static int stock(const Table *table) { return PACK - 1 - table->seats * table->cards; } // so many cards nobody holds

// The seat that plays so many places after the one that is to act.
static int rival(const Table *table, int place) { return (table->to_act + place) % table->seats; }

static Set unseen_cards(const Table *table) { return (only(PACK) - 1) & ~table->hands[table->to_act] & ~table->gone; }

// The rule of thumb: what every bid and every card promises.

static struct {
  double bid[2][11], keep[2][11], hungry[2], sated[2];
} rule; // side suits first; follows, then ruffs

// The chance that a rival with so many cards holds at least one of `wanted` unseen cards.
static double chance_of_any(int cards, int unseen, int wanted) {
  static double known[MOST_CARDS + 1][PACK][RANKS + 1]; // 0 where not yet
  double *found = &known[cards][unseen][wanted];
  return *found > 0.0 || !wanted ? *found : (*found = 1.0 - pow(1.0 - (double)cards / unseen, wanted));
}

// The chance that a rival is void in a suit and holds one of `trumps` unseen trumps.
static double ruff_chance(const Table *table, int seat, Set unseen, int suit, int trumps) {
  if (table->voids[seat][table->trump])
    return 0.0;
  int cards = count(table->hands[seat]);
  double any = table->voids[seat][suit] ? 0.0 : chance_of_any(cards, count(unseen), count(unseen & of_suit(suit)));
  return (1.0 - any) * chance_of_any(cards, count(unseen), trumps);
}

// How much the rivals want beyond their fair share, as a part of the tricks left.
static double demand_of_rivals(const Table *table, int left) {
  double wanted = 0.0, seats = table->seats;
  for (int place = 1; place < table->seats; place++) {
    int seat = rival(table, place);
    wanted += table->bids[seat] < 0 ? left / seats : fmax(need_of(table, seat), 0);
  }
  return wanted / left - (seats - 1) / seats;
}

// The chance of each card in hand to take a later trick if it is kept, by card.
static void later_chances(const Table *table, double *later) {
  int seat = table->to_act, trump = table->trump, left = count(table->hands[seat]), lengths[SUITS];
  Set hand = table->hands[seat], unseen = unseen_cards(table);
  bool leads = table->bidding ? seat == (table->dealer + 1) % table->seats : !table->played;
  double dealt = 1.0 - (double)stock(table) / count(unseen), demand = demand_of_rivals(table, left);
  double lead = (double)leads / left, share = 0.0, voids = 0.0, ruffs[SUITS] = {0};
  if (!table->bidding)
    share = need_of(table, seat) < 0 ? 1.0 : fmin((double)need_of(table, seat) / left, 1.0);
  for (int suit = 0; suit < SUITS; suit++) {
    lengths[suit] = count(hand & of_suit(suit));
    if (suit == trump)
      continue;
    voids += fmax(1.0 - lengths[suit] / 2.0, 0.0);
    for (int place = 1; lengths[suit] && place < table->seats; place++)
      ruffs[suit] += ruff_chance(table, rival(table, place), unseen, suit, count(unseen & of_suit(trump)));
  }
  for (Set rest = hand; rest;) {
    int card = take(&rest), suit = suit_of(card);
    double over = dealt * count(unseen & higher(card)), under = dealt * count(unseen & lower(card)), top = exp(-over);
    double numbers[11] = {1.0, over, under, top, lengths[suit], demand, share, 1.0 / left, voids, left, lead};
    if (suit != trump) {
      numbers[8] = ruffs[suit] * top;
      numbers[9] = (double)lengths[trump] / left;
      numbers[10] = lead * top * exp(-ruffs[suit]);
    }
    const double *weights = (table->bidding ? rule.bid : rule.keep)[suit == trump];
    double sum = 0.0;
    for (int place = 0; place < 11; place++)
      sum += weights[place] * numbers[place];
    later[card] = 1.0 / (1.0 + exp(-sum));
  }
}

// The chance that none of the rivals that still play to this trick beats a card, the best so far.
static double standing_chance(const Table *table, int card) {
  Set unseen = unseen_cards(table);
  int led = table->played ? table->led : suit_of(card), over = count(unseen & higher(card));
  int trumps = suit_of(card) == table->trump ? over : count(unseen & of_suit(table->trump));
  double stands = 1.0;
  for (int place = 1; place < table->seats - table->played; place++) {
    int seat = rival(table, place);
    const double *often = need_of(table, seat) ? rule.hungry : rule.sated;
    bool follows = suit_of(card) == led && !table->voids[seat][led];
    double follow = follows ? chance_of_any(count(table->hands[seat]), count(unseen), over) : 0.0;
    double ruff = led == table->trump ? 0.0 : ruff_chance(table, seat, unseen, led, trumps);
    stands *= 1.0 - often[0] * follow - often[1] * ruff;
  }
  return stands;
}

// A choice between moves, bids or cards, the lowest first: what the rule of thumb figures, what the networks are told.
typedef struct {
  bool bidding;
  int moves, move[MOST_MOVES], best, chosen; // the places of what promises most and of what was done
  double promise[MOST_MOVES];                // points
  double later[PACK], mean, variance;        // the chance of each card in hand to take a later trick; of their number
  double now[MOST_MOVES];                    // the chance of each card to take this trick
  double counts[MOST_MOVES][MOST_CARDS + 1]; // by card, for a bid in the first row: to take 0, 1, ... with the others
  float shared[MOST_SHARED], own[MOST_MOVES][MOST_OWN];
} Choice;

// The chance to take 0, 1, 2, ... tricks with cards of such chances.
static void chances_of_counts(Set cards, const double *later, double *counts) {
  memset(counts, 0, (MOST_CARDS + 1) * sizeof *counts);
  counts[0] = 1.0;
  for (int most = 1; cards; most++) {
    double one = later[take(&cards)];
    for (int tricks = most; tricks > 0; tricks--)
      counts[tricks] += one * (counts[tricks - 1] - counts[tricks]);
    counts[0] *= 1.0 - one;
  }
}

static double at(const double *counts, int tricks) { return tricks < 0 || tricks > MOST_CARDS ? 0.0 : counts[tricks]; }

// The bids near the rule's, and what they promise.
static void figure_bids(const Table *table, Choice *choice) {
  double promise[MOST_MOVES], *likely = choice->counts[0];
  int forbidden = forbidden_bid(table), usual = forbidden == 0;
  chances_of_counts(table->hands[table->to_act], choice->later, likely);
  for (int bid = 0; bid <= table->cards; bid++) {
    promise[bid] = choice->mean + 10.0 * likely[bid];
    usual = bid != forbidden && promise[bid] > promise[usual] ? bid : usual;
  }
  for (int bid = usual - LOWER_BIDS; bid <= usual + HIGHER_BIDS; bid++)
    if (bid >= 0 && bid <= table->cards && bid != forbidden) {
      choice->best = bid == usual ? choice->moves : choice->best;
      choice->promise[choice->moves] = promise[bid];
      choice->move[choice->moves++] = bid;
    }
}

static void figure_cards(const Table *table, Choice *choice) {
  int seat = table->to_act, need = need_of(table, seat);
  for (Set rest = legal_cards(table); rest; choice->moves++) {
    int card = take(&rest), place = choice->moves;
    double *counts = choice->counts[place], now = 0.0;
    chances_of_counts(table->hands[seat] & ~only(card), choice->later, counts);
    if (!table->played || beats(card, table->best, table->trump))
      now = standing_chance(table, card);
    double made = (1.0 - now) * at(counts, need) + now * at(counts, need - 1);
    choice->move[place] = card;
    choice->now[place] = now;
    choice->promise[place] = table->taken[seat] + choice->mean - choice->later[card] + now + 10.0 * made;
    if (choice->promise[place] > choice->promise[choice->best])
      choice->best = place;
  }
}

static void figure(const Table *table, Choice *choice) {
  *choice = (Choice){.bidding = table->bidding};
  later_chances(table, choice->later);
  for (Set rest = table->hands[table->to_act]; rest;) {
    double later = choice->later[take(&rest)];
    choice->mean += later;
    choice->variance += later * (1.0 - later);
  }
  (table->bidding ? figure_bids : figure_cards)(table, choice);
}

// The networks: one hidden layer of rectified sums. All weights lie in one array, by rows of one weight for each hidden
// unit: for each number of the position, for a constant, for each number of the move, and for what the unit adds.

#define SIZE(hidden, shared, own) ((hidden) * ((shared) + 1 + (own) + 1) + 1) // the last one is a constant
enum { CARDS_START = SIZE(BID_HIDDEN, BID_SHARED, BID_OWN) };
enum { BID_HOPES_START = CARDS_START + SIZE(CARD_HIDDEN, CARD_SHARED, CARD_OWN) };
enum { CARD_HOPES_START = BID_HOPES_START + SIZE(HOPE_HIDDEN, BID_SHARED, 0) };
enum { WEIGHTS = CARD_HOPES_START + SIZE(HOPE_HIDDEN, CARD_SHARED + 1, 0) };
typedef struct {
  int hidden, shared, own, start;
} Network;
static const Network BIDS = {BID_HIDDEN, BID_SHARED, BID_OWN, 0};
static const Network CARDS = {CARD_HIDDEN, CARD_SHARED, CARD_OWN, CARDS_START};
static const Network BID_HOPES = {HOPE_HIDDEN, BID_SHARED, 0, BID_HOPES_START}; // the reward to expect
static const Network CARD_HOPES = {HOPE_HIDDEN, CARD_SHARED + 1, 0, CARD_HOPES_START};
static float weights[WEIGHTS], slopes[WEIGHTS], mean_slopes[WEIGHTS], mean_squares[WEIGHTS];

typedef float Hidden[MOST_MOVES][MOST_HIDDEN];

// What a network says of each move, or of the position if there are no moves to tell apart.
static void run(const Network *network, const Choice *choice, int moves, Hidden hidden, float *says) {
  int size = network->hidden;
  float sums[MOST_HIDDEN];
  const float *row = weights + network->start;
  memcpy(sums, row + network->shared * size, sizeof(float) * size);
  for (int number = 0; number < network->shared; number++, row += size)
    for (int unit = 0; unit < size; unit++)
      sums[unit] += row[unit] * choice->shared[number];
  for (int move = 0; move < moves; move++) {
    const float *own = row + size, *out = own + network->own * size;
    memcpy(hidden[move], sums, sizeof(float) * size);
    for (int number = 0; number < network->own; number++, own += size)
      for (int unit = 0; unit < size; unit++)
        hidden[move][unit] += own[unit] * choice->own[move][number];
    says[move] = out[size];
    for (int unit = 0; unit < size; unit++) {
      hidden[move][unit] = fmaxf(hidden[move][unit], 0.0f);
      says[move] += out[unit] * hidden[move][unit];
    }
  }
}

// Adds to `slopes`, for every weight, how what `run` said changes with it, times `wish` for each move.
static void add_slopes(const Network *network, const Choice *choice, int moves, Hidden hidden, const float *wish) {
  int size = network->hidden, rows = network->shared + 1 + network->own;
  const float *out = weights + network->start + rows * size;
  float *first = slopes + network->start, *out_slopes = first + rows * size, sums[MOST_HIDDEN] = {0};
  for (int move = 0; move < moves; move++) {
    float *row = first + (network->shared + 1) * size, inner[MOST_HIDDEN];
    for (int unit = 0; unit < size; unit++) {
      out_slopes[unit] += wish[move] * hidden[move][unit];
      inner[unit] = hidden[move][unit] > 0.0f ? wish[move] * out[unit] : 0.0f;
      sums[unit] += inner[unit];
    }
    for (int number = 0; number < network->own; number++, row += size)
      for (int unit = 0; unit < size; unit++)
        row[unit] += inner[unit] * choice->own[move][number];
  }
  for (int number = 0; number <= network->shared; number++)
    for (int unit = 0; unit < size; unit++)
      first[number * size + unit] += sums[unit] * (number < network->shared ? choice->shared[number] : 1.0f);
}

static void begin_weights(const Network *network, double out, uint64_t *random) {
  int constants = network->shared * network->hidden, ends = (network->shared + 1 + network->own) * network->hidden;
  for (int place = 0; place < ends + network->hidden; place++) {
    double size = place < ends ? 0.7 / sqrt(network->shared + network->own) : out;
    bool is_constant = place >= constants && place < constants + network->hidden;
    weights[network->start + place] = is_constant ? 0.0 : size * normal(random);
  }
}

// What part of the cards is nearly sure of a later trick, and what part of them has hardly a chance of one.
static void sure_and_hopeless(Set hand, const double *later, float *parts) {
  for (Set rest = hand; rest;) {
    double likely = later[take(&rest)];
    parts[0] += (likely > 0.8) / (float)count(hand);
    parts[1] += (likely < 0.2) / (float)count(hand);
  }
}

static void describe_bidding(const Table *table, Choice *choice) {
  Set hand = table->hands[table->to_act];
  int cards = table->cards, rivals = table->seats - 1, voids = 0, aces = 0, sum, made = bids_made(table, &sum);
  for (int suit = 0; suit < SUITS; suit++)
    if (suit != table->trump) {
      voids += !(hand & of_suit(suit));
      aces += count(hand & only(RANKS * suit + RANKS - 1));
    }
  const float shared[BID_SHARED] = {
      cards / 13.0,
      (rivals - 1) / 5.0,
      made / (rivals + 1.0),
      made == rivals,
      choice->mean,
      sqrt(choice->variance),
      (double)count(hand & of_suit(table->trump)) / cards,
      choice->mean / cards,
      (sum - cards * made / (rivals + 1.0)) / cards,
      (table->dealer + 1) % table->seats == table->to_act,
      stock(table) / 52.0,
      voids / 3.0,
      aces / 3.0,
  };
  memcpy(choice->shared, shared, sizeof shared);
  sure_and_hopeless(hand, choice->later, choice->shared + 13);
}

static void describe_bid(const Table *table, Choice *choice, int place) {
  int bid = choice->move[place], cards = table->cards, sum, made = bids_made(table, &sum);
  double mean = choice->mean, promise = choice->promise[place], fewer = 0.0, *likely = choice->counts[0];
  for (int tricks = 0; tricks < bid; tricks++)
    fewer += likely[tricks];
  const float own[BID_OWN] = {
      within(bid - mean, -4.0, 4.0),
      likely[bid],
      fewer,
      within((promise - choice->promise[choice->best]) / 5, -2.0, 0.0),
      (double)bid / cards,
      within(fabs(bid - mean) / (sqrt(choice->variance) + 0.1), 0.0, 4.0),
      made == table->seats - 1 ? (double)(sum + bid - cards) / cards : 0.0,
      at(likely, bid - 1),
      at(likely, bid + 1),
  };
  memcpy(choice->own[place], own, sizeof own);
}

static void describe_position(const Table *table, Choice *choice) {
  Set hand = table->hands[table->to_act], unseen = unseen_cards(table);
  int left = count(hand), need = need_of(table, table->to_act), after = table->seats - 1 - table->played;
  double others = table->seats - 1, wanting = 0, content = 0, content_after = 0, lost = 0, most = 0;
  double wanted = fmax(need, 0);
  for (int place = 1; place <= others; place++) {
    int each = need_of(table, rival(table, place));
    wanted += fmax(each, 0);
    most = fmax(most, each);
    content += each == 0;
    lost += each < 0 || each > left;
    wanting += place <= after && each > 0;
    content_after += place <= after && each == 0;
  }
  int winner = table->played ? need_of(table, table->winner) : -1; // what the one needs who is winning this trick
  const float shared[MOST_SHARED] = {
      left / 10.0,
      within((double)need / left, -1.0, 2.0),
      need == 0,
      need < 0,
      need == left,
      !table->played,
      after / others,
      wanting / others,
      content_after / others,
      0 < winner && winner <= left,
      winner == 0,
      within((wanted - left) / left, -2.0, 2.0),
      content / others,
      lost / others,
      within(choice->mean - need, -3.0, 3.0),
      choice->variance,
      (double)count(hand & of_suit(table->trump)) / left,
      count(unseen & of_suit(table->trump)) / 13.0,
      (others - 1) / 5,
      (double)stock(table) / count(unseen),
      need > left,
      table->played ? standing_chance(table, table->best) : 0.0,
      within(most / left, 0.0, 1.0),
      0.0,
      0.0,
      choice->promise[choice->best] / 10, // the last one is for the network that hopes
  };
  memcpy(choice->shared, shared, sizeof shared);
  sure_and_hopeless(hand, choice->later, choice->shared + 23);
}

static void describe_card(const Table *table, Choice *choice, int place) {
  Set hand = table->hands[table->to_act], unseen = unseen_cards(table);
  int card = choice->move[place], suit = suit_of(card), need = need_of(table, table->to_act), voids = 0;
  int over = count(unseen & higher(card)), under = count(unseen & lower(card)), length = count(hand & of_suit(suit));
  bool follows = table->played && suit == table->led, leaves = table->played && !follows, ruffs = suit == table->trump;
  double now = choice->now[place], later = choice->later[card], promise = choice->promise[place], fewer = 0.0;
  for (int tricks = 0; tricks < need - 1; tricks++)
    fewer += at(choice->counts[place], tricks); // the chance that the other cards leave two tricks or more to take
  for (int other = 1; other < table->seats; other++)
    voids += table->voids[rival(table, other)][suit];
  const float own[CARD_OWN] = {
      now,
      later,
      within((promise - choice->promise[choice->best]) / 5, -2.0, 0.0),
      promise / 10,
      ruffs,
      over / 6.0,
      under / 6.0,
      length / 5.0,
      count(hand & higher(card)) / 4.0,
      count(hand & lower(card)) / 4.0,
      card % RANKS / 12.0,
      voids / (table->seats - 1.0),
      follows,
      leaves && ruffs,
      leaves && !ruffs,
      table->played && beats(card, table->best, table->trump),
      now > 0.999,
      count(unseen & of_suit(suit)) / 13.0,
      within(choice->mean - later + now - need, -3.0, 3.0),
      length == 1,
      at(choice->counts[place], need),
      at(choice->counts[place], need - 1),
      fewer,
      !under,
      !over,
  };
  memcpy(choice->own[place], own, sizeof own);
}

static void describe(const Table *table, Choice *choice) {
  (table->bidding ? describe_bidding : describe_position)(table, choice);
  for (int place = 0; place < choice->moves; place++)
    (table->bidding ? describe_bid : describe_card)(table, choice, place);
}

// How good the moves seem, the higher the better: what the rule promises, and what the network adds.
static void score(const Choice *choice, Hidden hidden, float *scores) {
  double best = choice->promise[choice->best], trust = choice->bidding ? TRUST_BID : TRUST_CARD;
  run(choice->bidding ? &BIDS : &CARDS, choice, choice->moves, hidden, scores);
  for (int move = 0; move < choice->moves; move++)
    scores[move] += trust * fmax(choice->promise[move] - best, -6.0);
}

// Playing, learning and testing.

typedef enum { RULE, ERRING, LEARNER, BEST } Player; // learners try moves, by chance

static Choice choices[MOST_SEATS][MOST_CARDS + 1]; // that learners have made in this hand, by seat
static int chosen[MOST_SEATS];                     // how many

// How likely a learner makes each move.
static void to_chances(float *scores, int moves) {
  float most = scores[0], sum = 0.0f;
  for (int move = 1; move < moves; move++)
    most = fmaxf(most, scores[move]);
  for (int move = 0; move < moves; move++)
    sum += scores[move] = expf(scores[move] - most);
  for (int move = 0; move < moves; move++)
    scores[move] /= sum;
}

// The rule's move, or now and then another: one bid more or fewer, or any card.
static int erring_move(const Choice *choice, uint64_t *random) {
  int odd = choice->bidding ? choice->best + 2 * below(2, random) - 1 : below(choice->moves, random);
  bool errs = chance(choice->bidding ? ODD_BIDS : ODD_CARDS, random) && odd >= 0 && odd < choice->moves;
  return choice->move[errs ? odd : choice->best];
}

static int choose(const Table *table, Player player, uint64_t *random) {
  Choice *choice = &choices[table->to_act][chosen[table->to_act]];
  Hidden hidden;
  float scores[MOST_MOVES];
  figure(table, choice);
  if (player == ERRING)
    return erring_move(choice, random);
  if (player == RULE || choice->moves == 1)
    return choice->move[choice->best];
  describe(table, choice);
  score(choice, hidden, scores);
  if (player == LEARNER) {
    chosen[table->to_act]++;
    to_chances(scores, choice->moves);
    double left = uniform(random);
    for (; choice->chosen < choice->moves - 1 && left >= scores[choice->chosen]; choice->chosen++)
      left -= scores[choice->chosen];
    return choice->move[choice->chosen];
  }
  int best = 0;
  for (int move = 1; move < choice->moves; move++)
    best = scores[move] > scores[best] ? move : best;
  return choice->move[best];
}

static void play_hand(Table *table, const Player *players, uint64_t *random) {
  memset(chosen, 0, sizeof chosen);
  while (table->bidding)
    make_bid(table, choose(table, players[table->to_act], random));
  for (int cards = 0; cards < table->seats * table->cards; cards++) {
    Set legal = legal_cards(table);
    play_card(table, count(legal) == 1 ? take(&legal) : choose(table, players[table->to_act], random));
  }
}

// The points of a seat beyond the mean of the others.
static double lead_of(const Table *table, int seat) {
  double lead = points(table, seat);
  for (int other = 0; other < table->seats; other++)
    lead -= other == seat ? 0.0 : points(table, other) / (table->seats - 1.0);
  return lead;
}

// Makes what was chosen likelier if the reward is more than was expected, and less likely if it is less.
static void learn(const Choice *choice, float reward) {
  Hidden hidden;
  float chances[MOST_MOVES], wish[MOST_MOVES], hope, entropy = 0.0f;
  const Network *hopes = choice->bidding ? &BID_HOPES : &CARD_HOPES;
  run(hopes, choice, 1, hidden, &hope);
  float surprise = reward - hope, half = surprise / 2;
  add_slopes(hopes, choice, 1, hidden, &half);
  score(choice, hidden, chances);
  to_chances(chances, choice->moves);
  for (int move = 0; move < choice->moves; move++)
    entropy -= chances[move] * logf(chances[move] + 1e-9f);
  for (int move = 0; move < choice->moves; move++) {
    float doubt = -chances[move] * (logf(chances[move] + 1e-9f) + entropy);
    wish[move] = surprise * ((move == choice->chosen) - chances[move]) + ENTROPY * doubt;
  }
  add_slopes(choice->bidding ? &BIDS : &CARDS, choice, choice->moves, hidden, wish);
}

// Plays one hand and learns from it: half of the time ten cards at four seats. How many learners there were.
static int learn_from_hand(uint64_t *random) {
  int seats = 4, cards = 10, learners = 0;
  if (chance(0.5, random)) {
    seats = LEAST_SEATS + below(MOST_SEATS - LEAST_SEATS + 1, random);
    int one = 1 + below(FULL_HAND[seats], random), two = 1 + below(FULL_HAND[seats], random);
    cards = one > two ? one : two; // there is more to learn from many cards
  }
  Table table = deal(seats, cards, below(seats, random), random);
  Player players[MOST_SEATS];
  double company = uniform(random);
  for (int seat = 0; seat < seats; seat++) {
    players[seat] = company < AMONG_LEARNERS ? LEARNER : RULE;
    if (company >= AMONG_LEARNERS && company < AMONG_LEARNERS + AMONG_ALL)
      players[seat] = (Player[]){ERRING, ERRING, LEARNER, RULE}[below(4, random)];
  }
  players[below(seats, random)] = LEARNER;
  play_hand(&table, players, random);
  for (int seat = 0; seat < seats; seat++) {
    learners += players[seat] == LEARNER;
    for (int place = 0; place < chosen[seat]; place++)
      learn(&choices[seat][place], lead_of(&table, seat) / 10);
  }
  return learners;
}

// Changes the weights by what was learned at all tables: Adam (Kingma and Ba, 2015).
static void change_weights(long step, double rate) {
  double mean_part = 1.0 - pow(0.9, step), square_part = 1.0 - pow(0.99, step);
  for (int place = 0; place < WEIGHTS; place++) {
    float slope = slopes[place] / TABLES;
    mean_slopes[place] += 0.1f * (slope - mean_slopes[place]);
    mean_squares[place] += 0.01f * (slope * slope - mean_squares[place]);
    weights[place] += rate * (mean_slopes[place] / mean_part) / (sqrt(mean_squares[place] / square_part) + 1e-6);
  }
  memset(slopes, 0, sizeof slopes);
}

// Prints the lead over three of the rule, hands of ten cards, each deal played from every seat.
static void test(int deals, uint64_t seed) {
  double sum = 0.0, squares = 0.0;
  for (int number = 0; number < deals; number++) {
    double lead = 0.0;
    for (int seat = 0; seat < 4; seat++) {
      uint64_t random = seed * 1000003 + number * 7919ull;
      next_random(&random);
      Table table = deal(4, 10, 3, &random);
      Player players[MOST_SEATS] = {RULE};
      players[seat] = BEST;
      play_hand(&table, players, &random);
      lead += lead_of(&table, seat) / 4;
    }
    sum += lead;
    squares += lead * lead;
  }
  double mean = sum / deals, error = sqrt((squares / deals - mean * mean) / (deals - 1));
  fprintf(stderr, "%+.3f ± %.3f points a hand over %d deals\n", mean, error, deals);
}

static double minutes_used(void) { return (double)clock() / CLOCKS_PER_SEC / 60; }

static void teach(double minutes, double rate, uint64_t *random) {
  long hands = 0;
  double next_test = 0.0;
  for (long step = 1; minutes_used() < minutes; step++) {
    double part = minutes_used() / minutes, late = fmax(part - FAST_PART, 0.0) / (1.0 - FAST_PART);
    for (int table = 0; table < TABLES; table++)
      hands += learn_from_hand(random);
    change_weights(step, rate * (1.0 - (1.0 - LAST_RATE) * late));
    if (minutes_used() >= next_test) {
      fprintf(stderr, "%.1f minutes, %ld hands: ", minutes_used(), hands);
      test(TEST_DEALS, TEST_SEED);
      next_test = minutes_used() + TEST_SECONDS / 60.0;
    }
  }
  fprintf(stderr, "%.1f minutes, %ld hands: ", minutes_used(), hands);
}

// Files, and what to do.

static void fail(const char *words, const char *path) {
  fprintf(stderr, "%s%s\n", words, path);
  exit(1);
}

// Reads all numbers that follow "bid" in a file of JSON, as many as there should be.
static void read_numbers(const char *path, double *numbers, int wanted) {
  static char text[1 << 20];
  FILE *file = fopen(path, "r");
  if (!file)
    fail("No such file: ", path);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  char *rest = strstr(text, "\"bid\""), *end;
  int found = 0;
  while (rest && *(rest += strcspn(rest, "-0123456789"))) {
    double number = strtod(rest, &end);
    if (found < wanted)
      numbers[found] = number;
    found++;
    rest = end;
  }
  if (found != wanted)
    fail("Other numbers than expected in ", path);
}

static const double *set_rows(const Network *network, int first, int rows, const double *numbers) {
  for (int unit = 0; unit < network->hidden; unit++)
    for (int row = first; row < first + rows; row++)
      weights[network->start + row * network->hidden + unit] = *numbers++;
  return numbers;
}

// Sets the weights of a network to numbers in the order of networks.json, and returns where they end.
static const double *set_network(const Network *network, const double *numbers) {
  numbers = set_rows(network, 0, network->shared + 1, numbers);
  numbers = set_rows(network, network->shared + 1, network->own, numbers);
  return set_rows(network, network->shared + 1 + network->own, 1, numbers);
}

static void read_networks(const char *path) {
  static double numbers[BID_HOPES_START - 2]; // all weights but the constants at the end, which only hopes have
  read_numbers(path, numbers, BID_HOPES_START - 2);
  set_network(&CARDS, set_network(&BIDS, numbers));
}

static void print_rows(const char *name, const Network *network, int first, int rows, const char *end) {
  printf("\"%s\": [", name);
  for (int unit = 0; unit < network->hidden; unit++)
    for (int row = 0; row < rows; row++) {
      float weight = weights[network->start + (first + row) * network->hidden + unit];
      const char *opening = row || rows == 1 ? "" : "[", *closing = row < rows - 1 || rows == 1 ? "" : "]";
      printf("%s%s%.4g%s", unit || row ? ", " : "", opening, weight, closing);
    }
  printf("]%s", end);
}

static void print_network(const Network *network) {
  printf("{");
  print_rows("shared", network, 0, network->shared + 1, ",\n ");
  print_rows("own", network, network->shared + 1, network->own, ",\n ");
  print_rows("out", network, network->shared + 1 + network->own, 1, "}");
}

int main(int words, char **word) {
  double minutes = 15.0, rate = 1e-3;
  uint64_t random = 1;
  int deals = 5000;
  const char *from = NULL;
  for (int place = 1; place < words; place += 2) {
    const char *value = word[place + 1]; // NULL after the last word
    if (value && !strcmp(word[place], "--minutes"))
      minutes = atof(value);
    else if (value && !strcmp(word[place], "--rate"))
      rate = atof(value);
    else if (value && !strcmp(word[place], "--seed"))
      random = strtoull(value, NULL, 10);
    else if (value && !strcmp(word[place], "--deals"))
      deals = atoi(value);
    else if (value && !strcmp(word[place], "--from"))
      from = value;
    else
      fail("--minutes 15 --rate 0.001 --seed 1 --deals 5000 --from games/oh_hell/networks.json, but not ", word[place]);
  }
  read_numbers("games/oh_hell/weights.json", (double *)&rule, sizeof rule / sizeof(double));
  begin_weights(&BIDS, 0.02, &random);
  begin_weights(&CARDS, 0.02, &random);
  begin_weights(&BID_HOPES, 0.1, &random);
  begin_weights(&CARD_HOPES, 0.1, &random);
  if (from)
    read_networks(from);
  teach(minutes, rate, &random);
  test(deals, LAST_TEST_SEED);
  printf("{\"bid\": ");
  print_network(&BIDS);
  printf(",\n \"play\": ");
  print_network(&CARDS);
  printf("}\n");
}
