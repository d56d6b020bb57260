"""The rules of Bleven: a `Rules` whose methods are functions of the other modules here."""

from games.bleven.rules import moves, options, sampling, scoring, state, view
from games.bleven.rules.options import option_fields
from games.bleven.rules.state import VERSION_1_OPTIONS, Match, State, dump
from games.bleven.rules.view import shown_to_all
from games.kit.contract import CHANCE, Meaning, OptionField, Options, Position, Preset, Rules, Table, made_of
from games.kit.language import lazy


@made_of(options, state, moves, scoring, view, sampling)
class Bleven(Rules):
    """The current rules. Source: the rules page of Bleven, whose headings the other modules cite."""

    slug = "bleven"
    name = "Bleven"
    summary = lazy(
        "Improve your three cards, predict the tricks they will win, and bet on it against players who doubt you."
    )
    version = 2
    seat_counts = (2, 4)
    default_seats = 2
    partners_at = (4,)
    presets: tuple[Preset, ...] = options.PRESETS
    formats = options.FORMATS
    difficulty = lazy("Takes a match to learn")
    meanings = {"trick_won": Meaning.TRICK_FINISHED, "round_scored": Meaning.DEAL_SCORED}

    def new_match(self, seats: int, options: Options) -> State:
        match = Match(seats, **self.clean_options(seats, options))
        return state.empty_state(match, "deal", CHANCE)


class FirstBleven(Bleven):
    """Version 1. It has fewer options: the others keep the defaults of `Match` and are not in its views."""

    version = 1
    presets = ()

    def option_fields(self, seats: int | None = None) -> tuple[OptionField, ...]:
        return tuple(field for field in option_fields(seats) if field.name in VERSION_1_OPTIONS)

    def shown_to_all(self, state: State) -> Table:
        table = shown_to_all(state)
        return table | {"options": {name: table["options"][name] for name in VERSION_1_OPTIONS}}

    def dump(self, state: State) -> Position:
        position = dump(state)
        return position | {"match": position["match"][: 1 + len(VERSION_1_OPTIONS)]}
