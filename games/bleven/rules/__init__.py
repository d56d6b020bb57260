"""The rules of Bleven: a `Rules` whose methods are functions of the other modules here."""

from games.bleven.rules import moves, options, sampling, scoring, state, view
from games.bleven.rules.shapes import Table
from games.bleven.rules.state import VERSION_1_OPTIONS, Match, State, dump
from games.bleven.rules.view import public_view
from games.kit.contract import CHANCE, Meaning, Options, Position, Preset, Rules
from games.kit.language import lazy


class Bleven(Rules[State, Table]):
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

    option_fields = staticmethod(options.option_fields)
    deck = staticmethod(moves.deck)
    dealing = staticmethod(moves.dealing)
    legal_moves = staticmethod(moves.legal_moves)
    apply = staticmethod(moves.apply)
    public_view = staticmethod(view.public_view)
    private_view = staticmethod(view.private_view)
    score_sheet = staticmethod(view.score_sheet)
    standings = staticmethod(scoring.standings)
    events = staticmethod(view.events)
    sample = staticmethod(sampling.sample)
    hidden_from = staticmethod(view.hidden_from)
    dump = staticmethod(state.dump)
    load = staticmethod(state.load)

    def new_match(self, seats: int, options: Options) -> State:
        match = Match(seats, **self.clean_options(seats, options))
        return state.empty_state(match, "deal", CHANCE)


class FirstBleven(Bleven):
    """Version 1. It has fewer options: the others keep the defaults of `Match` and are not in its views."""

    version = 1
    presets = ()

    option_fields = staticmethod(options.version_1_fields)

    def public_view(self, state: State) -> Table:
        table = public_view(state)
        return {**table, "options": {name: table["options"][name] for name in VERSION_1_OPTIONS}}

    def dump(self, state: State) -> Position:
        position = dump(state)
        return {**position, "match": position["match"][: 1 + len(VERSION_1_OPTIONS)]}
