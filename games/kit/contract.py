"""The interface of a game's rules and bots. Other layers use these methods and nothing else of a game.

A game declares its own types. `class OhHell(Rules[State, View])` promises views with the keys of the TypedDict `View`.
Code that serves all games sees mappings, because it does not know their keys.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import Enum
from random import Random
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, TypedDict

from games.kit.cards import Dealing
from games.kit.language import lazy

type Card = str
type Seat = int
type Score = int | float  # Bids has half points.
type Options = dict[str, Any]  # by `OptionField.name`
type Move = dict[str, Any]
type Table = Mapping[str, Any]  # the view of a seat or a spectator
type Sheet = Mapping[str, Any]
type Event = Mapping[str, Any]
type State = Any  # the state of any game, in code that serves all games
type Position = Mapping[str, Any]  # a state as it is stored


class Standing(TypedDict):
    """The result of one seat."""

    seat: Seat
    team: int | None
    score: Score
    place: int


class HasTurn(Protocol):
    """The attribute that every state has."""

    @property
    def to_act(self) -> Seat | None: ...


CHANCE = -1  # the value of `to_act` when the next move is a deal


class UnknownGame(KeyError):
    """No game has that slug."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownVersion(UnknownGame):
    """The game has no such version of its rules."""


class InvalidOptions(ValueError):
    """A match cannot have these options. str() is a sentence for players.

    field: the name of the invalid option, "seats", or "options" if these are not a dict of names.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class IllegalMove(ValueError):
    """The move is not legal in this state. str() is a sentence that tells players what to do."""


class Meaning(Enum):
    """The meaning of a game's event to code that serves all games."""

    CARD_PLAYED = "a card was played to a trick"
    TRICK_FINISHED = "a trick is finished"
    DEAL_SCORED = "a deal is scored"
    DEAL_DROPPED = "a deal has ended without being played"


class Choice(NamedTuple):
    """A value of an option, with its name and an explanation for players."""

    value: object
    label: str
    help: str = ""


class OptionField(NamedTuple):
    """An option of a game: its key, its name and an explanation for players, its values and its default."""

    name: str
    label: str
    help: str
    choices: tuple[Choice, ...]
    default: object


def choice(value: object, label: str, help: str = "", /, **params: object) -> Choice:
    """Return a Choice. The messages `label` and `help` are formatted with `params`."""
    return Choice(value, lazy(label, **params), lazy(help, **params) if help else "")


def option(name: str, label: str, help: str, default: object, /, *choices: Choice, **params: object) -> OptionField:
    """Return an OptionField. The messages `label` and `help` are formatted with `params`."""
    return OptionField(name, lazy(label, **params), lazy(help, **params), choices, default)


class Preset(NamedTuple):
    """A popular set of rules with a name. `options` omits the defaults."""

    slug: str
    name: str
    help: str
    options: Options


class Format(NamedTuple):
    """A length of a match with a name. No preset sets any of its `options`.

    minutes: the duration for one person among bots, by the number of seats. choices: how many moves of a player have
    an alternative, by the number of seats. `tools/measure_lengths.py` measures both.
    """

    slug: str
    name: str
    help: str
    options: Options
    minutes: Mapping[int, int]
    choices: Mapping[int, int] = MappingProxyType({})


class Bot[T: Table](Protocol):
    """A program in a seat. It knows no more than the view of its seat."""

    name: str

    def choose(self, table: T, moves: list[Move], rng: Random) -> Move:
        """Return one of the legal `moves` of the seat that has the view `table`."""


class LevelWords(NamedTuple):
    """The words for a level of bots."""

    name: str
    help: str
    bot: str  # one of its bots, within a sentence: "hard bot"
    bots: str  # "hard bots"


class Rules[S: HasTurn, T: Table](ABC):
    """The rules of a game with states of type S and views of type T.

    A match is its seats, its options and its list of moves, deals included: any position can be rebuilt by applying
    the moves from the start. Rules have no clock, do no I/O and are random only in `sample`.

    States are immutable and comparable, and no other code looks into them. Seats are numbered from 0 in the order of
    play. Moves, views, sheets and events are dicts of plain JSON types, whose keys the game's rules page lists.
    """

    slug: str
    name: str
    summary: str  # the game in one sentence, for players
    version: int  # A stored match keeps the version that it began with.
    seat_counts: tuple[int, ...]
    default_seats: int = 4
    meanings: Mapping[str, Meaning]  # by type of event
    partners_at: tuple[int, ...] = ()  # the seat counts with partners: seats 0 and 2 against 1 and 3
    presets: tuple[Preset, ...] = ()  # The first has the default options.
    usual_preset: str = ""  # the slug of the most popular preset, if that is not the first
    formats: tuple[Format, ...] = ()  # the shortest first
    difficulty: str = ""  # a few words for newcomers: "Easy to learn"

    @abstractmethod
    def option_fields(self, seats: int | None = None) -> tuple[OptionField, ...]:
        """Return the options that players can set for a match, such as the way of scoring, in display order.

        Choices and texts may depend on the number of seats. If it is None, they fit any number.
        """

    def clean_options(self, seats: int, options: Options) -> Options:
        """Check the options of a match, and return them with defaults for missing ones. `options` may be any value.

        Raise `InvalidOptions` for an unsupported number of seats, an unknown name or an invalid value.
        """
        if type(seats) is not int or seats not in self.seat_counts:
            *others, most = map(str, self.seat_counts)
            sentence = "{game} is played by {others} or {most}." if others else "{game} is played by {most}."
            raise InvalidOptions("seats", lazy(sentence, game=self.name, others=", ".join(others), most=most))
        if type(options) is not dict:
            raise InvalidOptions("options", lazy("The options of a match are names with values."))
        fields = {field.name: field for field in self.option_fields(seats)}
        for name in options:
            if name not in fields:
                refusal = lazy("{game} has no such option.", game=self.name)
                raise InvalidOptions(name if type(name) is str else "options", refusal)
        return {name: _clean_value(field, options) for name, field in fields.items()}

    def open_options(self, seats: int, options: Options) -> Options:
        """Return the options that have more than one possible value with this number of seats."""
        fields = [field for field in self.option_fields(seats) if len(field.choices) > 1]
        return {field.name: options[field.name] for field in fields if field.name in options}

    @property
    def offered_presets(self) -> tuple[Preset, ...]:
        """The presets in display order, the most popular first."""
        return tuple(sorted(self.presets, key=lambda preset: preset.slug != self.usual_preset))

    def find_preset(self, slug: str) -> Preset | None:
        """Return the preset of that slug, or else the most popular one. Return None if there are no presets."""
        offered = self.offered_presets
        return next((preset for preset in offered if preset.slug == slug), offered[0] if offered else None)

    def find_format(self, slug: str) -> Format | None:
        return next((match_format for match_format in self.formats if match_format.slug == slug), None)

    def named_options(self, seats: int, *parts: Preset | Format | None) -> Options:
        """Return all options of a match: the options of some presets and formats (named sets), and defaults.

        An option with only one possible value at this number of seats has that value, even if a part sets another.
        parts: presets and formats. Later ones win, and None sets nothing.
        """
        options = {name: value for part in parts if part for name, value in part.options.items()}
        return self.clean_options(seats, self.open_options(seats, options))

    def usual_options(self, seats: int, match_format: Format | None = None) -> Options:
        """Return the options of the most popular preset."""
        return self.named_options(seats, self.find_preset(""), match_format)

    @property
    def length_options(self) -> set[str]:
        """The names of the options that formats set."""
        return {name for match_format in self.formats for name in match_format.options}

    def format_of(self, options: Options) -> Format | None:
        """Return the length of a match with these options, if the game has a name for it (a format), or else None."""
        return next(
            (match_format for match_format in self.formats if match_format.options.items() <= options.items()), None
        )

    def team_of(self, seat: Seat, seats: int) -> int | None:
        """Return the team of a seat, 0 or 1, or None in a game without partners."""
        return seat % 2 if seats in self.partners_at else None

    @abstractmethod
    def new_match(self, seats: int, options: Options) -> S:
        """Return the state before the first deal. Raise `InvalidOptions` as `clean_options` does."""

    def to_act(self, state: S) -> Seat | None:
        """Return the seat to act, `CHANCE` before a deal, or None after the match."""
        return state.to_act

    @abstractmethod
    def deck(self, state: S) -> list[Card]:
        """Return the cards to shuffle, in canonical order. The list is empty if the next move is not a deal."""

    @abstractmethod
    def dealing(self, state: S) -> Dealing:
        """Return how the cards of each deal are shuffled and dealt.

        With it players can check their hands against the shuffled decks, without these rules. It depends only on the
        seats and options of the match, and stays the same within a version of the rules.
        """

    @abstractmethod
    def legal_moves(self, state: S) -> list[Move]:
        """Return the legal moves of the seat to act, as new dicts. The list is empty only after the match.

        Before a deal the list holds one move, which deals the deck unshuffled. A deal of the same cards in any other
        order is legal too.
        """

    @abstractmethod
    def apply(self, state: S, move: Move) -> S:
        """Return the state after `move`. Raise `IllegalMove`, and nothing else, for any other value."""

    def view(self, state: S, seat: Seat | None, public: T | None = None) -> T:
        """Return the view of a seat, or of a spectator if it is None: a dict of everything that they may know.

        public: the spectators' view of the same state, if the caller has it. The result shares its values.
        """
        table: Any = self.public_view(state) if public is None else public
        return table if seat is None else table | self.private_view(state, seat)

    @abstractmethod
    def public_view(self, state: S) -> T:
        """Return the spectators' view."""

    @abstractmethod
    def private_view(self, state: S, seat: Seat) -> Table:
        """Return the entries of a seat's view that differ from the spectators': "seat", "hand" and so on."""

    @abstractmethod
    def score_sheet(self, state: S) -> Sheet:
        """Return the score sheet so far. It is the same for everybody."""

    @abstractmethod
    def standings(self, state: S) -> list[Standing]:
        """Return the result by seat, the winners first. The list is empty before the end of the match."""

    @abstractmethod
    def events(self, before: S, move: Move, after: S) -> Sequence[Event]:
        """Return what everybody saw happen during `move`. Each event has a "type"."""

    def meaning(self, event: Event) -> Meaning | None:
        return self.meanings.get(event["type"])

    @abstractmethod
    def sample(self, view: T, rng: Random) -> S:
        """Return a state of the match that looks exactly like `view` to its seat, and deals the hidden cards at random.

        All deals that fit the view are equally likely, and the match can go on from there. Facts that the view does not
        show and that no longer matter, such as the scores of single deals, are left blank.
        """

    def sample_many(self, view: T, rng: Random, count: int) -> list[S]:
        """Return `count` samples. Rules that can share work between samples override this."""
        return [self.sample(view, rng) for _ in range(count)]

    @abstractmethod
    def hidden_from(self, state: S, seat: Seat | None) -> set[Card]:
        """Return the cards that the view of `seat`, or of spectators (None), must not contain. For tests."""

    @abstractmethod
    def dump(self, state: S) -> Position:
        """Return the state as plain JSON. Only the lines of the score sheet make it grow during the match."""

    @abstractmethod
    def load(self, data: Position) -> S:
        """Return the state that `dump` converted to `data`, also after a round trip through JSON."""


def rank_seats(scores: Sequence[Score]) -> list[tuple[int, Score, int]]:
    """Return (seat, score, place) for each seat, the best first. Equal scores share the better place."""
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    return [(seat, scores[seat], 1 + sum(other > scores[seat] for other in scores)) for seat in order]


def as_standings(scores: Sequence[Score], seats: int) -> list[Standing]:
    """Return the result of a finished match: a dict for each seat, the winners first.

    scores: by seat, or by team if there are fewer teams than seats. The team of a seat is `seat % teams`.
    """
    teams = len(scores)  # If nobody has a partner, every seat counts as a team here.
    return [
        {"seat": seat, "team": team if teams < seats else None, "score": score, "place": place}
        for team, score, place in rank_seats(scores)
        for seat in range(team, seats, teams)
    ]


def _clean_value(field: OptionField, options: Options) -> object:
    """Return the value of one of the options, or its default. Raise `InvalidOptions` if it is not a valid choice.

    field: the name of the option, and its possible values. options: values by name, not checked yet.
    """
    if field.name not in options:
        return field.default
    value = options[field.name]
    for choice in field.choices:
        if type(value) is type(choice.value) and value == choice.value:  # True is not 1.
            return value
    if len(field.choices) == 1:  # The option may have more values with another number of players.
        sentence = lazy(
            "{option}: with this number of players only “{choice}” is possible.",
            option=field.label,
            choice=field.choices[0].label,
        )
        raise InvalidOptions(field.name, sentence)
    raise InvalidOptions(field.name, lazy("{option}: choose one of the values offered.", option=field.label))


class RandomBot:
    """A bot that plays any legal move: the weakest there is, to measure others by."""

    name = "random"

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        return rng.choice(moves)
