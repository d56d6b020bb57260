"""A position that a seat with this view may be in: the cards it cannot see are dealt anew, at random.

Source: "Sampling" on the rules page. What follows from a view: the voids and other cards that a play rules out, the
second card of an announced belot, and that every declaration is to be found in the hand it was made from.
"""

from games.belot.rules.declarations import SEQUENCES, SQUARES
from games.belot.rules.pack import SEQUENCE_RANKS, duties
from games.belot.rules.state import Contract, Deal, Declaration, Line, Match, before_deal, between_deals, state_of
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
        return [_sampled_between_deals(deal, view)] * count
    trick, tricks = cards_played(view["trick"]), from_dicts(view["tricks"])
    leader, belots = view["trick"]["leader"], _loaded_belots(view["belots"])
    deal_cards = _dealer_of_cards(match, view)
    states = []
    for _ in range(count):
        hands, left_over, declared = deal_cards(rng)
        if left_over:
            rng.shuffle(left_over)
            deal = deal._replace(pack=tuple(left_over) if phase == "bid" else in_order(left_over))
        hands = tuple(map(in_order, hands))
        states.append(state_of((deal, phase, view["to_act"], hands, leader, trick, tricks, declared, belots)))
    return states


def _sampled_between_deals(deal, view):
    last = view["last_hand"]
    phase, to_act = view["phase"], view["to_act"]
    if last is None:
        return before_deal(deal)
    deal = deal._replace(calls=_loaded_calls(last["calls"]))
    if last["outcome"] == "passed":
        return before_deal(deal)
    line = from_dict(Line, last)
    declared = tuple(
        Declaration(each["seat"], each["kind"], each["points"], tuple(each["cards"])) for each in last["declared"]
    )
    deal = deal._replace(lines=(line,))
    tricks, belots = from_dicts(last["played"]), _loaded_belots(last["announced"])
    return between_deals(deal, phase, to_act, (), tricks, declared, belots)


# Cards


def _dealer_of_cards(match, view):
    """A function deal(rng): all hands by seat, the cards left over, and the declarations so far with their cards.

    view: of a deal in progress. All deals that fit it are equally likely, and so are the declarations that fit a deal.
    """
    played, ruled_out = shown_cards(match, view)
    seen = set(view["hand"]).union(*played)
    unseen = [card for card in match.pack if card not in seen]
    certain = [set() for _ in played]  # cards that a seat is known to hold still
    for belot in view["belots"]:
        certain[belot["seat"]].update(rank + belot["suit"] for rank in "KQ" if rank + belot["suit"] not in seen)
    promised = set().union(*certain)
    others = [seat for seat in range(match.seats) if seat != view["seat"]]
    shown = {seat: [each for each in view["declared"] if each["seat"] == seat] for seat in others}
    sizes, barred = [view["hand_counts"][seat] for seat in others], [ruled_out[seat] for seat in others]

    def held(seat, declarations):
        return frozenset(certain[seat].union(*(each.cards for each in declarations)).difference(seen))

    def deal_undeclared(rng):
        dealt = deal_rest(rng)
        return [[*known, *hand] for known, hand in zip(known_cards, dealt, strict=True)], {}

    def deal_declared(rng):
        while True:
            dealt, chosen = deal_holding(unseen, sizes, barred, holdings, rng)
            explained = {}
            for seat, hand, holding in zip(others, dealt, chosen, strict=True):
                whole = played[seat].union(hand)
                explanations = list(_explanations(match, shown[seat], whole, whole))
                # A hand that other holdings could explain too is dealt with those as well: only one is taken.
                if not explanations or held(seat, explanations[0]) != holding:
                    break
                explained[seat] = iter(rng.choice(explanations))
            if len(explained) == len(others):
                return dealt, explained

    if any(shown.values()):
        deal_others, holdings = deal_declared, []
        for seat in others:
            possible = played[seat].union(certain[seat], set(unseen) - ruled_out[seat] - promised)
            explanations = _explanations(match, shown[seat], possible, played[seat] | certain[seat])
            holdings.append(list(dict.fromkeys(held(seat, declarations) for declarations in explanations)))
    else:
        deal_others, known_cards = deal_undeclared, [held(seat, ()) for seat in others]
        rest = [size - len(known) for size, known in zip(sizes, known_cards, strict=True)]
        deal_rest = dealer([card for card in unseen if card not in promised], rest, barred)

    def deal_cards(rng):
        dealt, explained = deal_others(rng)
        hands = dict(zip(others, dealt, strict=True)) | {view["seat"]: view["hand"]}
        in_hands = set().union(*dealt)
        declared = [
            next(explained[each["seat"]])
            if each["seat"] in explained
            else Declaration(**each | {"cards": tuple(each["cards"])})
            for each in view["declared"]
        ]
        left_over = [card for card in unseen if card not in in_hands]
        return [hands[seat] for seat in range(match.seats)], left_over, tuple(declared)

    return deal_cards


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
