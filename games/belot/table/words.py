"""The sentences of a Belot table: what to do, what happened, and how a deal was scored."""

from collections.abc import Collection, Iterator, Sequence

from games.belot.rules.scoring import (
    VALAT,
    Division,
    bidder_half,
    bidding_side,
    division,
    hanging_points,
    is_divided_as_one,
    rounding_limit,
)
from games.belot.rules.types import (
    BelotAnnounced,
    BiddingClosed,
    Call,
    Called,
    DeclarationEntry,
    Declared,
    HandDealt,
    HandScored,
    HighestBid,
    ScoredDeclaration,
    SheetRow,
    View,
)
from games.belot.table.terms import (
    A_KIND,
    CONTRACT_TITLES,
    CONTRACT_WORDS,
    KIND_WORDS,
    Sides,
    call_words,
    contract_words,
    declaration_words,
    short_contract,
)
from games.kit.contract import Card, Event, Move, Score, Seat
from games.kit.drawing import Sentences
from games.kit.language import lazy, lazy_all, lazy_all_in, lazy_in, say, say_count, say_in
from games.kit.words import (
    PLACES,
    RANK_WORDS,
    SUIT_TITLES,
    SUIT_WORDS,
    THE_CARDS,
    THE_RANKS,
    Names,
    card_played,
    join_words,
    match_over,
    plays,
    sentence_of,
    trick_won,
    with_sign,
)

# Moves in words


def describe_move(move: Move, seat: Seat | None, names: Names) -> str:
    """Describe a move of a seat, without a full stop. seat: None only for the shuffle of the cards."""
    if move["type"] == "deal":
        return say("The cards are dealt")
    assert seat is not None
    name = names[seat]
    match move:
        case {"type": "declare", "kind": kind}:  # The cards are still hidden from others.
            return say("{name} declares {kind}", name=name, kind=A_KIND[kind])
        case {"type": "play", "card": card, "belot": True}:
            return say("{name} plays the {card} and announces belot", name=name, card=THE_CARDS[card])
        case {"type": "play", "card": card}:
            return plays(card, seat, names)
        case {"type": "bid", "contract": contract}:
            contract = CONTRACT_WORDS[contract]
            return names.say_of(seat, "You bid {contract}", "{name} bids {contract}", contract=contract)
        case {"type": "double"}:
            return names.say_of(seat, "You double", "{name} doubles")
        case {"type": "redouble"}:
            return names.say_of(seat, "You redouble", "{name} redoubles")
        case {"type": "surcontre"}:
            return names.say_of(seat, "You double a third time", "{name} doubles a third time")
    return names.say_of(seat, "You pass", "{name} passes")


# What is expected of a seat


def stage(table: View) -> str:
    """Return the stage of the match, as a heading."""
    return say("Final result") if table["phase"] == "over" else say("Deal {deal}", deal=table["deal_number"])


def waiting(phase: str, actor: Seat, names: Names) -> str:
    """Return the sentence for everybody who waits for the player to act."""
    sentence = "Waiting for {name} to call." if phase == "bid" else "Waiting for {name} to play."
    return names.with_watching_note(say(sentence, name=names[actor]))


def calling(kinds: Collection[str], contract: HighestBid | None) -> str:
    """Return the sentence that names the legal calls, short enough for a phone.

    kinds: the types of the legal moves, such as "bid" and "pass". contract: the highest bid so far, or None.
    """
    if "pass" not in kinds:
        return say("Your call. All the others have passed, so you must bid.")
    if not contract:
        return say("Your call: bid or pass.")
    may_bid = "bid" in kinds  # The highest contract leaves no higher bid.
    if "double" in kinds:
        return say("Your call: bid higher, double or pass." if may_bid else "Your call: double or pass.")
    if "redouble" in kinds:
        return say("Your call: bid higher, redouble or pass." if may_bid else "Your call: redouble or pass.")
    if "surcontre" in kinds:
        return say("Your call: bid higher, third double or pass." if may_bid else "Your call: third double or pass.")
    return say("Your call: bid higher or pass." if may_bid else "Your call: pass.")


def calls_before(number: int) -> str:
    """Return the sentence for a seat that waits for its turn to call. number: the number of seats that call first."""
    if number == 1:
        return say("You call next.")
    return say("Two call before you.") if number == 2 else say("Three call before you.")


def partner_called(call: Call) -> str:
    """Return the sentence on the partner's last call. call: has the key "contract" if it is a bid."""
    match call["call"]:
        case "bid":
            return say("Your partner bid {contract}.", contract=CONTRACT_WORDS[call["contract"]])
        case "pass":
            return say("Your partner passed.")
        case "double":
            return say("Your partner doubled.")
        case "redouble":
            return say("Your partner redoubled.")
    return say("Your partner doubled a third time.")


def bids_worth(suit: int, no_trumps: int, all_trumps: int, at_most: bool) -> str:
    """Return the sentence on the match points that each kind of contract is worth.

    at_most: whether the deal may be worth less, because some cards are not dealt (with two players).
    """
    places = {"suit": suit, "no_trumps": no_trumps, "all_trumps": all_trumps}
    if at_most:
        return say("A suit is worth up to {suit}, no trumps {no_trumps}, all trumps {all_trumps}.", **places)
    return say("A suit is worth {suit}, no trumps {no_trumps}, all trumps {all_trumps}.", **places)


def lead(took_a_trick: bool) -> str:
    return say("You took the trick. Lead any card." if took_a_trick else "Your turn. Lead any card.")


def play_any_card(led: str) -> str:
    return say("Your turn. You have no {suit}: play any card.", suit=SUIT_WORDS[led])


def ruff(led: str, higher: bool) -> str:
    """Return the sentence for a seat that must trump.

    led: the suit led, which it does not have. higher: whether it must beat the trump in the trick.
    """
    if higher:
        return say("Your turn. You have no {suit}: overtrump.", suit=SUIT_WORDS[led])
    return say("Your turn. You have no {suit}: play a trump.", suit=SUIT_WORDS[led])


def play_higher(led: str, best: Card) -> str:
    return say("Your turn. {Suit}, higher than the {rank}.", Suit=SUIT_TITLES[led], rank=RANK_WORDS[best[0]])


def too_low(led: str, best: Card) -> str:
    return say("Your turn. {Suit}: you can’t beat the {rank}.", Suit=SUIT_TITLES[led], rank=THE_RANKS[best[0]])


def follow_suit(led: str) -> str:
    return say("Your turn. {Suit} were led: follow suit.", Suit=SUIT_TITLES[led])


BELOT = lazy("belot")


def without_belot(card: str) -> str:
    return say("{card}, without belot", card=card)


def belot_in(suit: str) -> str:
    return say("belot in {suit}", suit=SUIT_WORDS[suit])


# What a deal came to


COUNTS, EQUAL, LOWER = lazy("counts"), lazy("does not count: equal"), lazy("does not count: lower")
NO_TRICK = lazy("does not count: no trick")
OUTCOMES = lazy_all_in("outcome of a contract", {"made": "made", "inside": "inside", "hanging": "level"})


def next_deal(dealer: Seat, names: Names, passed: bool) -> str:
    """Return the sentence on the next dealer. passed: whether everybody passed in the last deal."""
    if passed:
        return names.say_of(dealer, "Everybody passed. You deal next.", "Everybody passed. {name} deals next.")
    return names.say_of(dealer, "You deal next.", "{name} deals next.")


def outcome_sentences(row: SheetRow, sides: Sides) -> Iterator[str]:
    """Yield sentences with the outcome of the contract and every side's score.

    row: the deal, as on the score sheet. sides: the names of the sides, and their order for this reader.
    """
    contract = short_contract(row)
    match row["outcome"]:
        case "made":
            yield say("{contract}: made.", contract=contract)
        case "inside":
            yield say("{contract}: inside.", contract=contract)
        case "hanging":
            yield say("{contract}: level.", contract=contract)
    for side in sides.order:
        yield scores(row, side, sides)
    if row["hanging"]:
        yield hanging_note(row)


def scores(row: SheetRow, side: int, sides: Sides) -> str:
    """Return the sentence on a side's score for a deal.

    row: the deal, as on the score sheet. Its "marks" say how to write the match points ("mp"): "number" for plain ones.
    With the option "kirtik" a side can lose some as a penalty. `say_of` picks the sentence for the reader: for
    the reader's own pair, for the reader alone, for another player, or for another pair.
    """
    mp, lost = row["mp"][side], row["kirtik"][side]
    if row["marks"][side] == "number" and mp > 0:
        return sides.say_of(
            side, "We score {mp}.", "You score {mp}.", "{name} scores {mp}.", "{names} score {mp}.", mp=mp
        )
    if row["marks"][side] == "number" and mp < 0:
        return sides.say_of(side, "We lose {mp}.", "You lose {mp}.", "{name} loses {mp}.", "{names} lose {mp}.", mp=-mp)
    if lost and row["marks"][side] != "number":
        return sides.say_of(
            side,
            "We score nothing and lose {lost}.",
            "You score nothing and lose {lost}.",
            "{name} scores nothing and loses {lost}.",
            "{names} score nothing and lose {lost}.",
            lost=-lost,
        )
    return sides.say_of(
        side, "We score nothing.", "You score nothing.", "{name} scores nothing.", "{names} score nothing."
    )


def hanging_note(row: SheetRow) -> str:
    return say("{mp} hang: the winners of the next deal get them.", mp=row["hanging"])


def outcome_reasons(row: SheetRow, sides: Sides) -> Iterator[str]:
    """Yield sentences that explain the outcome: the points needed, and how their division by ten made match points."""
    yield needed(row, sides)
    yield _division_sentence(row, sides)
    # The limit is the last digit that may be rounded up or down.
    if any(share.points % 10 == rounding_limit(row["contract"]) for share in _divisions(row, sides.order)):
        yield _rounding_note(row)


def needed(row: SheetRow, sides: Sides) -> str:
    """Return the sentence on the points that the bidding side needed, and has.

    row: the deal, as on the score sheet. `say_of` picks the sentence for the reader: for the reader's own pair, for the
    reader alone, for another player, or for another pair.
    """
    side = bidding_side(row)
    has, most = row["points"][side], sum(row["points"])
    places = {"has": has, "most": most, "outcome": OUTCOMES[row["outcome"]]}
    if has * 2 == most:
        return sides.say_of(
            side,
            "We needed more than half of {most} points and have just half: {outcome}.",
            "You needed more than half of {most} points and have just half: {outcome}.",
            "{name} needed more than half of {most} points and has just half: {outcome}.",
            "{names} needed more than half of {most} points and have just half: {outcome}.",
            **places,
        )
    return sides.say_of(
        side,
        "We needed more than half of {most} points and have {has}: {outcome}.",
        "You needed more than half of {most} points and have {has}: {outcome}.",
        "{name} needed more than half of {most} points and has {has}: {outcome}.",
        "{names} needed more than half of {most} points and have {has}: {outcome}.",
        **places,
    )


def _division_sentence(row: SheetRow, sides: Sides) -> str:
    """Explain in a sentence how the points of a deal became match points: divided by ten, and times the level.

    row: the deal, as on the score sheet. level: 1, or 2, 4 or 8 if the contract was doubled. outcome: "made", "inside"
    (the bidder lost) or "hanging" (the points were level, and wait for the winners of the next deal).
    """
    bidding, level = bidding_side(row), row["level"]
    others = [side for side in sides.order if side != bidding]
    if level == 1 and row["outcome"] == "made":  # Every side scores its own points.
        amounts = _in_tens(row, sides.order)
        return say("Divided by ten and rounded, {amounts}.", amounts=amounts)
    if level == 1 and row["outcome"] == "hanging":
        places = {"points": row["points"][bidding], "hung": hanging_points(row), "amounts": _in_tens(row, others)}
        return say("Divided by ten and rounded, {points} is {hung}, which hang; {amounts}.", **places)
    if len(sides.seats) == 3 and row["outcome"] == "inside":  # Two defenders share the points of the bidder.
        shares = "; ".join(_share_words(row, side, sides) for side in others)
        return say("The others share those {points}: {shares}.", points=row["points"][bidding], shares=shares)
    points, tens = _divisions(row, sides.order)[0]  # One side scores all points, so there is a single division.
    places = {"points": points, "tens": tens, "level": level, "mp": tens * level}
    match row["outcome"], level:
        case "made", _:
            return say("Doubled, the winner scores it all: {points} → {tens}, and {tens} × {level} = {mp}.", **places)
        case "hanging", _:
            return say("Doubled, so all of it hangs: {points} is {tens}, and {tens} × {level} = {mp}.", **places)
        case _, 1:
            return say("The other side scores it all: {points} → {tens}.", **places)
    return say("The other side scores it all: {points} → {tens}, and {tens} × {level} = {mp}.", **places)


def _divisions(row: SheetRow, sides: Sequence[int]) -> list[Division]:
    """Return the divisions of these sides, without sides that lost their points."""
    return [share for side in sides if (share := division(row, side))]


def _in_tens(row: SheetRow, sides: Sequence[int]) -> str:
    """Return "158 is 16, 94 is 9", without sides that have no points."""
    divisions = _divisions(row, sides)
    return ", ".join(say("{points} is {tens}", points=points, tens=tens) for points, tens in divisions if points)


def _share_words(row: SheetRow, side: int, sides: Sides) -> str:
    """Explain the score of one of two defenders, who share the points of a bidder who lost.

    row: the deal, as on the score sheet. Own points and half of the bidder's are added, divided by ten, and multiplied
    by the level: 1, or 2, 4 or 8 if the contract was doubled.
    """
    ((points, tens),) = _divisions(row, [side])  # the sum, and a tenth of it
    half, level = bidder_half(row, side), row["level"]
    places = {"name": sides.of(side), "own": points - half, "half": half, "points": points, "tens": tens}
    if level == 1:
        return say("{name} {own} + {half} = {points}, which is {tens}", **places)
    places |= {"level": level, "mp": tens * level}
    return say("{name} {own} + {half} = {points}, which is {tens}, and {tens} × {level} = {mp}", **places)


def _rounding_note(row: SheetRow) -> str:
    limit = rounding_limit(row["contract"])
    if is_divided_as_one(row):
        return say("All points together: a last {limit} rounds down.", limit=limit)
    if row["outcome"] == "hanging":
        return say("A last {limit} rounds up in the hanging points, down in the others.", limit=limit)
    return say("A last {limit} rounds down in the highest amount, up in the others.", limit=limit)


def extra_sentences(row: SheetRow, sides: Sides) -> Iterator[str]:
    """Yield sentences about additions to the scores of a deal, for each side that has any.

    They are: match points left from earlier deals ("pot"), a valat (the side took all tricks), and a penalty
    ("kirtik"). `say_of` picks the sentence for the reader: for the reader's own pair, for the reader alone, for another
    player, or for another pair.
    """
    for side in sides.order:
        pot, lost = row["pot"][side], row["kirtik"][side]
        if pot:
            yield sides.say_of(
                side,
                "We score {mp} more that hung from earlier deals.",
                "You score {mp} more that hung from earlier deals.",
                "{name} scores {mp} more that hung from earlier deals.",
                "{names} score {mp} more that hung from earlier deals.",
                mp=pot,
            )
        if row["valat"] == side:
            yield sides.say_of(
                side,
                "Valat: we score {mp} more for taking every trick.",
                "Valat: you score {mp} more for taking every trick.",
                "Valat: {name} scores {mp} more for taking every trick.",
                "Valat: {names} score {mp} more for taking every trick.",
                mp=VALAT,
            )
        if lost:
            yield sides.say_of(
                side,
                "Kirtik: we lose {mp}.",
                "Kirtik: you lose {mp}.",
                "Kirtik: {name} loses {mp}.",
                "Kirtik: {names} lose {mp}.",
                mp=-lost,
            )


def end(sides: Sides, ranking: Sequence[tuple[int, Score, int]], deals: int) -> str:
    """Return the sentence on the result of the match: who has won, the scores, and the reader's own place.

    ranking: (side, total, place) of each side, best first. deals: their number.
    """
    (best, most, _), *others = ranking  # the winner and its total
    places = {"most": with_sign(most), "others": join_words([with_sign(total) for _, total, _ in others])}
    places["deals"] = say_count(deals, "1 deal", "{number} deals")
    # One of several losers also reads their own place. Spectators have no side of their own.
    place = next((place for side, _, place in ranking if side == sides.own), 1)
    if place == 1 or sides.pairs:
        return sides.say_of(
            best,
            "We win {most} to {others} after {deals}.",
            "You win {most} to {others} after {deals}.",
            "{name} wins {most} to {others} after {deals}.",
            "{names} win {most} to {others} after {deals}.",
            **places,
        )
    places |= {"name": sides.names[best], "place": PLACES[place - 1]}
    return say("{name} wins {most} to {others} after {deals}. You are {place}.", **places)


# Explanations of the figures on the sheet

POINTS = lazy_in("of the cards", "Points")
SCORE = lazy_in("written on the sheet", "Score")
LAST_TRICK, DECLARATIONS = lazy("Last trick"), lazy("Declarations")
NO_TRUMPS_DOUBLE, ALL_POINTS = lazy("No trumps counts double"), lazy("All points of the deal")
TIMES_WORDS = lazy_all({2: "Doubled", 4: "Redoubled", 8: "Doubled a third time"})
FROM_EARLIER_DEALS = lazy("Hanging from earlier deals")
EVERY_TRICK, KIRTIK = lazy("Valat, every trick"), lazy("Kirtik")


def sheet_to(target: int) -> str:
    return say("Belot to {target}", target=target)


def needs(mp: int) -> str:
    return say("needs {mp}", mp=mp)


def contract_by(row: SheetRow, names: Names) -> str:
    contract = contract_words(row, CONTRACT_TITLES)
    return names.say_of(row["bidder"], "{Contract}, by you", "{Contract}, by {name}", Contract=contract)


def deal_of(row: SheetRow, side: str) -> str:
    return say("Deal {deal}, {side}", deal=row["deal"], side=side)


def mark_of(row: SheetRow, side: int) -> str:
    """Return what the score sheet shows in the column of a side: "16", "–" for lost points, or "hang"."""
    marks = {"number": with_sign(row["mp"][side]), "dash": "–", "hanging": say_in("mark of points that hang", "hang")}
    return marks[row["marks"][side]]


def mark_words(row: SheetRow, side: int) -> str:
    """Return the meaning of a mark on the score sheet in words, "" for a number.

    Points hang if they are level: they wait for the winners of the next deal.
    """
    if row["marks"][side] == "hanging":
        return say("level, its points hang")
    if row["marks"][side] == "dash":
        return say("inside, scores nothing") if row["outcome"] == "inside" else say("lost, scores nothing")
    return ""


def cards_in(number: int | None) -> str:
    """Return the words for the points of cards. number: of tricks, None if it is unknown, as at a real table."""
    if number is None:
        return say("Cards")
    return say_count(number, "Cards in 1 trick", "Cards in {number} tricks")


def belots(number: int) -> str:
    return say("Belot") if number == 1 else say_count(number, "{number} belot", "{number} belots")


def half_of_bidders(row: SheetRow) -> str:
    return say("Half of the bidder’s {points}", points=row["points"][bidding_side(row)])


def hangs(mp: int) -> str:
    return say("{mp} hang", mp=mp)


def rounding(row: SheetRow, side: int, share: Division) -> str:
    """Explain how a side's points were divided by ten and rounded. share: the points and the result.

    Last digits below a limit go down, and those above it up. The limit itself goes up or down according to the case.
    """
    points, tens = share
    last_digit, limit = points % 10, rounding_limit(row["contract"])
    places = {"points": points, "last": last_digit, "limit": limit}
    if not last_digit:
        return say("{points} divided by ten", **places)
    if last_digit < limit:
        return say("{points} divided by ten: {last} is below {limit}, so down", **places)
    if last_digit > limit:
        return say("{points} divided by ten: {last} is above {limit}, so up", **places)
    if is_divided_as_one(row):
        return say("{points} divided by ten: {last} goes down where all points are taken together", **places)
    if row["marks"][side] == "hanging":
        return say("{points} divided by ten: {last} goes up in what hangs", **places)
    if row["outcome"] == "hanging":
        return say("{points} divided by ten: {last} goes down in what does not hang", **places)
    if tens == points // 10:
        return say("{points} divided by ten: {last} goes down in the one highest amount", **places)
    return say("{points} divided by ten: {last} goes up, for this is not the one highest amount", **places)


# Words on the felt


NOTHING_SCORED_YET = lazy("No deal has been scored yet.")
ALL_PASSED_OUT = lazy("Everybody passed, so no deal was scored.")
TO_CALL, NO_BID, EVERYBODY_PASSED = lazy("to call"), lazy("No bid yet"), lazy("Everybody passed")
WINNER_TAKES_ALL = lazy("the winner takes all")


def called(call: Call, names: Names) -> str:
    return names.say_of(call["seat"], "You: {call}", "{name}: {call}", call=call_words(call))


def declared(declaration: DeclarationEntry | ScoredDeclaration) -> str:
    return say("{kind} {points}", kind=KIND_WORDS[declaration["kind"]], points=declaration["points"])


def announced(seat: Seat, announcement: str, names: Names) -> str:
    """Return "Ana: tierce 20". announcement: from `declared` or `belot_in`."""
    return names.say_of(seat, "You: {announcement}", "{name}: {announcement}", announcement=announcement)


def by(seat: Seat, names: Names) -> str:
    return names.say_of(seat, "by you", "by {name}")


def deal(number: int) -> str:
    return say("Deal {number}", number=number)


def hanging(mp: int) -> str:
    return say("{mp} hanging", mp=mp)


def to(target: int) -> str:
    return say_in("points that end the match", "to {target}", target=target)


def bid_of(contract: str) -> str:
    return say("Bid {contract}", contract=contract)


def wins(side: int, sides: Sides) -> str:
    return sides.say_of(side, "We win", "You win", "{name} wins", "{names} win")


def tricks(number: int) -> str:
    return say_count(number, "1 trick", "{number} tricks")


def result_of(row: SheetRow, side: int) -> str:
    """Return the result of a deal for a side, in a few words below its name.

    Its mark says how the score sheet shows the score: "number", "dash" (lost points) or "hanging" (level points, which
    wait for the winners of the next deal). lost: a penalty of the option "kirtik", as a negative number, or 0.
    """
    mark, lost = row["marks"][side], row["kirtik"][side]
    if mark == "number":
        return say("scores {mp}", mp=with_sign(row["mp"][side]))
    if mark == "hanging":
        return say("hangs, {lost}", lost=with_sign(lost)) if lost else say("hangs")
    if row["outcome"] == "inside" and side == bidding_side(row):
        return say("inside, {lost}", lost=with_sign(lost)) if lost else say("inside")
    return with_sign(lost) if lost else say("no score")


def worth(mp: int, at_most: bool) -> str:
    """Return what the contract is worth in match points.

    at_most: whether it may be less, because some cards are not dealt (with two players).
    """
    return say("worth up to {mp}", mp=mp) if at_most else say("worth {mp}", mp=mp)


# What happened


def _hand_dealt(event: HandDealt, names: Names) -> Iterator[str]:
    deal = event["deal"]
    yield names.say_of(event["dealer"], "Deal {deal}: you deal.", "Deal {deal}: {name} deals.", deal=deal)


def _called(event: Called, names: Names) -> Iterator[str]:
    yield sentence_of(describe_move({**event, "type": event["call"]}, event["seat"], names))


def _bidding_closed(event: BiddingClosed, names: Names) -> Iterator[str]:
    yours, theirs = "The contract is {contract}, by you.", "The contract is {contract}, by {name}."
    yield names.say_of(event["bidder"], yours, theirs, contract=contract_words(event))


def _passed_out(event: Event, names: Names) -> Iterator[str]:
    yield say("Everybody passed: the cards are redealt.")


def _declared(event: Declared, names: Names) -> Iterator[str]:
    kind, points = A_KIND[event["kind"]], event["points"]
    yours, theirs = "You declare {kind} for {points}.", "{name} declares {kind} for {points}."
    yield names.say_of(event["seat"], yours, theirs, kind=kind, points=points)


def _belot(event: BelotAnnounced, names: Names) -> Iterator[str]:
    suit = SUIT_WORDS[event["suit"]]
    yield names.say_of(event["seat"], "You announce belot in {suit}.", "{name} announces belot in {suit}.", suit=suit)


def _rebelot(event: BelotAnnounced, names: Names) -> Iterator[str]:
    suit = SUIT_WORDS[event["suit"]]
    yield names.say_of(
        event["seat"], "You complete the belot in {suit}.", "{name} completes the belot in {suit}.", suit=suit
    )


def _hand_scored(event: HandScored, names: Names) -> Iterator[str]:
    count = len(event["totals"])
    sides = Sides([list(range(side, len(names), count)) for side in range(count)], names)
    for declaration in sorted(event["declared"], key=lambda entry: not entry["counted"]):
        yield _verdict(declaration, names)
    yield say("Points: {points}.", points=_by_side(event["points"], sides))
    yield from outcome_sentences(event, sides)
    yield from extra_sentences(event, sides)
    yield say("Totals: {totals}.", totals=_by_side(event["totals"], sides))


def _verdict(entry: ScoredDeclaration, names: Names) -> str:
    """Return the sentence on whether a declaration (a sequence or a square) counted in the deal."""
    places = {"declaration": declaration_words(entry["kind"], entry["cards"]), "points": entry["points"]}
    if entry["counted"]:
        yours, theirs = "You: {declaration} counts {points}.", "{name}: {declaration} counts {points}."
    else:
        yours, theirs = "You: {declaration} does not count.", "{name}: {declaration} does not count."
    return names.say_of(entry["seat"], yours, theirs, **places)


def _by_side(figures: Sequence[int], sides: Sides) -> str:
    """Return "we 158, Boris and Goran 94". figures: one for each side."""
    return ", ".join(f"{sides.of(side)} {with_sign(figures[side])}" for side in sides.order)


SENTENCES: Sentences = {
    "hand_dealt": _hand_dealt,
    "called": _called,
    "bidding_closed": _bidding_closed,
    "passed_out": _passed_out,
    "declared": _declared,
    "belot": _belot,
    "rebelot": _rebelot,
    "card_played": card_played,
    "trick_won": trick_won,
    "hand_scored": _hand_scored,
    "match_over": match_over,
}
