"""What is said at a table of Bids, in whole sentences."""

from games.bids.rules.pack import ALLY, DOUBLE, LOWEST, NUMBER, SURPRISE
from games.bids.rules.scoring import LUCKY_LOSER, lucky_loser_points
from games.bids.rules.state import TRICKS
from games.bids.table.terms import in_sum, points_words, sum_of
from games.kit.language import lazy, lazy_all_in, say, say_count
from games.kit.words import CARD_NAMES, PLACES, THE_CARDS, join_words, match_over, sentence_of, with_sign


def deed(move, seat, names):
    if move["type"] == "deal":
        return say(
            "The cards are dealt" if len(move["deck"]) == TRICKS * len(names) else "The black cards are set aside"
        )
    if move["card"] == ALLY:
        return names.say_of(seat, "You play the Ally", "{name} plays the Ally")
    return names.say_of(seat, "You bid the {card}", "{name} bids the {card}", card=THE_CARDS[move["card"]])


def cards_words(cards):
    """ "black 5 and black 7"."""
    return join_words([str(CARD_NAMES[card]) for card in cards])


# Events


def _dealt(event, names):
    yield say("Round {round} is dealt, ten cards each.", round=event["round"])
    yield leads(event["leader"], names)


def _turned(event, names):
    trick, card = event["trick"], event["card"]
    if card == SURPRISE:
        yield say("Trick {trick}: the Surprise card, with another card face down under it.", trick=trick)
    elif card == LOWEST:
        yield say("Trick {trick}: the Lowest card, worth 0 points.", trick=trick)
    elif card == DOUBLE:
        yield say("Trick {trick}: the black 2×, which doubles its winner’s points of this round.", trick=trick)
    else:
        yield say("Trick {trick}: the {card} is in the centre.", trick=trick, card=THE_CARDS[card])


def _lowest(event, names):
    yield say("From now on the lowest number wins.")


def _played(event, names):
    yield sentence_of(deed(event, event["seat"], names))


def _revealed(event, names):
    yield say("Under the Surprise card lay the {card}.", card=THE_CARDS[event["card"]])


def _trick_won(event, names):
    cards = say_count(len(event["black"]), "{number} black card", "{number} black cards")
    yours, theirs = "You win {cards}: {points}.", "{name} wins {cards}: {points}."
    yield names.say_of(event["seat"], yours, theirs, cards=cards, points=points_words(event["points"]))


def _trick_burnt(event, names):
    points = points_words(event["points"])
    if event["by_centre"]:
        yield say("The card in the centre is best: the trick of {points} is burnt.", points=points)
    else:
        yield say("The best bids tie: the trick of {points} is burnt.", points=points)
    yield leads(event["leads"], names)


def _doubled(event, names):
    before, after = points_words(event["before"]), with_sign(event["after"])
    yours, theirs = "You double {before} to {after}.", "{name} doubles {before} to {after}."
    yield names.say_of(event["seat"], yours, theirs, before=before, after=after)


def _allied(event, names):
    yield _of_two(
        (event["seat"], event["partner"]),
        names,
        lazy("You and {other} are allied: you will share this round’s points."),
        lazy("{one} and {other} are allied: they will share this round’s points."),
    )


def _lucky_loser(event, names):
    yield names.say_of(
        event["seat"],
        "You have won no black card: Lucky Loser for the {which} time, {points}.",
        "{name} has won no black card: Lucky Loser for the {which} time, {points}.",
        which=PLACES[event["null_rounds"] - 1],
        points=points_words(event["points"]),
    )


def _shared(event, names):
    yield _of_two(
        (event["seat"], event["partner"]),
        names,
        lazy("You and {other} share what you have: {each} each."),
        lazy("{one} and {other} share what they have: {each} each."),
        each=points_words(event["each"]),
    )


def _round_scored(event, names):
    listed = ", ".join(f"{names.of(seat)} {with_sign(total)}" for seat, total in enumerate(event["total"]))
    yield say("Points of round {round}: {points}.", round=event["round"], points=listed)


def _of_two(pair, names, yours, theirs, **places):
    """What two players did, one of whom may be who reads of it: {other} of `yours` is the other one.

    yours, theirs: Lazy.
    """
    if names.viewer in pair:
        (other,) = set(pair) - {names.viewer}
        return say(yours, other=names[other], **places)
    return say(theirs, one=names[pair[0]], other=names[pair[1]], **places)


SENTENCES = {
    "dealt": _dealt,
    "centre": _turned,
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


# How a trick stands, and how it ended


def leads(seat, names):
    return names.say_of(seat, "You lead.", "{name} leads.")


def standing(table, now, names):
    """How the trick that is played stands. now: the `Outcome` so far, or None while nobody has bid a number."""
    if now is None:
        return say("Only the Ally has been played.")
    lead = table["plays"][now.leading]
    if now.winning is not None:
        yours, theirs = "You are ahead with the {card}.", "{name} is ahead with the {card}."
        return names.say_of(lead["seat"], yours, theirs, card=THE_CARDS[lead["card"]])
    if now.by_centre:
        return say("The card in the centre is best: so far nobody wins.")
    return say("A tie at {number}: so far nobody wins.", number=with_sign(NUMBER[lead["card"]]))


def standing_in_short(table, now, names):
    """As `standing`, without a full stop; "" while nobody has bid a number."""
    if now is None:
        return ""
    lead = table["plays"][now.leading]
    if now.winning is not None:
        return names.say_of(lead["seat"], "You are ahead", "{name} is ahead")
    if now.by_centre:
        return say("The centre is best")
    return say("Tie at {number}: burns", number=with_sign(NUMBER[lead["card"]]))


def ended(trick, names):
    """How a trick ended."""
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


def ended_in_short(trick, names):
    """As `ended`, without a full stop."""
    winner, points = trick["winner"], points_words(trick["points"])
    if winner is None:
        return say("Last trick burnt")
    if trick["doubling"]:
        return names.say_of(winner, "You doubled", "{name} doubled")
    return names.say_of(winner, "You won {points}", "{name} won {points}", points=points)


def what_became_of_it(trick, names):
    """Who led a finished trick, and who won what."""
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


# What is being played for


def worth(cards, hidden=False):
    """What black cards are worth to who wins them: "12 points", "the black 2× and 7 points".

    hidden: whether one more lies face down under the Surprise card.
    """
    _, total = sum_of(cards)
    added = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return say("the black 2× and {points}", points=points_words(total)) if added else say("the black 2×")
    if hidden:
        return say("the hidden card and {points}", points=points_words(total)) if added else say("the hidden card")
    return points_words(total)


def worth_in_the_centre(cards, hidden):
    """What the card in the centre has grown to, for those who hear it."""
    _, total = sum_of(cards)
    points, added = points_words(total), any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        sentence = "{points} added, then doubles its winner’s points" if added else "doubles its winner’s points"
    elif hidden:
        sentence = "worth {points} and the card under it" if added else "worth the card under it"
    else:
        sentence = "worth {points}"
    return say(sentence, points=points)


HIDDEN_MAY_WIN = lazy("The hidden card may be better.")


def lucky_loser_rule(seats):
    """What a Lucky Loser is."""
    first, second, third = (lucky_loser_points(seats, nulls) for nulls in range(3))
    sentence = (
        "Win no black card in a round, and you are a Lucky Loser: {first} points the first time in a match, "
        "{second} the second time, {third} the third, and so on. A single black card spoils it, even one worth 0."
    )
    return say(sentence, first=first, second=second, third=third)


def prospect(points):
    """What a seat without a black card may still look forward to, for those who hear it."""
    return say("No black card yet: {points} as a Lucky Loser if it stays so", points=points_words(points))


# What stands beside the cards: labels, without a full stop

DEALING = lazy("The cards are dealt")


def round_of(number, rounds):
    return say("Round {number} of {rounds}", number=number, rounds=rounds)


def trick_of_ten(number):
    return say("trick {number} of {tricks}", number=number, tricks=TRICKS)


def are_allied(pair, names):
    """pair: two seats."""
    return _of_two(pair, names, lazy("You and {other} are allied"), lazy("{one} and {other} are allied"))


def are_allied_in_short(pair, names):
    return _of_two(pair, names, lazy("You + {other}"), lazy("{one} + {other}"))


def would_double(seat, before, names):
    yours, theirs = "doubles your {before} to {after}", "doubles {name}: {before} to {after}"
    return names.say_of(seat, yours, theirs, before=with_sign(before), after=with_sign(2 * before))


def would_be_doubled(before):
    return say("doubles {before} to {after}", before=with_sign(before), after=with_sign(2 * before))


def colour_count(colour, count, top):
    if top:
        return say("{colour} {count}, bid most often", colour=colour, count=count)
    return say("{colour} {count}", colour=colour, count=count)


def tally(points, black):
    """What a seat has won in a round. black: how many black cards."""
    return say_count(black, "{points}, {number} black", "{points}, {number} black", points=points_words(points))


def short_tally(points, black):
    return say_count(black, "{points}, {number} black", "{points}, {number} black", points=with_sign(points))


def lucky_loser(points):
    return say("Lucky Loser {points}", points=with_sign(points, plus=True))


def scored(points):
    return say("{points} this round", points=with_sign(points, plus=True))


def short_scored(points):
    return say("round {points}", points=with_sign(points, plus=True))


# A player's place in the match, beside a figure
PLACE_MARKS = lazy_all_in("place in a match", {1: "1st", 2: "2nd", 3: "3rd", 4: "4th", 5: "5th", 6: "6th"})


def rank(place, behind):
    """For those who hear it."""
    if behind:
        return say("{place} place, {points} behind", place=PLACES[place - 1], points=points_words(behind))
    return say("{place} place", place=PLACES[place - 1])


# What a card of one's hand would do to the trick: labels, without a full stop. settled: no bid is still to come, and no
# hidden card may be better than all bids


def wins(prize, settled):
    return say("Wins {prize}" if settled else "Ahead so far: {prize}", prize=prize)


def wins_double(before, settled):
    sentence = "Wins: your {before} doubled to {after}" if settled else "Ahead so far: your {before} doubled to {after}"
    return say(sentence, before=with_sign(before), after=with_sign(2 * before))


def loses(name, prize, settled):
    return say("Loses: {name} wins {prize}" if settled else "Behind {name} so far: {prize}", name=name, prize=prize)


def ties(tied, settled):
    """tied: with whom, a list of names."""
    return say("Burns: ties with {names}" if settled else "Ties with {names}: burns so far", names=join_words(tied))


def others_tie(tied, settled):
    """tied: a list of names, two at least."""
    return say("Burns: {names} tie" if settled else "Burns so far: {names} tie", names=join_words(tied))


def centre_wins(settled):
    return say("Burns: the centre is best" if settled else "Burns so far: the centre is best")


def allies(name, settled):
    return say("Allies you with {name}" if settled else "Allies you with the winner, so far {name}", name=name)


THE_CENTRE = lazy("the centre")
ALLIES_WITH_WINNER = lazy("Allies you with the winner")
NO_ALLIANCE = lazy("no alliance")
SHARED_WITH_YOU = lazy("shared with you")


def allied_with(name):
    return say("allied with {name}", name=name)


def shared_with(name):
    return say("shared with {name}", name=name)


def no_lucky_loser(points):
    return say("no Lucky Loser ({points})", points=with_sign(points, plus=True))


# What is expected of a seat


def expected(table, standing):
    """What a seat that is to bid sees above its hand: a list of sentences. standing: how the trick stands."""
    if table["plays"]:
        return [say("Your bid."), standing]
    seat = table["seat"]
    won = table["tricks"] and table["tricks"][-1]["winner"] == seat
    begin = say("Lowest wins." if table["lowest"] else "You won." if won else "You lead.")
    if table["centre"] == SURPRISE:
        return [begin, say("Bid any card for the hidden card.")]
    return [begin, say("Bid any card for the {card}.", card=THE_CARDS[table["centre"]])]


def waiting(actor, names):
    return names.watched(say("Waiting for {name} to bid.", name=names[actor]))


def round_over(row, names):
    """How a round went, for who reads of it. row: its line of the score sheet."""
    number, totals = row["round"], row["total"]
    if names.viewer is not None:
        return say("You score {points} in round {round}.", points=points_words(totals[names.viewer]), round=number)
    best = max(totals)
    most = [name for name, points in zip(names, totals, strict=True) if points == best]
    one, many = "{names} scores most in round {round}: {points}.", "{names} score most in round {round}: {points}."
    return say_count(len(most), one, many, names=join_words(most), round=number, points=points_words(best))


def before_first_round(leader, names):
    yours, theirs = "The cards are being dealt. You lead first.", "The cards are being dealt. {name} leads first."
    return names.say_of(leader, yours, theirs)


# How the points of a round came about. row: its line of the score sheet


def doubled(row, names):
    """A sentence for every seat whose points the black 2× has doubled."""
    yours = "You won the black 2×: {before} doubled to {after}."
    theirs = "{name} won the black 2×: {before} doubled to {after}."
    for seat, doubling in enumerate(row["doubling"]):
        if doubling:
            yield names.say_of(seat, yours, theirs, before=points_words(doubling), after=with_sign(2 * doubling))


def lucky_losers(row, names):
    """Who has won no black card, and what it pays, in a sentence; "" where nobody has."""
    base = LUCKY_LOSER[len(names)]
    listed = []
    for seat, points in enumerate(row["lucky_loser"]):
        if points:
            label = "{name} {points}" if points == base else "{name} {points} ({times} × {base})"
            listed.append(say(label, name=names.of(seat), points=points_words(points), times=points // base, base=base))
    return say("Lucky Loser, no black card: {players}.", players=", ".join(listed)) if listed else ""


def alliance(row, names):
    """How the allies have shared, in a sentence; "" without an alliance."""
    if not row["ally"]:
        return ""
    seat, partner = row["ally"]["seat"], row["ally"]["partner"]
    own, other = (
        sum(row[part][ally] for part in ("trick_points", "doubling", "lucky_loser")) for ally in (seat, partner)
    )
    sums = {"own": with_sign(own), "other": in_sum(other), "each": with_sign(row["total"][seat])}
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


def why(row, names):
    """What made a round other than its tricks: a list of sentences."""
    return [*doubled(row, names), *filter(None, [lucky_losers(row, names), alliance(row, names)])]


# The workings of a seat on the sheet


def workings_heading(seat, number, names, over):
    """over: whether the round is, or only so far."""
    if over:
        return names.say_of(seat, "Your points in round {round}", "{name}, round {round}", round=number)
    return names.say_of(seat, "Your round {round} so far", "{name}, round {round} so far", round=number)


def won_trick(events):
    """What a trick was worth to who won it. events: by type, of its last move."""
    event = events["trick_won"]
    steps, total = sum_of(event["black"])
    cards, points = cards_words(event["black"]), points_words(total)
    if len(event["black"]) > 1:
        yield say("{cards}: {points} ({sum}).", cards=cards, points=points, sum=steps)
    else:
        yield say("{cards}: {points}.", cards=cards, points=points)
    if "doubled" in events:
        before, after = with_sign(events["doubled"]["before"]), with_sign(events["doubled"]["after"])
        yield say("Then {before} doubled to {after}.", before=before, after=after)
    if "allied" in events:
        yield say("With the Ally.")


def tricks_of(row, seat):
    """What a seat has won in a finished round, or why nothing."""
    cards, points = row["black_cards"][seat], points_words(row["trick_points"][seat])
    return say_count(cards, "{number} black card: {points}.", "{number} black cards: {points}.", points=points)


def lucky_loser_workings(seats, times):
    base, which = LUCKY_LOSER[seats], PLACES[times - 1]
    if times == 1:
        return say("No black card: Lucky Loser for the first time, {points}.", points=points_words(base))
    sentence = "No black card: Lucky Loser for the {which} time, {times} × {base} = {points}."
    return say(sentence, which=which, times=times, base=base, points=points_words(times * base))


def doubled_by(doubling):
    return say("Doubled by the black 2×: {points}.", points=with_sign(doubling, plus=True))


def change_by_ally(change):
    return say("A change of {points}.", points=with_sign(change, plus=True))


def round_and_total(number, points, after):
    sentence = "Round {round}: {points}. Total after it: {after}."
    return say(sentence, round=number, points=points_words(points), after=with_sign(after))


def black_so_far(cards):
    return say_count(cards, "{number} black card so far.", "{number} black cards so far.")


IF_IT_STAYS_SO = lazy("if it stays without a black card")
