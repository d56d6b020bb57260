"""The sentences and labels of a table of Bids."""

from collections.abc import Iterator, Mapping, Sequence

from games.bids.rules.pack import ALLY, DOUBLE, LOWEST, NUMBER, SURPRISE, Outcome
from games.bids.rules.scoring import LUCKY_LOSER, lucky_loser_points
from games.bids.rules.state import TRICKS
from games.bids.table.terms import add_up, as_summand, points_words
from games.bids.types import (
    Allied,
    CardPlayed,
    CentreTurned,
    Dealt,
    Doubled,
    FinishedTrick,
    LowestTurned,
    LuckyLoser,
    PointsShared,
    Revealed,
    RoundScored,
    ScoredRound,
    TrickBurnt,
    TrickWon,
    View,
)
from games.kit.contract import Card, Event, Move, Score, Seat
from games.kit.drawing import Sentences
from games.kit.language import Lazy, lazy, lazy_all_in, say, say_count, say_in
from games.kit.words import CARD_NAMES, PLACES, THE_CARDS, TIMES, Names, join_words, match_over, sentence_of, with_sign


def describe_move(move: Move | Event, seat: Seat | None, names: Names) -> str:
    """Return a move in words, without a full stop. seat: the player's, or None for a deal.

    A round has two shuffles. The first sets some black cards aside. The second deals the cards of all hands.
    """
    if move["type"] == "deal":
        deals_hands = len(move["deck"]) == TRICKS * len(names)
        return say("The cards are dealt" if deals_hands else "The black cards are set aside")
    assert seat is not None
    if move["card"] == ALLY:
        return names.say_of(seat, "You play the Ally", "{name} plays the Ally")
    return names.say_of(seat, "You bid the {card}", "{name} bids the {card}", card=THE_CARDS[move["card"]])


def cards_words(cards: Sequence[Card]) -> str:
    """Return the names of cards: "black 5 and black 7"."""
    return join_words([str(CARD_NAMES[card]) for card in cards])


# Events


def _dealt(event: Dealt, names: Names) -> Iterator[str]:
    yield say("Round {round} is dealt, ten cards each.", round=event["round"])
    yield leads(event["leader"], names)


def _centre_card(event: CentreTurned, names: Names) -> Iterator[str]:
    trick, card = event["trick"], event["card"]
    if card == SURPRISE:
        yield say("Trick {trick}: the Surprise card, with another card face down under it.", trick=trick)
    elif card == LOWEST:
        yield say("Trick {trick}: the Lowest card, worth 0 points.", trick=trick)
    elif card == DOUBLE:
        yield say("Trick {trick}: the black 2×, which doubles its winner’s points of this round.", trick=trick)
    else:
        yield say("Trick {trick}: the {card} is in the centre.", trick=trick, card=THE_CARDS[card])


def _lowest(event: LowestTurned, names: Names) -> Iterator[str]:
    yield say("From now on the lowest number wins.")


def _played(event: CardPlayed, names: Names) -> Iterator[str]:
    yield sentence_of(describe_move(event, event["seat"], names))


def _revealed(event: Revealed, names: Names) -> Iterator[str]:
    yield say("Under the Surprise card lay the {card}.", card=THE_CARDS[event["card"]])


def _trick_won(event: TrickWon, names: Names) -> Iterator[str]:
    cards = say_count(len(event["black"]), "{number} black card", "{number} black cards")
    yours, theirs = "You win {cards}: {points}.", "{name} wins {cards}: {points}."
    yield names.say_of(event["seat"], yours, theirs, cards=cards, points=points_words(event["points"]))


def _trick_burnt(event: TrickBurnt, names: Names) -> Iterator[str]:
    points = points_words(event["points"])
    if event["by_centre"]:
        yield say("The card in the centre is best: the trick of {points} is burnt.", points=points)
    else:
        yield say("The best bids tie: the trick of {points} is burnt.", points=points)
    yield leads(event["leads"], names)


def _doubled(event: Doubled, names: Names) -> Iterator[str]:
    before, after = points_words(event["before"]), with_sign(event["after"])
    yours, theirs = "You double {before} to {after}.", "{name} doubles {before} to {after}."
    yield names.say_of(event["seat"], yours, theirs, before=before, after=after)


def _allied(event: Allied, names: Names) -> Iterator[str]:
    yield _pair_words(
        (event["seat"], event["partner"]),
        names,
        lazy("You and {other} are allied: you will share this round’s points."),
        lazy("{one} and {other} are allied: they will share this round’s points."),
    )


def _lucky_loser(event: LuckyLoser, names: Names) -> Iterator[str]:
    yield names.say_of(
        event["seat"],
        "You have won no black card: Lucky Loser for the {which} time, {points}.",
        "{name} has won no black card: Lucky Loser for the {which} time, {points}.",
        which=TIMES[event["null_rounds"] - 1],
        points=points_words(event["points"]),
    )


def _shared(event: PointsShared, names: Names) -> Iterator[str]:
    yield _pair_words(
        (event["seat"], event["partner"]),
        names,
        lazy("You and {other} share what you have: {each} each."),
        lazy("{one} and {other} share what they have: {each} each."),
        each=points_words(event["each"]),
    )


def _round_scored(event: RoundScored, names: Names) -> Iterator[str]:
    points = ", ".join(f"{names.of(seat)} {with_sign(total)}" for seat, total in enumerate(event["total"]))
    yield say("Points of round {round}: {points}.", round=event["round"], points=points)


def _pair_words(pair: Sequence[Seat], names: Names, yours: Lazy, theirs: Lazy, **places: object) -> str:
    """Return a sentence about a pair of players, as a reader sees it. names: with the reader's seat as `viewer`.

    yours: the sentence for one of the two, with {other} for the other player's name. theirs: the sentence for all other
    readers, with {one} and {other}. places: the values of other placeholders in the sentences.
    """
    if names.viewer in pair:
        (other,) = set(pair) - {names.viewer}
        return say(yours, other=names[other], **places)
    return say(theirs, one=names[pair[0]], other=names[pair[1]], **places)


SENTENCES: Sentences = {
    "dealt": _dealt,
    "centre": _centre_card,
    "lowest": _lowest,
    "played": _played,
    "revealed": _revealed,
    "trick_won": _trick_won,
    "trick_burnt": _trick_burnt,
    "doubled": _doubled,
    "allied": _allied,
    "lucky_loser": _lucky_loser,
    "shared": _shared,
    "round_scored": _round_scored,
    "match_over": match_over,
}


# The state of a trick


def leads(seat: Seat, names: Names) -> str:
    return names.say_of(seat, "You lead.", "{name} leads.")


def who_is_ahead(table: View, outcome: Outcome | None, names: Names) -> str:
    """Return a sentence that says who is ahead in the current trick, or why nobody is: the best bids may tie.

    outcome: the result so far, or None if nobody has bid a card with a number. The Ally has none and cannot win.
    """
    if outcome is None:
        return say("Only the Ally has been played.")
    lead = table["plays"][outcome.leading]
    if outcome.winning is not None:
        yours, theirs = "You are ahead with the {card}.", "{name} is ahead with the {card}."
        return names.say_of(lead["seat"], yours, theirs, card=THE_CARDS[lead["card"]])
    if outcome.by_centre:
        return say("The card in the centre is best: so far nobody wins.")
    return say("A tie at {number}: so far nobody wins.", number=with_sign(NUMBER[lead["card"]]))


def who_is_ahead_in_short(table: View, outcome: Outcome | None, names: Names) -> str:
    """Return a short text, without a full stop, that says who is ahead in the current trick, or why nobody is.

    A bid is the card that a seat plays. The best number wins, and a tie burns: nobody wins it. outcome: the result so
    far. It is None, and the text "", if nobody has bid a card with a number.
    """
    if outcome is None:
        return ""
    lead = table["plays"][outcome.leading]
    if outcome.winning is not None:
        return names.say_of(lead["seat"], "You are ahead", "{name} is ahead")
    if outcome.by_centre:
        return say("The centre is best")
    return say("Tie at {number}: burns", number=with_sign(NUMBER[lead["card"]]))


def who_won(trick: FinishedTrick, names: Names) -> str:
    """Return a sentence that says who won what in a finished trick.

    Nobody wins, and the trick is burnt, if the best bids tie or if the card in the centre was better. The black 2×, a
    special card, doubles the points of its winner: trick["doubling"] is what it adds.
    """
    winner, points, doubling = trick["winner"], points_words(trick["points"]), trick["doubling"]
    if winner is None:
        if trick["by_centre"]:
            return say("The card in the centre was best: the trick is burnt.")
        return say("The best bids tied: the trick is burnt.")
    if doubling:
        yours = "You won the black 2×: {before} doubled to {after}."
        theirs = "{name} won the black 2×: {before} doubled to {after}."
        return names.say_of(winner, yours, theirs, before=with_sign(doubling), after=with_sign(2 * doubling))
    return names.say_of(winner, "You won {points}.", "{name} won {points}.", points=points)


def who_won_in_short(trick: FinishedTrick, names: Names) -> str:
    """Return a short text, without a full stop, that says who won what in a finished trick.

    A trick that nobody won is burnt. A special card, the black 2×, doubles all points that its winner has.
    """
    winner, points = trick["winner"], points_words(trick["points"])
    if winner is None:
        return say("Last trick burnt")
    if trick["doubling"]:
        return names.say_of(winner, "You doubled", "{name} doubled")
    return names.say_of(winner, "You won {points}", "{name} won {points}", points=points)


def trick_summary(trick: FinishedTrick, names: Names) -> str:
    """Return a sentence that says who led a finished trick, and who won what.

    Nobody wins, and the points are burnt, if the best bids tie or if the card in the centre was better. The black 2×, a
    special card, doubles the points of its winner: trick["doubling"] is what it adds.
    """
    leader, winner, doubling = trick["leader"], trick["winner"], trick["doubling"]
    points = points_words(trick["points"])
    if winner is None:
        yours = "You led, the best bids tied: {points} burnt."
        theirs = "{name} led, the best bids tied: {points} burnt."
        if trick["by_centre"]:
            yours = "You led, the centre was best: {points} burnt."
            theirs = "{name} led, the centre was best: {points} burnt."
        return names.say_of(leader, yours, theirs, points=points)
    if doubling:
        yours = "You led, {winner} won the black 2×: {before} doubled to {after}."
        theirs = "{name} led, {winner} won the black 2×: {before} doubled to {after}."
        places = {"before": with_sign(doubling), "after": with_sign(2 * doubling)}
        return names.say_of(leader, yours, theirs, winner=names.of(winner), **places)
    if winner == leader:
        return names.say_of(leader, "You led and won {points}.", "{name} led and won {points}.", points=points)
    yours, theirs = "You led, {winner} won {points}.", "{name} led, {winner} won {points}."
    return names.say_of(leader, yours, theirs, winner=names.of(winner), points=points)


# The prize


def worth_of(cards: Sequence[Card], hidden: bool = False) -> str:
    """Return what the black cards of a trick are worth: "12 points", "the black 2× and 7 points", "the hidden card".

    They count their numbers. hidden: whether the trick is played for a card that is still face down.
    """
    _, total = add_up(cards)
    has_number = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return say("the black 2× and {points}", points=points_words(total)) if has_number else say("the black 2×")
    if hidden:
        if has_number:
            return say("the hidden card and {points}", points=points_words(total))
        return say("the hidden card")
    return points_words(total)


def worth_in_the_centre(cards: Sequence[Card], hidden: bool) -> str:
    """Return what the black cards of a trick are worth, for screen readers: the centre card and the black bids.

    They count their numbers. The card 2× doubles the winner's points. hidden: whether another card is face down under
    the centre card.
    """
    _, total = add_up(cards)
    points, has_number = points_words(total), any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        sentence = "{points} added, then doubles its winner’s points" if has_number else "doubles its winner’s points"
    elif hidden:
        sentence = "worth {points} and the card under it" if has_number else "worth the card under it"
    else:
        sentence = "worth {points}"
    return say(sentence, points=points)


HIDDEN_MAY_WIN = lazy("The hidden card may be better.")


def lucky_loser_rule(seats: int) -> str:
    first, second, third = (lucky_loser_points(seats, nulls) for nulls in range(3))
    sentence = (
        "Win no black card in a round, and you are a Lucky Loser: {first} points the first time in a match, "
        "{second} the second time, {third} the third, and so on. A single black card spoils it, even one worth 0."
    )
    return say(sentence, first=first, second=second, third=third)


def prospect(points: int) -> str:
    """Return what a seat without black cards may still win, for screen readers."""
    return say("No black card yet: {points} as a Lucky Loser if it stays so", points=points_words(points))


# Labels at the table, without a full stop

DEALING = lazy("The cards are dealt")


def round_of(number: int, rounds: int) -> str:
    return say("Round {number} of {rounds}", number=number, rounds=rounds)


def trick_of_ten(number: int) -> str:
    return say("trick {number} of {tricks}", number=number, tricks=TRICKS)


def are_allied(pair: Sequence[Seat], names: Names) -> str:
    return _pair_words(pair, names, lazy("You and {other} are allied"), lazy("{one} and {other} are allied"))


def are_allied_in_short(pair: Sequence[Seat], names: Names) -> str:
    return _pair_words(pair, names, lazy("You + {other}"), lazy("{one} + {other}"))


def would_double(seat: Seat, before: int, names: Names) -> str:
    yours, theirs = "doubles your {before} to {after}", "doubles {name}: {before} to {after}"
    return names.say_of(seat, yours, theirs, before=with_sign(before), after=with_sign(2 * before))


def would_be_doubled(before: int) -> str:
    return say("doubles {before} to {after}", before=with_sign(before), after=with_sign(2 * before))


def colour_count(colour: str, count: int, top: bool) -> str:
    if top:
        return say("{colour} {count}, bid most often", colour=colour, count=count)
    return say("{colour} {count}", colour=colour, count=count)


def tally(points: int, black: int) -> str:
    """Return what a seat has won in this round. black: the number of black cards."""
    return say_count(black, "{points}, {number} black", "{points}, {number} black", points=points_words(points))


def short_tally(points: int, black: int) -> str:
    return say_count(black, "{points}, {number} black", "{points}, {number} black", points=with_sign(points))


def lucky_loser(points: int) -> str:
    return say("Lucky Loser {points}", points=with_sign(points, plus=True))


def round_points(points: Score) -> str:
    return say("{points} this round", points=with_sign(points, plus=True))


def short_round_points(points: Score) -> str:
    return say("round {points}", points=with_sign(points, plus=True))


PLACE_MARKS = lazy_all_in("place in a match", {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", 6: "6th"})


def place_in_match(place: int, behind: Score) -> str:
    """Return a player's place in the match, for screen readers. behind: the points that the first has more."""
    if behind:
        return say("{place} place, {points} behind", place=PLACES[place - 1], points=points_words(behind))
    return say("{place} place", place=PLACES[place - 1])


# What a card in hand would do to the trick: labels, without a full stop. They depend on whether the outcome is `final`:
# no other seat bids after this one, and no hidden card can beat the bids.


def wins(prize: str, final: bool) -> str:
    return say("Wins {prize}" if final else "Ahead so far: {prize}", prize=prize)


def wins_double(before: int, final: bool) -> str:
    sentence = "Wins: your {before} doubled to {after}" if final else "Ahead so far: your {before} doubled to {after}"
    return say(sentence, before=with_sign(before), after=with_sign(2 * before))


def loses(name: str, prize: str, final: bool) -> str:
    return say("Loses: {name} wins {prize}" if final else "Behind {name} so far: {prize}", name=name, prize=prize)


def ties(rivals: Sequence[str], final: bool) -> str:
    """Return the label for a tie of this card with cards of other players."""
    return say("Burns: ties with {names}" if final else "Ties with {names}: burns so far", names=join_words(rivals))


def others_tie(rivals: Sequence[str], final: bool) -> str:
    """Return the label for a tie between other players."""
    return say("Burns: {names} tie" if final else "Burns so far: {names} tie", names=join_words(rivals))


def centre_wins(final: bool) -> str:
    return say("Burns: the centre is best" if final else "Burns so far: the centre is best")


def allies(name: str, final: bool) -> str:
    return say("Allies you with {name}" if final else "Allies you with the winner, so far {name}", name=name)


THE_CENTRE = lazy("the centre")
ALLIES_WITH_WINNER = lazy("Allies you with the winner")
NO_ALLIANCE = lazy("no alliance")
SHARED_WITH_YOU = lazy("shared with you")


def allied_with(name: str) -> str:
    return say("allied with {name}", name=name)


def shared_with(name: str) -> str:
    return say("shared with {name}", name=name)


def no_lucky_loser(points: int) -> str:
    return say("no Lucky Loser ({points})", points=with_sign(points, plus=True))


# What a seat does next


def next_step(table: View, trick_state: str) -> list[str]:
    """Return the two sentences that ask a seat for its bid. trick_state: a sentence about the bids before its own.

    The first seat to bid, the leader, reads that the lowest number wins now, if a special card has changed that. Else
    it reads whether it leads because it has won the last trick.
    """
    if table["plays"]:  # The seat is not the leader.
        return [say("Your bid."), trick_state]
    has_won = table["tricks"] and table["tricks"][-1]["winner"] == table["seat"]
    if has_won and not table["lowest"]:
        begin = say_in("a trick", "You won.")
    else:
        begin = say("Lowest wins." if table["lowest"] else "You lead.")
    centre = table["centre"]
    if centre is None or centre == SURPRISE:  # The Surprise card hides the card that the trick is played for.
        return [begin, say("Bid any card for the hidden card.")]
    return [begin, say("Bid any card for the {card}.", card=THE_CARDS[centre])]


def waiting(actor: Seat, names: Names) -> str:
    return names.with_watching_note(say("Waiting for {name} to bid.", name=names[actor]))


def round_over(row: ScoredRound, names: Names) -> str:
    """Return the result of a round in a sentence: the reader's points, or for spectators who has most.

    row: the round on the score sheet. names: with the reader's seat as `viewer`, which is None for spectators.
    """
    number, totals = row["round"], row["total"]
    if names.viewer is not None:
        return say("You score {points} in round {round}.", points=points_words(totals[names.viewer]), round=number)
    best = max(totals)
    winners = [name for name, points in zip(names, totals, strict=True) if points == best]
    one, many = "{names} scores most in round {round}: {points}.", "{names} score most in round {round}: {points}."
    return say_count(len(winners), one, many, names=join_words(winners), round=number, points=points_words(best))


def before_first_round(leader: Seat, names: Names) -> str:
    yours, theirs = "The cards are being dealt. You lead first.", "The cards are being dealt. {name} leads first."
    return names.say_of(leader, yours, theirs)


# The reasons for the points of a round


def explain_doubling(row: ScoredRound, names: Names) -> Iterator[str]:
    """Yield a sentence for each seat whose points were doubled, because it won the special card "2×".

    row: a round on the score sheet. Its "doubling" has by seat the points that the card added: as many as before.
    """
    yours = "You won the black 2×: {before} doubled to {after}."
    theirs = "{name} won the black 2×: {before} doubled to {after}."
    for seat, doubling in enumerate(row["doubling"]):
        if doubling:
            yield names.say_of(seat, yours, theirs, before=points_words(doubling), after=with_sign(2 * doubling))


def explain_lucky_losers(row: ScoredRound, names: Names) -> str:
    """Return a sentence on the Lucky Losers, who get points for winning no black card in a round, or "" without any.

    A player's first such round in a match earns a base, the second twice the base, and so on. row: a round on the score
    sheet.
    """
    base = LUCKY_LOSER[len(names)]
    players = []
    for seat, points in enumerate(row["lucky_loser"]):
        if points:
            label = "{name} {points}" if points == base else "{name} {points} ({times} × {base})"
            players.append(
                say(label, name=names.of(seat), points=points_words(points), times=points // base, base=base)
            )
    return say("Lucky Loser, no black card: {players}.", players=", ".join(players)) if players else ""


def explain_alliance(row: ScoredRound, names: Names) -> str:
    """Return a sentence on how two allies share their points of a round, or "" without allies.

    The player of the card "Ally" and the winner of its trick each get half of their sum. row: a round on the score
    sheet.
    """
    if not row["ally"]:
        return ""
    seat, partner = row["ally"]["seat"], row["ally"]["partner"]
    own, other = (
        row["trick_points"][ally] + row["doubling"][ally] + row["lucky_loser"][ally] for ally in (seat, partner)
    )
    sums = {"own": with_sign(own), "other": as_summand(other), "each": with_sign(row["total"][seat])}
    if seat == names.viewer:
        sentence = "You played the Ally and {name} won that trick: ({own} + {other}) ÷ 2 = {each} each."
        return say(sentence, name=names[partner], **sums)
    return names.say_of(
        partner,
        "{ally} played the Ally and you won that trick: ({own} + {other}) ÷ 2 = {each} each.",
        "{ally} played the Ally and {name} won that trick: ({own} + {other}) ÷ 2 = {each} each.",
        ally=names[seat],
        **sums,
    )


def reasons(row: ScoredRound, names: Names) -> list[str]:
    """Return sentences on the points of a round that are not from tricks. row: the round on the score sheet."""
    others = [explain_lucky_losers(row, names), explain_alliance(row, names)]
    return [*explain_doubling(row, names), *filter(None, others)]


# The workings of a seat on the sheet


def workings_heading(seat: Seat, number: int, names: Names, over: bool) -> str:
    if over:
        return names.say_of(seat, "Your points in round {round}", "{name}, round {round}", round=number)
    return names.say_of(seat, "Your round {round} so far", "{name}, round {round} so far", round=number)


def won_trick(events: Mapping[str, Event]) -> Iterator[str]:
    """Yield sentences on what a trick was worth to its winner: the sum of the black cards, and what followed from it.

    events: the events of the end of the trick, as a dict by type.
    """
    event = events["trick_won"]
    addition, total = add_up(event["black"])  # "9 + 7" and 16
    cards, points = cards_words(event["black"]), points_words(total)
    if len(event["black"]) > 1:
        yield say("{cards}: {points} ({sum}).", cards=cards, points=points, sum=addition)
    else:
        yield say("{cards}: {points}.", cards=cards, points=points)
    if "doubled" in events:
        before, after = with_sign(events["doubled"]["before"]), with_sign(events["doubled"]["after"])
        yield say("Then {before} doubled to {after}.", before=before, after=after)
    if "allied" in events:
        yield say("With the Ally.")


def tricks_of(row: ScoredRound, seat: Seat) -> str:
    """Return what a seat has won in the tricks of a finished round."""
    cards, points = row["black_cards"][seat], points_words(row["trick_points"][seat])
    return say_count(cards, "{number} black card: {points}.", "{number} black cards: {points}.", points=points)


def lucky_loser_workings(seats: int, times: int) -> str:
    base, which = LUCKY_LOSER[seats], TIMES[times - 1]
    if times == 1:
        return say("No black card: Lucky Loser for the first time, {points}.", points=points_words(base))
    sentence = "No black card: Lucky Loser for the {which} time, {times} × {base} = {points}."
    return say(sentence, which=which, times=times, base=base, points=points_words(times * base))


def doubled_by(doubling: int) -> str:
    return say("Doubled by the black 2×: {points}.", points=with_sign(doubling, plus=True))


def change_by_ally(change: Score) -> str:
    return say("A change of {points}.", points=with_sign(change, plus=True))


def round_and_total(number: int, points: Score, after: Score) -> str:
    sentence = "Round {round}: {points}. Total after it: {after}."
    return say(sentence, round=number, points=points_words(points), after=with_sign(after))


def black_so_far(cards: int) -> str:
    return say_count(cards, "{number} black card so far.", "{number} black cards so far.")


IF_IT_STAYS_SO = lazy("if it stays without a black card")
