"""What a verdict says, in words: by what the seat knew, and with open cards. A `Coach` names moves and points."""

from games.kit.analysis import BLUNDER, GOOD, INACCURACY, MISTAKE, is_sure
from games.kit.coach import SURE, Row, decimal
from games.kit.language import counted, lazily, said
from games.kit.search import tried_out
from games.kit.words import capital, sentence_of

MARK_WORDS = {
    GOOD: lazily("the only good move"),
    INACCURACY: lazily("inaccuracy"),
    MISTAKE: lazily("mistake"),
    BLUNDER: lazily("blunder"),
}
EXACT = lazily("That is certain if everybody plays as well as can be with all cards open.")
EVEN = 0.05  # points below which no difference can be seen in figures with one decimal


def told(coach, verdict):
    """{"known", "open", "known_rows", "open_rows"}: a sentence and the rows of a table for each way to judge."""
    return {
        "known": known(coach, verdict),
        "open": opened(coach, verdict),
        "known_rows": rows(coach, verdict.known),
        "open_rows": rows(coach, verdict.open, exact=verdict.exact),
    }


def known(coach, verdict):
    """Why a decision has its mark, or none, from the numbers: one sentence."""
    chosen, other = verdict.known[0], _compared(verdict)
    places = {
        "other": coach.name(other.move),
        "gain": coach.amount(abs(other.gain)),
        "error": decimal(other.gain_error),
    }
    worlds = min(chosen.tries, other.tries)
    if verdict.lost:
        one, many = (
            "On average over {number} way that the hidden cards may have lain, {other} was {gain} better, with a "
            "standard error of {error}.",
            "On average over {number} ways that the hidden cards may have lain, {other} was {gain} better, with a "
            "standard error of {error}.",
        )
        return counted(worlds, one, many, **places)
    if verdict.mark == GOOD:
        one = "Nothing else came near it: next was {other}, on average {gain} worse over {number} way."
        many = "Nothing else came near it: next was {other}, on average {gain} worse over {number} ways."
        return counted(worlds, one, many, **places)
    if is_sure(other):
        sentence = (
            "Played out, {other} came out {gain} better, but by the experience of our bots it is no better; so nothing "
            "counts as lost."
        )
    elif other.gain > EVEN:
        sentence = "On average {other} came out {gain} better, but with a standard error of {error} that may be chance."
    elif other.gain < -EVEN:
        sentence = "Nothing that was compared came out better: next was {other}, on average {gain} worse."
    else:
        sentence = "It came out as well as anything: {other} was worth as much."
    return said(sentence, **places)


def opened(coach, verdict):
    """What was best as the cards lay: one or two sentences."""
    other = _best_other(verdict.open)
    if other.gain > max(EVEN, SURE * other.gain_error):
        sentence = (
            "As the cards lay, {other} would have brought {gain} more."
            if verdict.lost
            else "As the cards lay, {other} would have brought {gain} more; that could not be known."
        )
    elif other.gain < -EVEN:
        sentence = "As the cards lay, nothing was better."
    else:
        sentence = "As the cards lay, nothing would have brought more: {other} comes to about the same."
    told = said(sentence, other=coach.name(other.move), gain=coach.amount(abs(other.gain)))
    return f"{told} {EXACT}" if verdict.exact else told


def short(coach, verdict):
    """A marked decision in a few words, without a full stop: "the ten of hearts was 2.3 points better"."""
    other = _compared(verdict)
    if verdict.mark == GOOD:
        return said("the only good move")
    return said("{other} was {gain} better", other=coach.name(other.move), gain=coach.amount(abs(other.gain)))


def spoken(coach, verdict):
    """The same as a sentence: "Mistake: the ten of hearts was 2.3 points better." """
    words = short(coach, verdict)
    if verdict.mark != GOOD:
        words = said("{mark}: {words}", mark=MARK_WORDS[verdict.mark], words=words)
    return sentence_of(capital(words))


def rows(coach, options, exact=False):
    """The `Row`s of all that was compared, the best first, the move that was made marked.

    What was dropped on the way is valued by its gain: it was tried in fewer worlds than the others.
    """
    made = options[0]
    return [
        Row(
            name=capital(coach.name(option.move)),
            worth=decimal(made.mean + option.gain),
            error="" if exact else decimal(option.error),
            chosen=option is made,
        )
        for option in sorted(options, key=lambda option: -option.gain)
    ]


def _compared(verdict):
    """The option that a decision is compared with: the one that it lost to, or the best of the others."""
    lost_to = (option for option in verdict.known[1:] if verdict.lost and option.gain == verdict.lost)
    return next(lost_to, None) or _best_other(verdict.known)


def _best_other(options):
    others = [option for option in tried_out(options) if option is not options[0]]
    return max(others, key=lambda option: option.gain)
