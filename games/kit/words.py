"""Words that all games share: numbers, cards, names of players, events and the result of a match."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from games.kit.cards import RANKS, make_pack
from games.kit.contract import Card, Event, Score, Seat, rank_seats
from games.kit.language import Lazy, lazy, lazy_all_in, lazy_in, say, say_count, say_in


def capital(text: object) -> str:
    """Return a text with a capital first letter, as at the beginning of a sentence."""
    text = str(text)
    return text[:1].upper() + text[1:]


def titles[K](words: Mapping[K, str]) -> dict[K, Lazy]:
    """Return the same words with a capital first letter."""
    return {key: Lazy(capital, word) for key, word in words.items()}


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBER_WORDS = [lazy(_NUMBERS[number]) for number in range(11)]
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
PLACES = [lazy_in("place", _PLACES[place]) for place in range(8)]
TIMES = [lazy_in("time", _PLACES[place]) for place in range(8)]  # "for the second time"

# The names of ranks: alone, as the object of a sentence ("Ana plays the ten of hearts") and as its subject ("The ten of
# hearts takes this trick."). In English the article is part of the sentence. Languages whose article or case depends on
# the card have it in these names.
_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANK_WORDS = {rank: lazy_in("rank", _RANKS[place]) for place, rank in enumerate(RANKS)}
THE_RANKS = {rank: lazy_in("the rank", _RANKS[place]) for place, rank in enumerate(RANKS)}
SUBJECT_RANKS = {rank: lazy_in("the rank, as a subject", _RANKS[place]) for place, rank in enumerate(RANKS)}
WITH_RANKS = {rank: lazy_in("with the rank", _RANKS[place]) for place, rank in enumerate(RANKS)}

SUIT_WORDS = lazy_all_in("suit", {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"})
SUIT_TITLES = titles(SUIT_WORDS)
SUIT_CARDS = lazy_all_in(  # a card of the suit, after "a" or "no": "You hold a heart."
    "a card of the suit", {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
)

# The names of cards ("ten of hearts"), by card: alone, as an object, as a subject, and after "with the".
# `markup.add_pack` adds packs.
CARD_NAMES = {
    card: lazy("{rank} of {suit}", rank=RANK_WORDS[card[0]], suit=SUIT_WORDS[card[1]]) for card in make_pack()
}
THE_CARDS = {
    card: lazy_in("the card", "{rank} of {suit}", rank=THE_RANKS[card[0]], suit=SUIT_WORDS[card[1]])
    for card in make_pack()
}
SUBJECT_CARDS = {
    card: lazy_in("the card", "{rank} of {suit}", rank=SUBJECT_RANKS[card[0]], suit=SUIT_WORDS[card[1]])
    for card in make_pack()
}
WITH_CARDS = {
    card: lazy_in("the card", "{rank} of {suit}", rank=WITH_RANKS[card[0]], suit=SUIT_WORDS[card[1]])
    for card in make_pack()
}


class Names(list[str]):
    """The names of the players of a match, by seat, in texts for one reader."""

    def __init__(self, names: Iterable[str], viewer: Seat | None = None) -> None:
        """viewer: the reader's seat, or None for a spectator."""
        super().__init__(names)
        self._viewer = viewer

    @property
    def viewer(self) -> Seat | None:
        return self._viewer

    def is_viewer(self, seat: Seat) -> bool:
        return seat == self._viewer

    def say_of(self, seat: Seat, yours: str, theirs: str, **places: object) -> str:
        """Say what the player of a seat did: `yours` to that player ("You pass."), `theirs` to others.

        theirs: with a place for the player's name: "{name} passes." places: values for other places in the texts.
        """
        return say(yours if self.is_viewer(seat) else theirs, name=self[seat], **places)

    def with_watching_note(self, sentence: str) -> str:
        """Return the sentence for a player. For a spectator, put "You are watching." before it."""
        return sentence if self.viewer is not None else " ".join([say("You are watching."), sentence])

    def of(self, seat: Seat) -> str:
        """Return a player's name within a sentence or a list: "you" for the reader."""
        return say_in("within a sentence", "you") if self.is_viewer(seat) else self[seat]

    def list_names(self, seats: Sequence[Seat]) -> str:
        """Return the names of players for the beginning of a sentence, the reader first: "You and Vera"."""
        others = [self[seat] for seat in seats if not self.is_viewer(seat)]
        includes_viewer = len(others) < len(seats)
        return join_words([say_in("begins a list", "You"), *others] if includes_viewer else others)

    def say_of_all(self, seats: Sequence[Seat], yours: str, one: str, many: str, **places: object) -> str:
        """Say what the players of these seats did, in one of three sentences with the place {names}.

        yours: the sentence if the only player is the reader. one: if it is one other player. many: if they are several.
        places: the values of other places.
        """
        places["names"] = self.list_names(seats)
        includes_viewer = any([self.is_viewer(seat) for seat in seats])
        if len(seats) == 1:
            return say(yours if includes_viewer else one, **places)
        # In many languages "You and Vera" takes another form of the verb than "Ana and Vera".
        return say_in("You and others", many, **places) if includes_viewer else say(many, **places)


class SpectatorNames(Names):
    """Names as a spectator reads them. Records which seats the text mentions.

    mentioned_seats: only the players of these seats need their own version of the text.
    """

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__(names)
        self.mentioned_seats: set[Seat] = set()

    def is_viewer(self, seat: Seat) -> bool:
        self.mentioned_seats.add(seat)
        return False

    @property
    def viewer(self) -> None:
        """None. A text that depends on it may differ for every seat."""
        self.mentioned_seats = set(range(len(self)))


def short_names(names: Sequence[str]) -> list[str]:
    """Shorten names for narrow places: to their first word that no other name contains, if there is one."""
    words_by_name = [name.split() for name in names]
    short = []
    for index, name in enumerate(names):
        words_of_others = {word for words in words_by_name[:index] + words_by_name[index + 1 :] for word in words}
        short.append(next((word for word in words_by_name[index] if word not in words_of_others), name))
    return short


# Numbers and lists


def number_word(number: int) -> str:
    """Return a number up to ten as a word ("no", "one" to "ten"), a larger one as figures."""
    return str(NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else number)


def number_title(number: int) -> str:
    """Return the number word for the beginning of a sentence: "Two"."""
    return capital(number_word(number))


def with_sign(number: float, plus: bool = False) -> str:
    """Return a number for the screen, with a real minus sign, and a half as "½": "−2½".

    number: a multiple of a half. plus: whether positive numbers have a plus sign.
    """
    whole, half = divmod(abs(number), 1)
    figures = (str(int(whole)) if whole or not half else "") + ("½" if half else "")  # "½" without "0" before it.
    if number < 0:
        return f"\N{MINUS SIGN}{figures}"
    return f"+{figures}" if plus and number else figures


def tenths(number: float, plus: bool = False) -> str:
    """Return a number with one decimal and a real minus sign: "−2.5", "0.0", in the language of the reader.

    plus: whether positive numbers have a plus sign.
    """
    figures = f"{abs(number):.1f}"
    sign = "" if figures == "0.0" else "\N{MINUS SIGN}" if number < 0 else "+" if plus else ""
    return sign + figures.replace(".", say_in("decimal point", "."))


def count_tenths(number: float, one: str, many: str, /, **places: object) -> str:
    """Say a message with one decimal at {number}: "1.8 points", in French "1,8 point". A round one is "1 point"."""
    rounded = round(number, 1)
    return say_count(rounded, one, many, number="1" if rounded == 1 else tenths(rounded), **places)


def minutes(seconds: int) -> str:
    """Return a time in minutes and seconds: "1:05"."""
    return f"{seconds // 60}:{seconds % 60:02}"


def span(seconds: float) -> str:
    """Return a time in its largest units: "2 days and 3 hours", "5 hours", "40 minutes"."""
    days, hours = divmod(int(seconds) // 3600, 24)
    units = [say_count(days, "{number} day", "{number} days")] if days else []
    if hours:
        units.append(say_count(hours, "{number} hour", "{number} hours"))
    if units:
        return join_words(units)
    return say_count(max(0, int(seconds)) // 60, "{number} minute", "{number} minutes")


def sentence_of(words: str) -> str:
    """Make a sentence of these words by adding a full stop, which not all languages write the same."""
    return say("{words}.", words=words)


def join_words(words: Sequence[object]) -> str:
    """Join words as in a sentence: "Ana", "Ana and Boris", "Ana, Boris and Vera"."""
    *others, last = words or [""]
    return say("{others} and {last}", others=", ".join(map(str, others)), last=last) if others else str(last)


# Turns, and the result of a match


def deals(seat: Seat, names: Names) -> str:
    return names.say_of(seat, "You deal", "{name} deals")


def leads(seat: Seat, names: Names) -> str:
    return names.say_of(seat, "You lead", "{name} leads")


def takes(seat: Seat, last: bool, names: Names) -> str:
    """Say who takes a trick, without a full stop. last: whether it is the last trick of the deal."""
    if last:
        return names.say_of(seat, "You take the last trick", "{name} takes the last trick")
    return names.say_of(seat, "You take it", "{name} takes it")


def winners_words(totals: Sequence[Score], names: Names) -> str:
    """Return "Ana wins", "Ana and Boris win", or "You win" for the reader. totals: the scores by seat."""
    winners, is_you, count = _winners(totals, names)
    if is_you:
        return say_in("You and others", "{names} win", names=winners) if count > 1 else say("You win")
    return say_count(count, "{names} wins", "{names} win", names=winners)


def _winners(totals: Sequence[Score], names: Names) -> tuple[str, bool, int]:
    """Return the winners' names as a list in words, whether the reader is one of them, and their number.

    totals: the scores of the match, by seat.
    """
    best = max(totals)
    winners = [seat for seat, total in enumerate(totals) if total == best]
    return names.list_names(winners), names.viewer in winners, len(winners)


def end_sentence(totals: Sequence[Score], seat: Seat | None, names: Iterable[str]) -> str:
    """Return the result of the match in words, for the player of a seat or for a spectator (None).

    totals: the scores by seat. names: of the players, by seat.
    """
    winners, reader_wins, count = _winners(totals, Names(names, seat))
    points = with_sign(max(totals))
    if reader_wins and count == 1:
        sentence = say("You win with {points} points.", points=points)
    elif reader_wins:
        sentence = say_in("You and others", "{names} win with {points} points.", names=winners, points=points)
    else:
        one, many = "{names} wins with {points} points.", "{names} win with {points} points."
        sentence = say_count(count, one, many, names=winners, points=points)
    place = next((place for other, _, place in rank_seats(totals) if other == seat), 1)  # Spectators have none.
    return sentence if place == 1 else " ".join([sentence, say("You are {place}.", place=PLACES[place - 1])])


# Sentences of the events that several games have


def plays(card: Card, seat: Seat, names: Names) -> str:
    """Describe the play of a card, without a full stop."""
    return names.say_of(seat, "You play the {card}", "{name} plays the {card}", card=THE_CARDS[card])


def card_played(event: Event, names: Names) -> Iterator[str]:
    yield sentence_of(plays(event["card"], event["seat"], names))


def trick_won(event: Event, names: Names) -> Iterator[str]:
    card = next(play["card"] for play in event["plays"] if play["seat"] == event["seat"])
    yours, theirs = "You take the trick with the {card}.", "{name} takes the trick with the {card}."
    yield names.say_of(event["seat"], yours, theirs, card=WITH_CARDS[card])


def match_over(event: Event, names: Names) -> Iterator[str]:
    winners = [line for line in event["standings"] if line["place"] == 1]
    points = with_sign(winners[0]["score"])
    if len(winners) == 1:
        yours, theirs = "You win the match with {points} points.", "{name} wins the match with {points} points."
        yield names.say_of(winners[0]["seat"], yours, theirs, points=points)
    else:
        seats = [line["seat"] for line in winners]
        sentence, places = "{names} win the match with {points} points.", {"names": names.list_names(seats)}
        if names.viewer in seats:
            yield say_in("You and others", sentence, points=points, **places)
        else:
            yield say(sentence, points=points, **places)
