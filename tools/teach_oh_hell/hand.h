// Hands of Oh Hell as they are played, and what the rule of thumb figures: included by networks.h.

#define _DEFAULT_SOURCE // for M_PI
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SUITS = 4, RANKS = 13, PACK = 52, LEAST_SEATS = 3, MOST_SEATS = 7, MOST_CARDS = 10, MOST_MOVES = 11 };
enum { BID_SHARED = 19, BID_OWN = 9, CARD_SHARED = 29, CARD_OWN = 25, MOST_SHARED = 30, MOST_OWN = 25 };
enum { BID_HIDDEN = 24, CARD_HIDDEN = 48, HOPE_HIDDEN = 24, MOST_HIDDEN = 48 };
enum { LOWER_BIDS = 2, HIGHER_BIDS = 3 };       // how far a bid may lie from the rule's
static const int FULL_HAND[MOST_SEATS + 1] = {[3] = 10, [4] = 10, [5] = 10, [6] = 8, [7] = 7};
static const double TRUST_BID = 1.0, TRUST_CARD = 2.0; // in what the rule promises, for each point less than its best

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
  int scoring, hands_left, totals[MOST_SEATS]; // of the match; totals are those before this hand
} Table;

enum { POSITIVE, NEUTRAL, NEGATIVE };

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
static double points_of(int scoring, int bid, int took) {
  if (scoring == NEGATIVE)
    return took == bid ? 10.0 : -10.0 * abs(took - bid);
  return took == bid ? 10.0 + took : scoring == POSITIVE ? took : 0.0;
}
static double points(const Table *table, int seat) {
  return points_of(table->scoring, table->bids[seat], table->taken[seat]);
}
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
    share = need_of(table, seat) < 0 ? table->scoring == POSITIVE : fmin((double)need_of(table, seat) / left, 1.0);
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
    int wants = need_of(table, seat);
    const double *often = wants > 0 || (wants < 0 && table->scoring == POSITIVE) ? rule.hungry : rule.sated;
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
    promise[bid] = 0.0;
    for (int took = 0; took <= table->cards; took++)
      promise[bid] += likely[took] * points_of(table->scoring, bid, took);
    usual = bid != forbidden && promise[bid] > promise[usual] ? bid : usual;
  }
  for (int bid = usual - LOWER_BIDS; bid <= usual + HIGHER_BIDS; bid++)
    if (bid >= 0 && bid <= table->cards && bid != forbidden) {
      choice->best = bid == usual ? choice->moves : choice->best;
      choice->promise[choice->moves] = promise[bid];
      choice->move[choice->moves++] = bid;
    }
}

// What 0, 1, 2, ... tricks more are worth to the seat to act.
static void worths(const Table *table, int left, double *worth) {
  int seat = table->to_act, need = need_of(table, seat), wanted = 0;
  for (int place = 1; place < table->seats; place++)
    wanted += fmax(need_of(table, rival(table, place)), 0);
  for (int tricks = 0; tricks <= left; tricks++) {
    if (table->scoring == NEUTRAL && (need < 0 || need > left))
      worth[tricks] = wanted >= left ? tricks : -tricks;
    else
      worth[tricks] = points_of(table->scoring, table->bids[seat], table->taken[seat] + tricks);
  }
}

static void figure_cards(const Table *table, Choice *choice) {
  int seat = table->to_act, left = count(table->hands[seat]);
  double worth[MOST_CARDS + 2]; // of so many tricks more
  worths(table, left, worth);
  for (Set rest = legal_cards(table); rest; choice->moves++) {
    int card = take(&rest), place = choice->moves;
    double *counts = choice->counts[place], now = 0.0;
    chances_of_counts(table->hands[seat] & ~only(card), choice->later, counts);
    if (!table->played || beats(card, table->best, table->trump))
      now = standing_chance(table, card);
    choice->move[place] = card;
    choice->now[place] = now;
    choice->promise[place] = 0.0;
    for (int tricks = 0; tricks < left; tricks++)
      choice->promise[place] += counts[tricks] * ((1.0 - now) * worth[tricks] + now * worth[tricks + 1]);
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
