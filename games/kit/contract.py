"""What every game's rules offer. All other layers use these methods and nothing else of a game."""

from abc import ABC, abstractmethod, update_abstractmethods
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from random import Random
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple, Protocol

from games.kit.language import lazy

type Card = str
type Seat = int
type Score = int | float  # a half point there can be
type Options = dict[str, Any]  # under the names of their fields
type Move = dict[str, Any]
type Table = dict[str, Any]  # what a seat, or a spectator, can see
type Sheet = dict[str, Any]
type Event = dict[str, Any]
type Standing = dict[str, Any]  # how a seat has ended the match: "seat", "team", "score", "place"
type State = Any  # of the rules that made it
type Position = dict[str, Any]  # a state as it is stored

CHANCE = -1  # to_act: nobody's turn, the pack is to be shuffled


class UnknownGame(KeyError):
    """There is no game of that slug."""

    def __str__(self) -> str:
        return str(self.args[0])


class UnknownVersion(UnknownGame):
    """The game is here, but not that version of its rules."""


class InvalidOptions(ValueError):
    """A match cannot be set up like this.

    field: the option at fault, or "seats", or "options" for what is no set of options at all.
    str() is a sentence for players.
    """

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


class IllegalMove(ValueError):
    """The move cannot be made here. str() is a sentence for players and says what to do."""


class Meaning(Enum):
    """What an event says that matters in every game, whatever the game calls it."""

    CARD_PLAYED = "a card was played to a trick"
    TRICK_FINISHED = "a trick is finished"
    DEAL_SCORED = "a deal is scored"
    DEAL_DROPPED = "a deal has ended without being played"


class Choice(NamedTuple):
    """One value of an option, with its name and an explanation (or "") for players."""

    value: object
    label: str
    help: str = ""


class OptionField(NamedTuple):
    """One option of a game: its key, its name and explanation for players, its values, the default."""

    name: str
    label: str
    help: str
    choices: tuple[Choice, ...]
    default: object


def choice(value: object, label: str, help: str = "", /, **places: Any) -> Choice:
    """A Choice. label, help: messages, whose places are filled from `places`."""
    return Choice(value, lazy(label, **places), lazy(help, **places) if help else "")


def option(name: str, label: str, help: str, default: object, /, *choices: Choice, **places: Any) -> OptionField:
    """An OptionField. label, help: messages, whose places are filled from `places`."""
    return OptionField(name, lazy(label, **places), lazy(help, **places), choices, default)


class Preset(NamedTuple):
    """A way to play that players know by a name: the options that differ from the defaults, as a dict."""

    slug: str
    name: str
    help: str
    options: Options


class Format(NamedTuple):
    """How long a match is, by a name: the options that say so, as a dict, which no preset sets.

    minutes: how long it takes one person among bots, by the number of seats. choices: how many of a player's moves are
    not the only legal one, so that they need time. `tools/measure_lengths.py` makes both.
    """

    slug: str
    name: str
    help: str
    options: Options
    minutes: Mapping[int, int]
    choices: Mapping[int, int] = MappingProxyType({})


class Bot(Protocol):
    """A player that is no user."""

    name: str

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        """One of `moves`, those that are legal, for the seat whose view `table` is: it knows nothing more."""


class LevelWords(NamedTuple):
    """What players are told of a level of bots: its name, a sentence, and what its bots are called."""

    name: str
    help: str
    bot: str  # what one of this level is called among other words: "hard bot"
    bots: str  # and several: "hard bots"


class Rules(ABC):
    """The rules of one game.

    A match is its seats, its options and its list of moves, the shuffles included; any position can be rebuilt by
    applying the moves from the start. Rules keep no clock, are random only where they are asked to be, and neither read
    nor write anything.

    States are immutable values that can be compared; only the rules that made a state look into it. Seats are
    numbered from 0 in the order of play. Moves are small dicts of plain JSON types with a "type"; cards are strings.
    Keys of moves, options and everything returned are those of the game's rules page.
    """

    slug: str
    name: str
    summary: str  # the game in one sentence, for players
    version: int  # a stored match keeps the version it was played under
    seat_counts: tuple[int, ...]
    default_seats: int = 4
    meanings: Mapping[str, Meaning]  # of its types of event that have one
    partners_at: tuple[int, ...] = ()  # the numbers of seats at which 0 and 2 play together against 1 and 3
    presets: tuple[Preset, ...] = ()  # the first, if there is any, is the name of the defaults
    usual_preset: str = ""  # the slug of the one that most people play by, where that is not the first
    formats: tuple[Format, ...] = ()  # the short one first
    difficulty: str = ""  # how hard the game is for newcomers, in a few words

    @abstractmethod
    def option_fields(self, seats: int | None = None) -> tuple[OptionField, ...]:
        """The options of a match as a tuple of `OptionField`, in the order to show them.

        seats: how many sit at the table; without it the texts, and the choices, are those for any number.
        """

    def clean_options(self, seats: int, options: Options) -> Options:
        """The options of a match, all of them, as a dict: `options` with defaults filled in.

        Raises `InvalidOptions` for a number of seats, a name or a value that the game does not have; types count.
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
        return {name: _chosen(field, options) for name, field in fields.items()}

    def open_options(self, seats: int, options: Options) -> Options:
        """`options` less those that so many seats leave no choice of."""
        fields = [field for field in self.option_fields(seats) if len(field.choices) > 1]
        return {field.name: options[field.name] for field in fields if field.name in options}

    @property
    def offered_presets(self) -> tuple[Preset, ...]:
        """The presets as they are put to players: the one that most play by comes first."""
        return tuple(sorted(self.presets, key=lambda preset: preset.slug != self.usual_preset))

    def find_preset(self, slug: str) -> Preset | None:
        """The preset of that slug; for any other text the one that most people play by. None where there are none."""
        offered = self.offered_presets
        return next((preset for preset in offered if preset.slug == slug), offered[0] if offered else None)

    def find_format(self, slug: str) -> Format | None:
        """The format of that slug, or None."""
        return next((chosen for chosen in self.formats if chosen.slug == slug), None)

    def named_options(self, seats: int, *named: Preset | Format | None) -> Options:
        """All options of a match as presets and formats have them, defaults where none does, as `clean_options` does.

        What so many seats leave no choice of is left as it is.
        """
        options = {name: value for one in named if one for name, value in one.options.items()}
        return self.clean_options(seats, self.open_options(seats, options))

    def usual_options(self, seats: int, chosen: Format | None = None) -> Options:
        """All options of a match as most people play, in that format if one is given."""
        return self.named_options(seats, self.find_preset(""), chosen)

    @property
    def length_options(self) -> set[str]:
        """The names of the options that say how long a match is: those of its formats."""
        return {name for chosen in self.formats for name in chosen.options}

    def format_of(self, options: Options) -> Format | None:
        """The format of a match with these options, or None where its length has no name."""
        return next((chosen for chosen in self.formats if chosen.options.items() <= options.items()), None)

    def team_of(self, seat: Seat, seats: int) -> int | None:
        """The team of a seat, 0 or 1; None where everybody plays for themselves."""
        return seat % 2 if seats in self.partners_at else None

    @abstractmethod
    def new_match(self, seats: int, options: Options) -> State:
        """The state before the first deal. options: as for `clean_options`, which refuses them here too."""

    def to_act(self, state: State) -> Seat | None:
        """The seat to act, `CHANCE` if the next move is a deal, or None when the match is over.

        States that keep this under another name want a method of their own.
        """
        to_act: Seat | None = state.to_act
        return to_act

    @abstractmethod
    def deck(self, state: State) -> list[Card]:
        """The cards to be shuffled, a list in canonical order; empty where there is nothing to shuffle."""

    @abstractmethod
    def dealing(self, state: State) -> dict[str, Any]:
        """How every deck of the match is made and dealt, which its seats and options say: a dict of plain JSON types.

        It is promised before the first card, so that hands can be checked against decks without these rules:
        "pack", the cards that are shuffled; "packets", for one deal after the other, and then again, how many cards
        everybody gets at a time, from the seat on whose turn it is to be the first: 0, 1 and so on; "draws", whether
        players may later draw what was not dealt, from the front.
        It stays the same as long as the version of the rules does.
        "parts" is empty, or each deal has two shuffles: the first deals nothing, and the pack of the second is what
        comes first in it, so many of some cards for each [how many, cards], and the cards "added".
        """

    @abstractmethod
    def legal_moves(self, state: State) -> list[Move]:
        """The moves open to the seat to act, as a list of new dicts, empty only when the match is over.

        Before a deal it holds one move, the deal of the unshuffled deck; any other order is as legal.
        """

    @abstractmethod
    def apply(self, state: State, move: Move) -> State:
        """The state after `move`. Raises `IllegalMove`, and nothing else, for whatever is no legal move here."""

    def view(self, state: State, seat: Seat | None, of_all: Table | None = None) -> Table:
        """The table as `seat` may know it, and as a spectator may if `seat` is None: a dict of plain JSON types.

        of_all: the view of spectators, for who has it already: what everybody sees is not looked up again, but shared.
        """
        of_all = self.shown_to_all(state) if of_all is None else of_all
        return of_all if seat is None else of_all | self.shown_to(state, seat)

    @abstractmethod
    def shown_to_all(self, state: State) -> Table:
        """The view of spectators."""

    @abstractmethod
    def shown_to(self, state: State, seat: Seat) -> Table:
        """What stands in the view of a seat in place of what everybody sees: its "seat", its "hand" and so on."""

    @abstractmethod
    def score_sheet(self, state: State) -> Sheet:
        """The score sheet so far, the same for everybody: a dict of plain JSON types."""

    @abstractmethod
    def standings(self, state: State) -> list[Standing]:
        """[{"seat", "team", "score", "place"}], best first; empty before the match is over."""

    @abstractmethod
    def events(self, before: State, move: Move, after: State) -> list[Event]:
        """What everybody saw happen when `move` led from `before` to `after`: a list of dicts with a "type"."""

    def meaning(self, event: Event) -> Meaning | None:
        """The `Meaning` of an event, or None."""
        return self.meanings.get(event["type"])

    @abstractmethod
    def sample(self, view: Table, rng: Random) -> State:
        """A state, picked at random, in which the seat of `view` would see just this view; it can be played on.

        rng: a random.Random. All deals that fit what the seat knows are equally likely. What the view does not
        tell and nothing depends on, such as the scores of single deals long past, is left blank.
        """

    def sample_many(self, view: Table, rng: Random, count: int) -> list[State]:
        """So many states as `sample` picks them. Rules that can spare themselves work have a method of their own."""
        return [self.sample(view, rng) for _ in range(count)]

    @abstractmethod
    def hidden_from(self, state: State, seat: Seat | None) -> set[Card]:
        """The set of cards that may appear nowhere in the view of `seat`, or of a spectator (None). For tests."""

    @abstractmethod
    def dump(self, state: State) -> Position:
        """The state as a dict of plain JSON types, no larger for the moves made but for the lines of the sheet."""

    @abstractmethod
    def load(self, data: Position) -> State:
        """The state that `dump` made `data` of, also if it has been through JSON since."""


def by_place(scores: Sequence[Score]) -> list[tuple[int, Score, int]]:
    """[(seat, score, place)] from the scores by seat: best first, equals share the better place, by seat number."""
    order = sorted(range(len(scores)), key=lambda seat: (-scores[seat], seat))
    return [(seat, scores[seat], 1 + sum(other > scores[seat] for other in scores)) for seat in order]


def as_standings(scores: Sequence[Score], seats: int) -> list[Standing]:
    """The standings of a match that is over. scores: by seat, or by team if there are fewer teams: `seat % teams`."""
    teams = len(scores)
    return [
        {"seat": seat, "team": team if teams < seats else None, "score": score, "place": place}
        for team, score, place in by_place(scores)
        for seat in range(team, seats, teams)
    ]


def _chosen(field: OptionField, options: Options) -> Any:
    if field.name not in options:
        return field.default
    value = options[field.name]
    for choice in field.choices:
        if type(value) is type(choice.value) and value == choice.value:
            return value
    if len(field.choices) == 1:
        only = lazy(
            "{option}: with this number of players only “{choice}” is possible.",
            option=field.label,
            choice=field.choices[0].label,
        )
        raise InvalidOptions(field.name, only)
    raise InvalidOptions(field.name, lazy("{option}: choose one of the values offered.", option=field.label))


class RandomBot:
    """Plays any legal move, each as likely as the other: the weakest bot there is, to measure others by."""

    name = "random"

    def choose(self, table: Table, moves: list[Move], rng: Random) -> Move:
        return rng.choice(moves)


def made_of(*modules: ModuleType) -> Callable[[type[Rules]], type[Rules]]:
    """A class decorator: what a class of `Rules` lacks are the functions of the same names in these modules."""
    functions = {name: value for module in modules for name, value in vars(module).items()}

    def put_together(rules: type[Rules]) -> type[Rules]:
        for name in rules.__abstractmethods__ & functions.keys():
            setattr(rules, name, staticmethod(functions[name]))
        return update_abstractmethods(rules)  # what is missing even so is named when the rules are made

    return put_together
