"""Replays: every position of a match, and who may see which cards of it.

The index of a move, shuffles included, names the position after it. Move 0 is the position after the first shuffle.
The last move is the end of the match, or the present.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from itertools import groupby, pairwise
from typing import NamedTuple

from games.catalog import Meaning, get_game
from games.history.folding import Step, deals, ends_deal, finished_tricks, steps_of
from games.history.odd_plays import BOTS
from games.kit.contract import Sheet
from games.kit.drawing import SheetReader, TemplateData
from games.kit.language import lazy, say
from games.kit.words import Names
from games.models import Match
from games.play import store
from games.play.errors import NotAllowed, Refused
from games.play.versions import BROKEN, Unreadable, rules_of

# The label of a move. Scripts use the same words, from games/pages/sentences.py.
IN_DEAL = lazy("{deal_word} {deal}")
IN_TRICK = lazy("{deal_word} {deal}, trick {trick}")


class Viewpoint(NamedTuple):
    """The seat from which a replay is watched, with the options of the viewer.

    - seat: its cards are visible, as it saw the table; None shows nobody's
    - open: whether all cards are visible, in the deals that `is_open`
    - beside: a second seat with visible cards
    - blind: whether the pages hide how the match goes on
    """

    seat: int | None
    open: bool
    beside: int | None = None
    blind: bool = False


class Replay:
    """All positions of a match that has begun, for one viewer."""

    def __init__(self, match: Match, user_id: int | None = None) -> None:
        """Raises Unreadable. user_id: the viewer."""
        self.rules = rules_of(match)
        game = get_game(match.game)
        self.match = match
        self.snapshot = store.snapshot_of(match, match.seats.select_related("user"))
        self.drawing = game.drawing
        self.deal_word = game.deal_word
        self.over = match.status == Match.Status.OVER
        self.viewer = self.snapshot.player_number(user_id)
        self.players = [
            player | {"connected": True, "stand_in": False, "clock": None} for player in self.snapshot.players()
        ]
        self.steps = steps_of(match, self.rules)
        if self.snapshot.state is None or not self.steps:
            raise Unreadable(self.snapshot.obstacle or BROKEN)
        self.deals = list(deals(self.steps))
        self.last = len(self.steps) - 1
        self.hides = False  # Whether `end_with_deal` has cut off moves.
        self._memos: dict[str, object] = {}
        self.can_open = self._can_open(user_id)

    def memoize[T](self, key: str, read: Callable[[], T]) -> T:
        """Return the result of the function `read`, which is called only the first time for each key."""
        if key not in self._memos:
            self._memos[key] = read()
        return self._memos[key]  # type: ignore[return-value]  # Each key has one kind of value.

    def end_with_deal(self, move: int) -> None:
        """Cut off all deals after the deal of this move, so that no page reveals how the match goes on."""
        deal = next((deal for deal in self.deals if move <= deal.last), self.deals[-1])
        self.hides = move < self.last  # Pages then leave out comments and verdicts, too.
        self.deals = self.deals[: deal.number]
        self.steps = self.steps[: deal.last + 1]
        self.last = deal.last

    @property
    def stops(self) -> list[int]:
        """The moves at which stepping by trick stops: the start of each deal and the end of each trick."""
        return [move for deal in self.deals for move in (deal.start, *(trick.last for trick in deal.tricks))]

    @property
    def bot_moves(self) -> list[int]:
        """The indexes of the moves by bots, those for absent players included."""
        return [step.index for step in self.steps if step.actor in BOTS]

    @cached_property
    def times(self) -> list[float]:
        """The seconds between each move and the one before it. 0 for shuffles and unknown times."""
        return [0.0, *(_seconds(before, step) for before, step in pairwise(self.steps))]

    def viewpoint(
        self,
        user_id: int | None,
        seat: int | None = None,
        open_cards: bool = False,
        beside: int | None = None,
        blind: bool = False,
    ) -> Viewpoint:
        """Return a viewpoint: whose cards a user sees in this replay. Everybody may see all cards of a finished match.

        seat: the one whose cards are visible; None for the user's own. beside: a second such seat, or None. open_cards:
        whether all cards are visible. blind: whether pages hide how the match goes on. Raises Refused for a seat that
        does not exist, and NotAllowed for cards that the user may not see.
        """
        if max(seat or 0, beside or 0) >= len(self.players):
            raise Refused(lazy("This match has the seats 0 to {last}. Choose one of them.", last=len(self.players) - 1))
        if self.over:
            if seat is None:
                own_seat = self.snapshot.seat_of(user_id)
                seat = own_seat.number if own_seat else 0
            return Viewpoint(seat, open_cards, beside if beside != seat else None, blind)
        # In a running match users see only their own cards, and the cards of scored deals if the host allows it.
        if beside is not None:
            raise NotAllowed(lazy("You can see what two seats knew once the match is over."))
        own_number = self.snapshot.player_number(user_id)  # None for spectators.
        if open_cards and not self.can_open:
            raise NotAllowed(lazy("You can see all the cards once the match is over."))
        if seat not in (None, own_number):
            raise NotAllowed(lazy("You can see what another seat knew once the match is over."))
        return Viewpoint(own_number, open_cards, blind=blind)

    def _can_open(self, user_id: int | None) -> bool:
        """Return whether the user may see all cards: of a finished match, or of scored deals if the host allows it.

        If the match was abandoned, only its players may. user_id: None for a visitor.
        """
        if self.over:
            return True
        if not self.match.terms.open_deals:
            return False
        return self.match.status == Match.Status.PLAYING or self.snapshot.seat_of(user_id) is not None

    def is_open(self, move: int) -> bool:
        """Return whether viewers who `can_open` may see all hands after this move. A running match has scored deals."""
        return self.over or self.steps[move].deal in self._scored

    @property
    def last_opened(self) -> int | None:
        """The start of the latest scored deal, or None."""
        return self.deals[max(self._scored) - 1].start if self._scored else None

    @cached_property
    def _scored(self) -> frozenset[int]:
        """The numbers of the scored deals."""
        return frozenset(step.deal for step in self.steps if self.is_scored(step))

    def label(self, move: int) -> str:
        """Return the deal and trick of a move in the words of the game: "hand 4, trick 3"."""
        step = self.steps[move]
        words = IN_TRICK if step.trick else IN_DEAL
        return str(words).format(deal_word=self.deal_word, deal=step.deal, trick=step.trick)

    def words(self, move: int) -> str:
        """Describe a move without a full stop: "Ana plays the ten of hearts"."""
        step = self.steps[move]
        return self.drawing.move_words(step.move, self.players, step.seat)

    def words_for_viewer(self, move: int) -> str:
        """Describe a move without a full stop, and the viewer's own as "You play the ten of hearts"."""
        step = self.steps[move]
        return self.drawing.describe_move(step.move, step.seat, self.names)

    @property
    def names(self) -> Names:
        """The names of the players in texts for the viewer."""
        return Names([player["name"] for player in self.players], self.viewer)

    def by_trick(self, moves: Iterable[int]) -> Iterator[tuple[str, list[int]]]:
        """Yield the moves of a deal by trick, with a heading for each trick; "" for moves outside of tricks."""
        for trick, trick_moves in groupby(moves, lambda move: self.steps[move].trick):
            yield say("Trick {number}", number=trick) if trick else "", list(trick_moves)

    def moment(self, number: int, at: str) -> int | None:
        """Return the index of the move at a moment of a deal, or None if the deal had no such moment.

        number: of the deal. at: "start", "end", "trick-2" for the end of that trick, or a name that the game gives to
        moments such as a bid. If several moves have that name, the last one counts.
        """
        if number > len(self.deals):
            return None
        deal = self.deals[number - 1]
        if at == "start":
            return deal.start
        if at == "end":
            return deal.last
        if at.startswith("trick-"):
            return next((trick.last for trick in deal.tricks if f"trick-{trick.number}" == at), None)
        steps = [step for step in self.steps[deal.first : deal.last + 1] if at in self.drawing.moments_of(step.move)]
        return steps[-1].index if steps else None

    def sentences(self, move: int) -> list[str]:
        """Describe the events of a move in sentences."""
        return self.drawing.sentences(self.steps[move].events, self.players)

    def is_scored(self, step: Step) -> bool:
        """Return whether this step scores a deal."""
        return any(self.rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events)

    def ends_deal(self, move: int) -> bool:
        """Return whether a deal ends with this move, so that nobody holds cards after it."""
        return ends_deal({self.rules.meaning(event) for event in self.steps[move].events})

    def felt(self, move: int) -> TemplateData:
        """Draw what everybody saw after a move."""
        return self.drawing.felt(self.rules.view(self.steps[move].state, None), self.players)

    def hand(self, move: int, seat: int | None) -> object:
        """Draw the hand of a seat after a move. Return None if it is empty."""
        return self.drawing.mine(self.rules.view(self.steps[move].state, seat), [], self.players)["hand"]

    def open_hands(self, move: int) -> list[TemplateData]:
        """Draw the hands of all seats after a move."""
        state = self.steps[move].state
        tables = [self.rules.view(state, seat) for seat in range(len(self.players))]
        return self.drawing.open_hands(tables, self.players)

    def score_sheet(self, move: int) -> Sheet:
        """Return the score sheet after a move."""
        return self.rules.score_sheet(self.steps[move].state)

    def sheet(self, move: int, url_of: Callable[[int], str]) -> TemplateData:
        """Draw the score sheet after a move. Its deals, and figures such as bids, are links to moments in the replay.

        move: its index. url_of: a function that returns the URL of a move. Moments of a deal after this move have no
        link, because that would reveal them.
        """

        def link(deal: int, at: str = "start") -> str:
            """Return the URL of a moment of a deal, or "" if the sheet must not link to it."""
            index = self.moment(deal, at)
            if index is None or (at != "start" and index > move):
                return ""
            return url_of(index)

        tricks = partial(finished_tricks, self.rules, self.steps[: move + 1])
        standings = self.rules.standings(self.steps[move].state)
        is_over = self.over and not self.hides and move == self.last
        reader = SheetReader(self.viewer, tricks, link, standings, is_over=is_over)
        return self.drawing.sheet(self.score_sheet(move), self.players, reader)


def _seconds(before: Step, step: Step) -> float:
    """Return the time between a move and the one before it; 0 for shuffles and unknown times."""
    if step.seat is None or step.at is None or before.at is None:
        return 0.0
    return max(0.0, (step.at - before.at).total_seconds())
