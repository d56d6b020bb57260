// What the networks are told of a position and of its moves, and what they say: included by teach.c.

#include "hand.h"

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

// The scoring, how late in the match it is, and how far this seat is ahead or behind.
static void describe_match(const Table *table, float *numbers) {
  int seat = table->to_act, best = -1000;
  for (int other = 0; other < table->seats; other++)
    best = other == seat || table->totals[other] < best ? best : table->totals[other];
  double late = 1.0 / (table->hands_left + 1);
  numbers[0] = table->scoring == NEUTRAL;
  numbers[1] = table->scoring == NEGATIVE;
  numbers[2] = late;
  numbers[3] = within((table->totals[seat] - best) / 20.0, -2.0, 2.0) * late;
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
  describe_match(table, choice->shared + 15);
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
      0.0,
      0.0,
      0.0,
      0.0,
      within(choice->promise[choice->best] / 10, -2.0, 2.0), // the last one is for the network that hopes
  };
  memcpy(choice->shared, shared, sizeof shared);
  sure_and_hopeless(hand, choice->later, choice->shared + 23);
  describe_match(table, choice->shared + 25);
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
      within(promise / 10, -2.0, 2.0),
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
