"""What is said of any game, in English: numbers, cards, names, how a match came out, what happened."""

from games.kit.cards import RANKS, make_pack
from games.kit.contract import placed

NUMBER_WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")

RANK_NAMES = "two three four five six seven eight nine ten jack queen king ace"
RANK_WORDS = dict(zip(RANKS, RANK_NAMES.split(), strict=True))
SUIT_WORDS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}


def card_words(card):
    """ "TH" as "ten of hearts"."""
    return f"{RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}"


CARD_NAMES = {card: card_words(card) for card in make_pack()}  # and those of packs that `markup.add_pack` adds


# Sentences, ready to be translated: they come in whole, as they are written, and what changes has named places


def said(sentence, **places):
    """ "{name} plays the {card}." with its places filled."""
    return sentence.format(**places)


def counted(number, one, many, **places):
    """The form of a sentence that goes with a number, with its places filled: "{number}" is one of them."""
    return (one if number == 1 else many).format(number=number, **places)


class Names(list):
    """What the players of a match are called, by seat, for one who reads of them."""

    def __init__(self, names, viewer=None):
        """viewer: the seat of who reads, or None."""
        super().__init__(names)
        self.viewer = viewer

    def said_of(self, seat, yours, theirs, **places):
        """What a player did, to themselves ("You pass.") or to somebody else, who is {name} ("{name} passes.")."""
        return said(yours if seat == self.viewer else theirs, name=self[seat], **places)

    def watched(self, sentence):
        """The sentence, and before it, for who has no seat, that they are watching."""
        return sentence if self.viewer is not None else " ".join(["You are watching.", sentence])

    def of(self, seat):
        """What a player is called within a sentence or a list: "you", or the name."""
        return "you" if seat == self.viewer else self[seat]


def short_names(names):
    """What players are called where there is little room: the first word of a name that no other name has, or all."""
    words = [name.split() for name in names]
    others = [{word for other in words[:seat] + words[seat + 1 :] for word in other} for seat in range(len(names))]
    return [next((word for word in words[seat] if word not in others[seat]), names[seat]) for seat in range(len(names))]


# Numbers and lists


def number_word(number):
    """Small numbers as words: "no", "one" to "ten"."""
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else str(number)


def plural(number, word):
    """ "1 trick", "3 tricks"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def signed(number, plus=False):
    """A number with a real minus sign, and a plus if wanted; a half as "½"."""
    whole, half = divmod(abs(number), 1)
    figures = (str(int(whole)) if whole or not half else "") + ("½" if half else "")
    if number < 0:
        return f"\N{MINUS SIGN}{figures}"
    return f"+{figures}" if plus and number else figures


def tenths(number, plus=False):
    """A number with one decimal, a real minus sign, and a plus if wanted: "−2.5", "+0.3"; never "−0.0"."""
    figures = f"{abs(number):.1f}"
    if figures == "0.0":
        return figures
    return f"\N{MINUS SIGN}{figures}" if number < 0 else f"{'+' if plus else ''}{figures}"


def minutes(seconds):
    """ "1:05"."""
    return f"{seconds // 60}:{seconds % 60:02}"


def span(seconds):
    """ "2 days and 3 hours", "5 hours", "40 minutes": as much as somebody with days for a move wants to know."""
    days, hours = divmod(int(seconds) // 3600, 24)
    if days:
        return joined([plural(days, "day"), *([plural(hours, "hour")] if hours else [])])
    return plural(hours, "hour") if hours else plural(max(0, int(seconds)) // 60, "minute")


def joined(words):
    """ "Ana", "Ana and Boris", "Ana, Boris and Vera"."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


# How a trick, and the match, came out


def who_took_it(trick, names):
    """ "Ana led, Boris took it." """
    leader, winner = trick["leader"], trick["winner"]
    if leader == winner:
        return names.said_of(leader, "You led and took it.", "{name} led and took it.")
    led, took = "You led, {winner} took it.", "{name} led, {winner} took it."
    return names.said_of(leader, led, took, winner=names.of(winner))


def winners_words(totals, names, one="{names} wins", many="{names} win", **places):
    """ "Ana wins", "Ana and Boris win", and "You win" for who reads it. names: Names. one, many: the sentence."""
    best = max(totals)
    winners = sorted(
        (seat for seat, total in enumerate(totals) if total == best), key=lambda seat: seat != names.viewer
    )
    if winners[0] == names.viewer:
        return said(many, names=joined(["You", *[names[seat] for seat in winners[1:]]]), **places)
    listed = joined([names[seat] for seat in winners])
    return counted(len(winners), one, many, names=listed, **places)


def end_sentence(totals, seat, names):
    """How the match came out, for a seat or a spectator (None)."""
    one, many = "{names} wins with {points} points.", "{names} win with {points} points."
    sentence = winners_words(totals, Names(names, seat), one, many, points=signed(max(totals)))
    place = {other: place for other, _, place in placed(totals)}.get(seat, 1)
    return sentence if place == 1 else " ".join([sentence, said("You are {place}.", place=PLACES[place - 1])])


# Sentences of the events that several games have


def card_played(event, names):
    card = CARD_NAMES[event["card"]]
    yield names.said_of(event["seat"], "You play the {card}.", "{name} plays the {card}.", card=card)


def trick_won(event, names):
    """event: with the plays of the trick."""
    card = next(play["card"] for play in event["plays"] if play["seat"] == event["seat"])
    yours, theirs = "You take the trick with the {card}.", "{name} takes the trick with the {card}."
    yield names.said_of(event["seat"], yours, theirs, card=CARD_NAMES[card])


def match_over(event, names):
    """event: with the standings."""
    winners = [line for line in event["standings"] if line["place"] == 1]
    points = signed(winners[0]["score"])
    if len(winners) == 1:
        yours, theirs = "You win the match with {points} points.", "{name} wins the match with {points} points."
        yield names.said_of(winners[0]["seat"], yours, theirs, points=points)
    else:
        seats = sorted((line["seat"] for line in winners), key=lambda seat: seat != names.viewer)
        listed = joined([names.of(seat) for seat in seats])
        sentence = said("{names} win the match with {points} points.", names=listed, points=points)
        yield sentence[0].upper() + sentence[1:]
