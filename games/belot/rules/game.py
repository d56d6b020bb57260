"""Belot's rules: the moves, what they lead to and what is seen of it."""

from functools import partial

from games.belot.rules.declarations import counting_side, open_declarations
from games.belot.rules.options import PRESETS, option_fields
from games.belot.rules.pack import CONTRACTS, points_of_cards, trump_suits
from games.belot.rules.sampling import draw_unseen
from games.belot.rules.scoring import is_last, score
from games.belot.rules.state import Contract, Deal, Declaration, Line, Match, State
from games.belot.rules.tricks import OTHER_OF_BELOT, duties, legal_cards, may_announce, winner_of
from games.kit.cards import SUIT_NAMES, in_order, is_permutation
from games.kit.contract import CHANCE, IllegalMove, Meaning, Rules, as_lists, as_tuples, placed
from games.kit.tricks import Trick, as_dicts, as_plays

PHASES = {  # of each type of move the phase it fits
    "deal": "deal",
    "pass": "bid",
    "bid": "bid",
    "double": "bid",
    "redouble": "bid",
    "surcontre": "bid",
    "declare": "play",
    "play": "play",
}
KEYS = {"deal": ["deck"], "bid": ["contract"], "declare": ["kind", "cards"], "play": ["card"]}  # besides the type
DOUBLES = {"double": 2, "redouble": 4, "surcontre": 8}  # the level that each leads to

_state_of = partial(tuple.__new__, State)  # from a tuple; takes half the time of State(...)


class Belot(Rules):
    """Source: the rules page of Belot, whose headings are those below."""

    slug = "belot"
    name = "Belot"
    summary = "Bid what shall be trumps, then take more points than the others: with a partner, to 151."
    version = 1
    seat_counts = (2, 3, 4)
    partners_at = (4,)
    presets = PRESETS
    meanings = {
        "card_played": Meaning.CARD_PLAYED,
        "trick_won": Meaning.TRICK_FINISHED,
        "hand_scored": Meaning.DEAL_SCORED,
        "passed_out": Meaning.DEAL_DROPPED,
    }

    # Options

    def option_fields(self, seats=None):
        return option_fields(seats)

    def new_match(self, seats, options):
        match = Match(seats, **self.clean_options(seats, options))
        return _before_deal(Deal(match, (), (0,) * match.sides, 0, 1, seats - 1, (), (), None))

    # Deal

    def to_act(self, state):
        return state.to_act

    def deck(self, state):
        return list(state.deal.match.pack) if state.phase == "deal" else []

    def _deal(self, state, deck):
        deal, match = state.deal, state.deal.match
        if not is_permutation(deck, match.pack):
            raise IllegalMove(f"A deal takes the {len(match.pack)} cards of the pack, each of them once.")
        first_packet, second_packet, _ = match.packets
        hands, deck = _packets(match.seats, deal.dealer, first_packet, [()] * match.seats, deck)
        hands, deck = _packets(match.seats, deal.dealer, second_packet, hands, deck)
        deal = deal._replace(pack=tuple(deck), calls=())
        return State(deal, "bid", _first_seat(deal), hands, None, (), (), (), ())

    # Bidding

    def _call(self, state, call):
        deal, seats = state.deal, state.deal.match.seats
        if call not in _open_calls(state):
            raise IllegalMove(_why_no_call(state, call))
        seat, contract = state.to_act, deal.contract
        if call in DOUBLES:
            contract = contract._replace(level=DOUBLES[call])
        elif call != "pass":
            contract = Contract(call, seat, 1)
        deal = deal._replace(calls=(*deal.calls, (seat, call)), contract=contract)
        passes = _passes_in_a_row(deal.calls)
        if passes == seats:
            return _before_deal(_next_deal(deal), hands=state.hands)
        highest = 8 if deal.match.third_double else 4
        if contract and (passes == seats - 1 or (contract.contract, contract.level) == ("AT", highest)):
            *_, last_packet = deal.match.packets
            hands, pack = _packets(seats, deal.dealer, last_packet, state.hands, deal.pack)
            first = _first_seat(deal)
            return State(deal._replace(pack=in_order(pack)), "play", first, hands, first, (), (), (), ())
        return state._replace(deal=deal, to_act=(seat + 1) % seats)

    # Declarations

    def _declare(self, state, kind, cards):
        if type(kind) is not str or not _are_cards(cards):
            raise IllegalMove("A declaration names its kind and a list of its cards.")
        for declaration in _open_declarations(state):
            if (declaration.kind, declaration.cards) == (kind, tuple(cards)):
                return state._replace(declared=(*state.declared, declaration))
        raise IllegalMove(_why_no_declaration(state, cards))

    # Play

    def _play(self, state, card, announces):
        deal, phase, seat, hands, leader, trick, tricks, declared, belots = state
        match, contract = deal.match, deal.contract.contract
        hand = hands[seat]
        if type(card) is not str or card not in hand:
            raise IllegalMove("You do not hold that card. Play one from your hand.")
        if card not in legal_cards(hand, duties(match, contract, trick)):
            raise IllegalMove(_why_no_play(state, card))
        if announces:
            if not may_announce(match, contract, leader, trick, seat, hand, card):
                raise IllegalMove(_why_no_belot(state, card))
            belots += ((seat, card[1]),)

        hands = list(hands)
        hands[seat] = tuple([held for held in hand if held != card])
        hands = tuple(hands)
        trick += (card,)
        seats = match.seats
        if len(trick) < seats:
            return _state_of((deal, phase, (seat + 1) % seats, hands, leader, trick, tricks, declared, belots))
        winner = (leader + winner_of(contract, trick)) % seats
        tricks += (Trick(leader, trick, winner),)
        if hands[winner]:
            return _state_of((deal, phase, winner, hands, winner, (), tricks, declared, belots))
        line = score(deal, tricks, declared, belots)
        deal = deal._replace(lines=(*deal.lines, line), totals=line.totals, hanging=line.hanging)
        if is_last(line, match.target):
            return _between_deals(deal, "over", None, (), tricks, declared, belots)
        return _before_deal(_next_deal(deal), (), tricks, declared, belots)

    # End of the match

    def standings(self, state):
        if state.phase != "over":
            return []
        seats = state.deal.match.seats
        places = placed(state.deal.totals)
        return [
            {"seat": seat, "team": side if seats == 4 else None, "score": total, "place": place}
            for side, total, place in places
            for seat in range(side, seats, len(places))
        ]

    # Score sheet

    def score_sheet(self, state):
        deal = state.deal
        return {
            "game": self.slug,
            "seats": deal.match.seats,
            "sides": _sides(deal.match),
            "target": deal.match.target,
            "rows": [_row(line) for line in deal.lines],
            "hanging": deal.hanging,
            "totals": list(deal.totals),
        }

    # Moves

    def legal_moves(self, state):
        phase = state.phase
        if phase == "play":
            deal, _, seat, hands, leader, trick, *_ = state
            match, contract, hand = deal.match, deal.contract.contract, hands[seat]
            moves = [
                {"type": "declare", "kind": declaration.kind, "cards": list(declaration.cards)}
                for declaration in _open_declarations(state)
            ]
            for card in legal_cards(hand, duties(match, contract, trick)):
                moves.append({"type": "play", "card": card})
                if may_announce(match, contract, leader, trick, seat, hand, card):
                    moves.append({"type": "play", "card": card, "belot": True})
            return moves
        if phase == "bid":
            return [_as_move(call) for call in _open_calls(state)]
        if phase == "deal":
            return [{"type": "deal", "deck": self.deck(state)}]
        return []

    def apply(self, state, move):
        kind = move.get("type") if type(move) is dict else None
        if type(kind) is not str or PHASES.get(kind) != state.phase:
            raise IllegalMove(_misfit(state.phase, kind))
        announces = kind == "play" and "belot" in move
        if announces and move["belot"] is not True:
            raise IllegalMove("A play announces belot by true, or leaves belot out.")
        keys = KEYS.get(kind, [])
        if len(move) != 1 + len(keys) + announces or not all(key in move for key in keys):
            raise IllegalMove(f"A move of the type {kind} names {' and '.join(keys) or 'its type'} and nothing else.")
        if kind == "play":
            return self._play(state, move["card"], announces)
        if kind == "declare":
            return self._declare(state, move["kind"], move["cards"])
        if kind == "deal":
            return self._deal(state, move["deck"])
        if kind != "bid":
            return self._call(state, kind)
        if type(move["contract"]) is not str or move["contract"] not in CONTRACTS:
            raise IllegalMove("Bid clubs, diamonds, hearts, spades, no trumps or all trumps.")
        return self._call(state, move["contract"])

    # View

    def view(self, state, seat):
        deal, phase, to_act, hands, leader, trick, tricks, declared, belots = state
        match = deal.match
        assert seat is None or 0 <= seat < match.seats
        between = phase in ("deal", "over")
        if between:
            hands, tricks, declared, belots = ((),) * match.seats, (), (), ()
        return {
            "game": self.slug,
            "seat": seat,
            "seats": match.seats,
            "sides": _sides(match),
            "options": dict(zip(Match._fields[1:], match[1:], strict=True)),
            "phase": phase,
            "to_act": to_act,
            "deal_number": deal.number,
            "dealer": deal.dealer,
            "pack": len(deal.pack),
            "hand": [] if seat is None else list(hands[seat]),
            "hand_counts": [len(hand) for hand in hands],
            "calls": [] if between else _calls(deal),
            "contract": deal.contract and deal.contract._asdict(),
            "trick": {"leader": leader, "plays": as_plays(match.seats, leader, trick)},
            "tricks": as_dicts(match.seats, tricks),
            "tricks_won": _tricks_won(match, tricks),
            "declared": [_told(each, shown=each.seat == seat) for each in declared],
            "belots": _announced(belots),
            "hanging": deal.hanging,
            "totals": list(deal.totals),
            "last_hand": _last_hand(state) if between and deal.calls else None,
        }

    def hidden_from(self, state, seat):
        if not state.deal.calls and state.phase == "deal":
            return set()  # nothing has been dealt yet
        known = set(state.trick).union(*(trick.cards for trick in state.tricks))
        if seat is not None:
            known.update(state.hands[seat])
        for _, suit in state.belots:
            known.update(("K" + suit, "Q" + suit))
        for declaration in state.declared:
            if declaration.points >= 150:  # there is but one such square
                known.update(declaration.cards)
        return set(state.deal.match.pack) - known

    def sample(self, view, rng):
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
            return _sampled_between_deals(deal, view)
        hands, left_over, declared = draw_unseen(match, view, rng)
        rng.shuffle(left_over)
        return State(
            deal=deal._replace(pack=tuple(left_over) if phase == "bid" else in_order(left_over)),
            phase=phase,
            to_act=view["to_act"],
            hands=tuple(in_order(hand) for hand in hands),
            leader=view["trick"]["leader"],
            trick=tuple(play["card"] for play in view["trick"]["plays"]),
            tricks=_loaded_tricks(view["tricks"]),
            declared=declared,
            belots=_loaded_belots(view["belots"]),
        )

    # Events

    def events(self, before, move, after):
        deal = before.deal
        if before.phase == "deal":
            return [{"type": "hand_dealt", "deal": deal.number, "dealer": deal.dealer}]
        seat = before.to_act
        if before.phase == "bid":
            happened = [{"type": "called", **_as_call(seat, move.get("contract", move["type"]))}]
            if after.phase == "play":
                happened.append({"type": "bidding_closed", **after.deal.contract._asdict()})
            if after.phase == "deal":
                happened.append({"type": "passed_out", "deal": deal.number, "dealer": deal.dealer})
            return happened
        if move["type"] == "declare":
            *_, declaration = after.declared
            return [{"type": "declared", "seat": seat, "kind": declaration.kind, "points": declaration.points}]

        card, happened = move["card"], []
        if "belot" in move:
            happened.append({"type": "belot", "seat": seat, "suit": card[1]})
        elif card in OTHER_OF_BELOT and (seat, card[1]) in before.belots:
            happened.append({"type": "rebelot", "seat": seat, "suit": card[1]})
        happened.append({"type": "card_played", "seat": seat, "card": card})
        if len(after.tricks) > len(before.tricks):
            trick = after.tricks[-1]
            plays = as_plays(deal.match.seats, trick.leader, trick.cards)
            happened.append({"type": "trick_won", "seat": trick.winner, "trick": len(after.tricks), "plays": plays})
        if after.phase != "play":
            happened.append(
                {"type": "hand_scored", **_row(after.deal.lines[-1]), "declared": _declared_and_shown(after)}
            )
        if after.phase == "over":
            happened.append({"type": "match_over", "standings": self.standings(after)})
        return happened

    # Positions as stored

    def dump(self, state):
        deal, *rest = state
        stored = dict(zip(Deal._fields + State._fields[1:], (*deal, *rest), strict=True))
        return {name: as_lists(value) for name, value in stored.items()}

    def load(self, data):
        stored = {name: as_tuples(value) for name, value in data.items()}
        stored["match"] = Match(*stored["match"])
        stored["lines"] = tuple(Line(*line) for line in stored["lines"])
        stored["contract"] = stored["contract"] and Contract(*stored["contract"])
        stored["tricks"] = tuple(Trick(*trick) for trick in stored["tricks"])
        stored["declared"] = tuple(Declaration(*declaration) for declaration in stored["declared"])
        deal = Deal(*(stored.pop(name) for name in Deal._fields))
        return State(deal, **stored)


# Deal


def _first_seat(deal):
    return (deal.dealer + 1) % deal.match.seats


def _packets(seats, dealer, size, hands, deck):
    """The hands after every seat in turn has got a packet of this size more, and the rest of the deck."""
    packets = [deck[start : start + size] for start in range(0, seats * size, size)]
    hands = tuple(in_order([*hands[seat], *packets[(seat - dealer - 1) % seats]]) for seat in range(seats))
    return hands, deck[seats * size :]


def _next_deal(deal):
    return deal._replace(number=deal.number + 1, dealer=_first_seat(deal))


def _before_deal(deal, hands=(), tricks=(), declared=(), belots=()):
    """The state before this deal. The other arguments are those of the deal just ended."""
    return _between_deals(deal, "deal", CHANCE, hands, tricks, declared, belots)


def _between_deals(deal, phase, to_act, hands, tricks, declared, belots):
    deal = deal._replace(pack=(), contract=None)
    return State(deal, phase, to_act, hands or ((),) * deal.match.seats, None, (), tricks, declared, belots)


# Bidding


def _open_calls(state):
    """What the seat to act may call: a contract, or the type of another call."""
    deal, seat = state.deal, state.to_act
    calls = ["pass"] if _may_pass(state) else []
    if not deal.contract:
        return [*calls, *CONTRACTS]
    contract, bidder, level = deal.contract
    calls += CONTRACTS[CONTRACTS.index(contract) + 1 :]
    sides = deal.match.sides
    if level == 2 and seat % sides == bidder % sides:
        calls.append("redouble")
    if level == 1 and seat % sides != bidder % sides:
        calls.append("double")
    if level == 4 and seat % sides != bidder % sides and deal.match.third_double:
        calls.append("surcontre")
    return calls


def _may_pass(state):
    deal = state.deal
    if deal.contract or state.to_act != deal.dealer or deal.match.dealer_pass == "free":
        return True
    return deal.match.dealer_pass == "seven" and _plain_points(state.hands[deal.dealer]) <= 7


def _plain_points(hand):
    worth = points_of_cards(None)
    return sum(worth[card] for card in hand)


def _passes_in_a_row(calls):
    passes = 0
    for _, call in reversed(calls):
        if call != "pass":
            break
        passes += 1
    return passes


def _why_no_call(state, call):
    deal = state.deal
    if call == "pass":
        if deal.match.dealer_pass == "never":
            return "All others have passed, so the dealer must bid. Choose a contract."
        return "All others have passed and you hold more than 7 points, so you must bid. Choose a contract."
    if call in CONTRACTS:
        return "That is not higher than the last bid. Bid higher, or pass."
    if not deal.contract:
        return f"There is no bid to {call} yet. Bid, or pass."
    sides = deal.match.sides
    own = state.to_act % sides == deal.contract.bidder % sides
    if call == "redouble":
        if not own:
            return "Only the side that has bid may redouble. Pass, or bid higher."
        return "You may redouble only what has been doubled once. Pass, or bid higher."
    if own:
        return "You may not double your own side's bid. Pass, or bid higher."
    if call == "double":
        return "This bid has been doubled already. Pass, or bid higher."
    if not deal.match.third_double:
        return "There is no third double in this match. Pass, or bid higher."
    return "You may double a third time only what has been redoubled. Pass, or bid higher."


# Declarations


def _open_declarations(state):
    """What the seat to act may declare now."""
    deal, seat = state.deal, state.to_act
    if state.tricks or deal.contract.contract == "NT":
        return []
    made = [declaration for declaration in state.declared if declaration.seat == seat]
    return open_declarations(seat, state.hands[seat], made, deal.match.shared_cards)


def _are_cards(cards):
    """Whether this may be the cards of a declaration, as far as that can be told without looking at a hand."""
    return type(cards) is list and len(cards) <= 5 and all(type(card) is str for card in cards)


def _why_no_declaration(state, cards):
    if state.deal.contract.contract == "NT":
        return "In no trumps nothing is declared. Play a card."
    if state.tricks:
        return "Declarations are made in the first trick. Play a card."
    if not set(cards).issubset(state.hands[state.to_act]):
        return "You do not hold these cards. Declare what you hold, or play a card."
    used = {card for declaration in state.declared if declaration.seat == state.to_act for card in declaration.cards}
    if not used.isdisjoint(cards):
        return "You have declared one of these cards already. Declare others, or play a card."
    return (
        "These cards cannot be declared like this: name a whole sequence, its five highest cards at most, or a square."
    )


# Play


def _why_no_play(state, card):
    contract, hand, led = state.deal.contract.contract, state.hands[state.to_act], state.trick[0][1]
    holds_suit = any(held[1] == led for held in hand)
    if holds_suit and card[1] != led:
        return f"You hold a {SUIT_NAMES[led]}, so you must follow suit."
    winning = state.trick[winner_of(contract, state.trick)]
    if holds_suit:
        return f"You hold a {SUIT_NAMES[led]} that beats the highest one in the trick, so you must play higher."
    if winning[1] == contract and state.deal.match.trumping == "club":
        return f"You hold no {SUIT_NAMES[led]} but a trump that beats those in the trick, so you must overtrump."
    return f"You hold no {SUIT_NAMES[led]} but a trump, so you must trump."


def _why_no_belot(state, card):
    contract, hand = state.deal.contract.contract, state.hands[state.to_act]
    if card[1] not in trump_suits(contract) or OTHER_OF_BELOT.get(card) not in hand:
        return "Belot is the king and queen of trumps, both still in your hand. Play the card without announcing it."
    if contract == "AT" and card[1] != state.trick[0][1]:
        return "You cannot announce belot with a discard. Play the card without announcing it."
    if state.deal.match.seats != 4:
        return "You cannot announce belot when following suit. Play the card without announcing it."
    return "When following suit you may announce belot only if your partner led. Play the card without announcing it."


# Score sheet


def _sides(match):
    return [list(range(side, match.seats, match.sides)) for side in range(match.sides)]


def _row(line):
    return {key: as_lists(value) for key, value in zip(Line._fields, line, strict=True)}


# Moves


def _as_move(call):
    return {"type": "bid", "contract": call} if call in CONTRACTS else {"type": call}


def _as_call(seat, call):
    return {"seat": seat, "call": "bid", "contract": call} if call in CONTRACTS else {"seat": seat, "call": call}


def _misfit(phase, kind):
    """Why a move of this type cannot be made in this phase. kind: whatever was sent as the type."""
    if phase == "over":
        return "The match is over."
    if type(kind) is not str or kind not in PHASES:
        return "There is no such move in Belot."
    return {
        "deal": "The cards are not dealt yet. Wait for the deal.",
        "bid": "Bid first: choose a contract, or pass.",
        "play": "The bidding is over. Play a card.",
    }[phase]


# View


def _calls(deal):
    return [_as_call(seat, call) for seat, call in deal.calls]


def _tricks_won(match, tricks):
    winners = [trick.winner % match.sides for trick in tricks]
    return [winners.count(side) for side in range(match.sides)]


def _told(declaration, shown):
    """A declaration as a view tells it. shown: whether its cards may be seen."""
    seat, kind, points, cards = declaration
    return {"seat": seat, "kind": kind, "points": points, "cards": list(cards) if shown else None}


def _announced(belots):
    return [{"seat": seat, "suit": suit} for seat, suit in belots]


def _declared_and_shown(state):
    """The declarations of the deal just scored, with their cards and whether they counted."""
    line, sides = state.deal.lines[-1], state.deal.match.sides
    counting = counting_side(state.declared, line.tricks, sides)
    return [_told(each, shown=True) | {"counted": each.seat % sides == counting} for each in state.declared]


def _last_hand(state):
    """The deal just ended, as everybody may see it."""
    deal, seats = state.deal, state.deal.match.seats
    if not state.tricks:
        passed = {"deal": deal.number - 1, "dealer": (deal.dealer - 1) % seats, "outcome": "passed"}
        return passed | {"calls": _calls(deal)}
    return _row(deal.lines[-1]) | {
        "calls": _calls(deal),
        "declared": _declared_and_shown(state),
        "announced": _announced(state.belots),
        "played": as_dicts(seats, state.tricks),
    }


# Sampling: parts of a view back into those of a state


def _sampled_between_deals(deal, view):
    last = view["last_hand"]
    phase, to_act = view["phase"], view["to_act"]
    if last is None:
        return _before_deal(deal)
    deal = deal._replace(calls=_loaded_calls(last["calls"]))
    if last["outcome"] == "passed":
        return _before_deal(deal)
    line = Line(**{key: as_tuples(last[key]) for key in Line._fields})
    declared = tuple(
        Declaration(each["seat"], each["kind"], each["points"], tuple(each["cards"])) for each in last["declared"]
    )
    deal = deal._replace(lines=(line,))
    tricks, belots = _loaded_tricks(last["played"]), _loaded_belots(last["announced"])
    return _between_deals(deal, phase, to_act, (), tricks, declared, belots)


def _loaded_calls(calls):
    return tuple((call["seat"], call.get("contract", call["call"])) for call in calls)


def _loaded_tricks(tricks):
    return tuple(
        Trick(trick["leader"], tuple(play["card"] for play in trick["plays"]), trick["winner"]) for trick in tricks
    )


def _loaded_belots(belots):
    return tuple((belot["seat"], belot["suit"]) for belot in belots)
