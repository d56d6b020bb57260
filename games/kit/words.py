"""What is said of any game: numbers, cards, names, how a match came out, what happened."""

from games.kit.cards import RANKS, make_pack
from games.kit.contract import rank_seats
from games.kit.language import Lazy, lazy, lazy_all_in, lazy_in, say, say_count, say_in


def capital(text):
    """What stands within a sentence, as it stands at the beginning of one or by itself."""
    text = str(text)
    return text[:1].upper() + text[1:]


def titles(words):
    """Words by themselves or at the beginning of a sentence: a dict of `Lazy`, as it is given."""
    return {key: Lazy(capital, word) for key, word in words.items()}


_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
NUMBER_WORDS = [lazy(_NUMBERS[number]) for number in range(11)]
_PLACES = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
PLACES = [lazy_in("place", _PLACES[place]) for place in range(8)]

# What ranks are called by themselves; then as what somebody plays, holds or beats ("the ten of hearts" in a sentence),
# and as what is worth something, takes or promises ("The ten of hearts takes this trick."). In English the article
# stands in the sentence; languages in which it or the case differs from card to card have it here instead.
_RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
RANK_WORDS = {rank: lazy_in("rank", _RANKS[place]) for place, rank in enumerate(RANKS)}
THE_RANKS = {rank: lazy_in("the rank", _RANKS[place]) for place, rank in enumerate(RANKS)}
SUBJECT_RANKS = {rank: lazy_in("the rank, as a subject", _RANKS[place]) for place, rank in enumerate(RANKS)}

SUIT_WORDS = lazy_all_in("suit", {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"})
SUIT_TITLES = titles(SUIT_WORDS)
SUIT_CARDS = lazy_all_in(  # a card of the suit, after "a" or "no": "You hold a heart."
    "a card of the suit", {"C": "club", "D": "diamond", "H": "heart", "S": "spade"}
)

# By card "TH", "ten of hearts": by itself, and as in "the ten of hearts"; also those of packs that `add_pack` adds.
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


class Names(list):
    """What the players of a match are called, by seat, for one who reads of them."""

    def __init__(self, names, viewer=None):
        """viewer: the seat of who reads, or None."""
        super().__init__(names)
        self.viewer = viewer

    def is_viewer(self, seat):
        """Whether a seat is that of who reads."""
        return seat == self.viewer

    def say_of(self, seat, yours, theirs, **places):
        """What a player did, to themselves ("You pass.") or to somebody else, who is {name} ("{name} passes.")."""
        return say(yours if self.is_viewer(seat) else theirs, name=self[seat], **places)

    def with_watching_note(self, sentence):
        """The sentence, and before it, for who has no seat, that they are watching."""
        return sentence if self.viewer is not None else " ".join([say("You are watching."), sentence])

    def of(self, seat):
        """What a player is called within a sentence or a list: "you", or the name."""
        return say_in("within a sentence", "you") if self.is_viewer(seat) else self[seat]

    def list_names(self, seats):
        """What players are called at the head of a sentence or a line, who reads it first: "You and Vera"."""
        told = [self[seat] for seat in seats if not self.is_viewer(seat)]
        return join_words([say_in("begins a list", "You"), *told] if len(told) < len(seats) else told)

    def say_of_all(self, seats, yours, one, many, **places):
        """What players did together: to the only one of them, of the only one, or of several, who are {names}."""
        places["names"], is_you = self.list_names(seats), any([self.is_viewer(seat) for seat in seats])
        if len(seats) == 1:
            return say(yours if is_you else one, **places)
        return say_in("You and others", many, **places) if is_you else say(many, **places)


class SpectatorNames(Names):
    """Names as a spectator reads them. Records which seats the text mentions: only those seats need their own version.

    mentioned_seats: the recorded seats.
    """

    def __init__(self, names):
        list.__init__(self, names)
        self.mentioned_seats = set()

    def is_viewer(self, seat):
        self.mentioned_seats.add(seat)
        return False

    @property
    def viewer(self):
        """Return None, as for a spectator. A text that asks may differ for every seat, so this records all of them."""
        self.mentioned_seats = set(range(len(self)))


def short_names(names):
    """What players are called where there is little room: the first word of a name that no other name has, or all."""
    words = [name.split() for name in names]
    others = [{word for other in words[:seat] + words[seat + 1 :] for word in other} for seat in range(len(names))]
    return [next((word for word in words[seat] if word not in others[seat]), names[seat]) for seat in range(len(names))]


# Numbers and lists


def number_word(number):
    """Small numbers as words: "no", "one" to "ten"."""
    return str(NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else number)


def number_title(number):
    """The same at the beginning of a sentence: "Two"."""
    return capital(number_word(number))


def with_sign(number, plus=False):
    """A number with a real minus sign, and a plus if wanted; a half as "½"."""
    whole, half = divmod(abs(number), 1)
    figures = (str(int(whole)) if whole or not half else "") + ("½" if half else "")
    if number < 0:
        return f"\N{MINUS SIGN}{figures}"
    return f"+{figures}" if plus and number else figures


def tenths(number, plus=False):
    """A number with one decimal, a real minus sign, and a plus if wanted: "−2.5", "+0.3"; never "−0.0"."""
    figures = f"{abs(number):.1f}"
    sign = "" if figures == "0.0" else "\N{MINUS SIGN}" if number < 0 else "+" if plus else ""
    return sign + figures.replace(".", say_in("decimal point", "."))


def minutes(seconds):
    """ "1:05"."""
    return f"{seconds // 60}:{seconds % 60:02}"


def span(seconds):
    """ "2 days and 3 hours", "5 hours", "40 minutes": as much as somebody with days for a move wants to know."""
    days, hours = divmod(int(seconds) // 3600, 24)
    if days:
        of_days = say_count(days, "{number} day", "{number} days")
        return join_words([of_days, say_count(hours, "{number} hour", "{number} hours")] if hours else [of_days])
    if hours:
        return say_count(hours, "{number} hour", "{number} hours")
    return say_count(max(0, int(seconds)) // 60, "{number} minute", "{number} minutes")


def sentence_of(words):
    """What is written without its full stop, with it."""
    return say("{words}.", words=words)


def join_words(words):
    """ "Ana", "Ana and Boris", "Ana, Boris and Vera"."""
    *others, last = words or [""]
    return say("{others} and {last}", others=", ".join(map(str, others)), last=last) if others else str(last)


# How a trick, and the match, came out


def who_took_it(trick, names):
    """ "Ana led, Boris took it." """
    leader, winner = trick["leader"], trick["winner"]
    if leader == winner:
        return names.say_of(leader, "You led and took it.", "{name} led and took it.")
    led, took = "You led, {winner} took it.", "{name} led, {winner} took it."
    return names.say_of(leader, led, took, winner=names.of(winner))


def deals(seat, names):
    return names.say_of(seat, "You deal", "{name} deals")


def leads(seat, names):
    return names.say_of(seat, "You lead", "{name} leads")


def takes(seat, last, names):
    """last: whether it is the last trick of the deal."""
    if last:
        return names.say_of(seat, "You take the last trick", "{name} takes the last trick")
    return names.say_of(seat, "You take it", "{name} takes it")


def winners_words(totals, names):
    """ "Ana wins", "Ana and Boris win", and "You win" for who reads it. names: Names."""
    listed, is_you, count = _winners(totals, names)
    if is_you:
        return say_in("You and others", "{names} win", names=listed) if count > 1 else say("You win")
    return say_count(count, "{names} wins", "{names} win", names=listed)


def _winners(totals, names):
    """Who has the most points, listed, whether the reader is among them, and how many they are."""
    best = max(totals)
    winners = [seat for seat, total in enumerate(totals) if total == best]
    return names.list_names(winners), names.viewer in winners, len(winners)


def end_sentence(totals, seat, names):
    """How the match came out, for a seat or a spectator (None)."""
    listed, is_you, count = _winners(totals, Names(names, seat))
    points = with_sign(max(totals))
    if is_you and count == 1:
        sentence = say("You win with {points} points.", points=points)
    elif is_you:
        sentence = say_in("You and others", "{names} win with {points} points.", names=listed, points=points)
    else:
        one, many = "{names} wins with {points} points.", "{names} win with {points} points."
        sentence = say_count(count, one, many, names=listed, points=points)
    place = {other: place for other, _, place in rank_seats(totals)}.get(seat, 1)
    return sentence if place == 1 else " ".join([sentence, say("You are {place}.", place=PLACES[place - 1])])


# Sentences of the events that several games have


def plays(card, seat, names):
    """Without a full stop, as what else a `Drawing` says of a move."""
    return names.say_of(seat, "You play the {card}", "{name} plays the {card}", card=THE_CARDS[card])


def card_played(event, names):
    yield sentence_of(plays(event["card"], event["seat"], names))


def trick_won(event, names):
    """event: with the plays of the trick."""
    card = next(play["card"] for play in event["plays"] if play["seat"] == event["seat"])
    yours, theirs = "You take the trick with the {card}.", "{name} takes the trick with the {card}."
    yield names.say_of(event["seat"], yours, theirs, card=THE_CARDS[card])


def match_over(event, names):
    """event: with the standings."""
    winners = [line for line in event["standings"] if line["place"] == 1]
    points = with_sign(winners[0]["score"])
    if len(winners) == 1:
        yours, theirs = "You win the match with {points} points.", "{name} wins the match with {points} points."
        yield names.say_of(winners[0]["seat"], yours, theirs, points=points)
    else:
        seats = [line["seat"] for line in winners]
        sentence, listed = "{names} win the match with {points} points.", names.list_names(seats)
        if names.viewer in seats:
            yield say_in("You and others", sentence, names=listed, points=points)
        else:
            yield say(sentence, names=listed, points=points)
