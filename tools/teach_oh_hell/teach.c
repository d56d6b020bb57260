// Teaches the two networks of Oh Hell's taught player (games/oh_hell/taught.py), and prints them as JSON.
//
//     gcc -O3 -march=native -o /tmp/teach tools/teach_oh_hell/teach.c -lm
//     /tmp/teach --minutes 15 --seed 77 > /tmp/networks.json && mv /tmp/networks.json games/oh_hell/networks.json
//
// Run it from the root of the repository: it reads the weights of the rule of thumb, games/oh_hell/weights.json. With
// `--from games/oh_hell/networks.json` it goes on from networks that have learned before, with `--minutes 0` it only
// measures them: matches won over the fair part among the rule, of `--deals 5000` decks, each played from every seat. Minutes are of the
// processor, on one core. Progress goes to the standard error. What came of it is told in docs/research/bots.md.
//
// They learn by policy gradient: they play hands, move by what they score, and what was done in hands that went better
// than expected becomes likelier. The reward is how much nearer a hand brings them to winning the match, from any
// standing, and with three tenths of the weight the lead: the points beyond the mean of the others. Two more networks
// learn what to expect; nobody needs them afterwards, so that they begin anew each time. The figures of the rule of
// thumb are those of games/oh_hell/bot.py, and the numbers that describe a position and its moves are those of
// games/oh_hell/taught.py, in the same order: what changes there must change here.

#include "networks.h"

enum { TABLES = 512 };                          // hands dealt before the weights change
enum { TEST_DEALS = 200, TEST_SECONDS = 100 }; // of the tests while they learn, and the time between two
enum { TEST_SEED = 777, LAST_TEST_SEED = 4242 };
static const double ENTROPY = 0.004;                   // what doubt is worth, so that they go on trying other moves
static const double AMONG_LEARNERS = 0.15;              // how often the others at a table are all copies of the learner,
static const double AMONG_ALL = 0.15;                   // or each an erring rule, the rule or a copy; otherwise the rule
static const double ODD_BIDS = 0.3, ODD_CARDS = 0.1;   // how often an erring rule errs
static const double FAST_PART = 0.5, LAST_RATE = 0.05; // the rate falls after that part of the time, to so much of it

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

// The chance to win the match with this total if each total still changes by chance, with this deviation.
static double chance_to_win(const Table *table, const double *totals, int seat, double deviation) {
  double won = 0.0, all = 0.0;
  for (double x = -3.0; x < 3.1; x += 0.75) {
    double part = exp(-x * x / 2), beaten = part;
    for (int other = 0; other < table->seats; other++)
      if (other != seat)
        beaten *= 0.5 * erfc(-(x + (totals[seat] - totals[other]) / deviation) / M_SQRT2);
    won += beaten;
    all += part;
  }
  return won / all;
}

static const double SWING[] = {7.0, 6.5, 12.0}; // by scoring: how much the points of a hand vary

// How much nearer to winning the match the hand brought a seat, in points of a hand at an even score.
static double reward_of(const Table *table, int seat) {
  double after[MOST_SEATS], before[MOST_SEATS], even[MOST_SEATS] = {0}, swing = SWING[table->scoring];
  for (int other = 0; other < table->seats; other++) {
    before[other] = table->totals[other];
    after[other] = before[other] + points(table, other);
  }
  double left = swing * sqrt(table->hands_left + 0.15), all = swing * sqrt(table->hands_left + 1.15);
  double gain = chance_to_win(table, after, seat, left) - chance_to_win(table, before, seat, all);
  even[seat] = 2.0;
  double point = (chance_to_win(table, even, seat, all) - 1.0 / table->seats) / 2;
  return within(0.7 * gain / point + 0.3 * lead_of(table, seat), -40.0, 40.0);
}

// Plays one hand of a match in any standing and learns from it. How many learners there were.
static int learn_from_hand(uint64_t *random) {
  int seats = (int[]){3, 4, 4, 5, 5, 6, 6, 7, 7, 7}[below(10, random)], full = FULL_HAND[seats], learners = 0;
  int one = below(2 * full - 1, random), two = below(2 * full - 1, random);
  int number = abs(one - full + 1) > abs(two - full + 1) ? one : two, cards = abs(number - full + 1) + 1;
  Table table = deal(seats, cards, below(seats, random), random);
  table.scoring = (int[]){0, 0, 0, 1, 2}[below(5, random)];
  table.hands_left = chance(0.2, random) ? below(4, random) : 2 * full - 2 - number;
  double spread = SWING[table.scoring] * sqrt(2 * full - 2 - table.hands_left);
  for (int seat = 0; seat < seats; seat++)
    table.totals[seat] = lround(spread * normal(random));
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
      learn(&choices[seat][place], reward_of(&table, seat) / 10);
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

// Prints what part of whole matches a seat wins among the rule, each deck played from every seat, times the seats.
static void test_matches(int seats, int scoring, int decks, uint64_t seed, Player who) {
  int full = FULL_HAND[seats];
  double sum = 0.0, squares = 0.0;
  for (int deck = 0; deck < decks; deck++) {
    double won = 0.0;
    for (int seat = 0; seat < seats; seat++) {
      int totals[MOST_SEATS] = {0};
      for (int number = 0; number < 2 * full - 1; number++) {
        uint64_t random = seed * 1000003ull + deck * 7919ull + number * 102333433ull;
        next_random(&random);
        Table table = deal(seats, abs(number - full + 1) + 1, (seats - 1 + number) % seats, &random);
        table.scoring = scoring;
        table.hands_left = 2 * full - 2 - number;
        memcpy(table.totals, totals, sizeof totals);
        Player players[MOST_SEATS] = {RULE};
        players[seat] = who;
        play_hand(&table, players, &random);
        for (int other = 0; other < seats; other++)
          totals[other] += points(&table, other);
      }
      int best = 0;
      for (int other = 0; other < seats; other++)
        best = other == 0 || totals[other] > best ? totals[other] : best;
      int first = 0;
      for (int other = 0; other < seats; other++)
        first += totals[other] == best;
      won += totals[seat] == best ? 1.0 / first : 0.0;
    }
    sum += won;
    squares += won * won;
  }
  double mean = sum / decks, error = sqrt((squares / decks - mean * mean) / (decks - 1));
  fprintf(stderr, "  %d seats%s %.3f ± %.3f", seats, (const char *[]){"", " neutral", " negative"}[scoring], mean, error);
}

static void test(int deals, uint64_t seed) {
  for (int seats = 3; seats <= 7; seats++)
    test_matches(seats, 0, deals, seed, BEST);
  test_matches(4, 1, deals, seed, BEST);
  test_matches(4, 2, deals, seed, BEST);
  fprintf(stderr, "\n");
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
