"""A position that a seat with this view may be in: the cards it cannot see are dealt anew, at random.

Source: "Sampling" on the rules page. What follows from a view: the voids and other cards that a play rules out, the
second card of an announced belot, and that every declaration is to be found in the hand it was made from.
"""

from games.belot.rules.declarations import SEQUENCES, SQUARES
from games.belot.rules.pack import SEQUENCE_RANKS, duties
from games.belot.rules.state import Contract, Deal, Declaration, Line, Match, between_deals, state_of
from games.kit.cards import SUITS, in_order
from games.kit.positions import from_dict
from games.kit.sampling import deal_holding, dealer
from games.kit.tricks import cards_played, from_dicts


def sample(view, rng):
    return sample_many(view, rng, 1)[0]


def sample_many(view, rng, count):
    match, phase = Match(view["seats"], **view["options"]), view["phase"]
    deal = Deal(
        match=match,
        lines=(),
        totals=tuple(view["totals"]),
        hanging=view["hanging"],
        number=view["deal_number"],
        dealer=view["dealer"],
        pack=(),
        calls=_loaded_calls(view["calls"]),
        contract=view["contract"] and Contract(**view["contract"]),
    )
    if phase in ("deal", "over"):
        return [_between_deals(deal, view)] * count
    trick, tricks = cards_played(view["trick"]), from_dicts(view["tricks"])
    leader, belots = view["trick"]["leader"], _loaded_belots(view["belots"])
    deal_cards = _Unseen(match, view).deal
    states = []
    for _ in range(count):
        hands, left_over, declared = deal_cards(rng)
        if left_over:
            rng.shuffle(left_over)
            deal = deal._replace(pack=tuple(left_over) if phase == "bid" else in_order(left_over))
        hands = tuple(map(in_order, hands))
        states.append(state_of((deal, phase, view["to_act"], hands, leader, trick, tricks, declared, belots)))
    return states


def _between_deals(deal, view):
    last = view["last_hand"]
    if last is None:
        return between_deals(deal)
    deal = deal._replace(calls=_loaded_calls(last["calls"]))
    if last["outcome"] == "passed":
        return between_deals(deal)
    deal = deal._replace(lines=(from_dict(Line, last),))
    declared = tuple(from_dict(Declaration, each) for each in last["declared"])
    return between_deals(
        deal, view["phase"], played=(from_dicts(last["played"]), declared, _loaded_belots(last["announced"]))
    )


# Cards


class _Unseen:
    """The cards that the seat of a view of a deal in progress does not see.

    All deals that fit the view are equally likely, and so are the declarations that fit a deal.
    """

    def __init__(self, match, view):
        self.match, self.view = match, view
        self.played, ruled_out = shown_cards(match, view)
        self.seen = set(view["hand"]).union(*self.played)
        self.unseen = [card for card in match.pack if card not in self.seen]
        self.certain = [set() for _ in self.played]  # cards that a seat is known to hold still
        for belot in view["belots"]:
            royals = {rank + belot["suit"] for rank in "KQ"}
            self.certain[belot["seat"]] |= royals - self.seen
        self.others = [seat for seat in range(match.seats) if seat != view["seat"]]
        self.shown = {seat: [each for each in view["declared"] if each["seat"] == seat] for seat in self.others}
        self.sizes = [view["hand_counts"][seat] for seat in self.others]
        self.barred = [ruled_out[seat] for seat in self.others]
        self.own = [from_dict(Declaration, each) for each in view["declared"] if each["seat"] == view["seat"]]
        promised = set().union(*self.certain)
        if any(self.shown.values()):
            self.holdings = [self._holdings(seat, ruled_out[seat] | promised) for seat in self.others]
            self.deal_others = self._deal_declared
        else:
            rest = [size - len(self.certain[seat]) for seat, size in zip(self.others, self.sizes, strict=True)]
            self.deal_rest = dealer([card for card in self.unseen if card not in promised], rest, self.barred)
            self.deal_others = self._deal_undeclared

    def deal(self, rng):
        """All hands by seat, the cards left over, and the declarations so far with their cards."""
        dealt, explained = self.deal_others(rng)
        hands = dict(zip(self.others, dealt, strict=True)) | {self.view["seat"]: self.view["hand"]}
        in_hands = set().union(*dealt)
        explained[self.view["seat"]] = iter(self.own)
        declared = [next(explained[each["seat"]]) for each in self.view["declared"]]
        left_over = [card for card in self.unseen if card not in in_hands]
        return [hands[seat] for seat in range(self.match.seats)], left_over, tuple(declared)

    def _deal_undeclared(self, rng):
        dealt = self.deal_rest(rng)
        return [[*self.certain[seat], *hand] for seat, hand in zip(self.others, dealt, strict=True)], {}

    def _deal_declared(self, rng):
        while True:
            dealt, chosen = deal_holding(self.unseen, self.sizes, self.barred, self.holdings, rng)
            explained = {}
            for seat, hand, holding in zip(self.others, dealt, chosen, strict=True):
                whole = self.played[seat].union(hand)
                explanations = list(_explanations(self.match, self.shown[seat], whole, whole))
                # A hand that other holdings could explain too is dealt with those as well: only one is taken.
                if not explanations or self._held(seat, explanations[0]) != holding:
                    break
                explained[seat] = iter(rng.choice(explanations))
            if len(explained) == len(self.others):
                return dealt, explained

    def _holdings(self, seat, barred):
        """What a seat may still hold of what it has declared: frozensets, each once."""
        known = self.played[seat] | self.certain[seat]
        explanations = _explanations(self.match, self.shown[seat], known.union(set(self.unseen) - barred), known)
        return list(dict.fromkeys(self._held(seat, declarations) for declarations in explanations))

    def _held(self, seat, declarations):
        cards = self.certain[seat].union(*(each.cards for each in declarations))
        return frozenset(cards - self.seen)


def shown_cards(match, view):
    """By seat the set of cards it has played, and the set of those that it cannot hold as it played others."""
    played, ruled_out = [set() for _ in range(match.seats)], [set() for _ in range(match.seats)]
    contract = view["contract"] and view["contract"]["contract"]
    for trick in [*view["tricks"], view["trick"]]:
        cards = []
        for play in trick["plays"]:
            seat, card = play["seat"], play["card"]
            for wanted in duties(match, contract, cards):
                if card in wanted:
                    break
                ruled_out[seat] |= wanted
            cards.append(card)
            played[seat].add(card)
    return played, ruled_out


def _explanations(match, shown, possible, certain, made=()):
    """All lists of declarations that a seat may have made, from a hand of some cards, to be seen in a view like this.

    shown: its declarations as in a view. possible: the cards that may be in its first hand. certain: those that are.
    """
    if len(made) == len(shown):
        yield made
        return
    seat, kind, points, _ = shown[len(made)].values()
    square = kind == "square"
    used = {card for each in made if not match.shared_cards or (each.kind == "square") == square for card in each.cards}
    free, beside = possible - used, certain - used
    for cards, neighbours in _DECLARATIONS[kind, points]:
        if free.issuperset(cards) and neighbours.isdisjoint(beside):
            yield from _explanations(match, shown, possible, certain, (*made, Declaration(seat, kind, points, cards)))


def _all_declarations():
    """All that can be declared, by kind and points: pairs of its cards and of those that would have made it another."""
    found = {}
    for length, (kind, points) in SEQUENCES.items():
        for suit in SUITS:
            ladder = [rank + suit for rank in SEQUENCE_RANKS]
            for start in range(len(ladder) - length + 1):
                end = start + length
                below = ladder[start - 1 : start] if start and length < 5 else []  # a quint is the top of its run
                pair = tuple(ladder[start:end]), frozenset(below + ladder[end : end + 1])
                found.setdefault((kind, points), []).append(pair)
    for rank, points in SQUARES.items():
        found.setdefault(("square", points), []).append((tuple(rank + suit for suit in SUITS), frozenset()))
    return found


_DECLARATIONS = _all_declarations()


# From JSON


def _loaded_calls(calls):
    return tuple((call["seat"], call.get("contract", call["call"])) for call in calls)


def _loaded_belots(belots):
    return tuple((belot["seat"], belot["suit"]) for belot in belots)
