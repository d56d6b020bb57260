"""A match seen again: its stored moves folded through the rules, and what anybody may see of each position.

A position is named by the index of the last move applied, shuffles included: move 0 is the position after the first
shuffle, and the last move is the end of the match or the present.
"""

from functools import cached_property, partial
from itertools import groupby, pairwise
from typing import NamedTuple

from games.catalog import Meaning, get_game
from games.history.folding import deals, ends_deal, finished_tricks, steps_of
from games.history.odd_plays import BOTS
from games.kit.drawing import Reader
from games.kit.language import lazy, say
from games.models import Match
from games.play import store
from games.play.errors import NotAllowed, Refused
from games.play.versions import BROKEN, Unreadable, rules_of

# Where a move belongs; scripts say so too, by games/pages/sentences.py
IN_DEAL = lazy("{deal_word} {deal}")
IN_TRICK = lazy("{deal_word} {deal}, trick {trick}")


class Sight(NamedTuple):
    """Whose cards are seen: those of one seat, as it knew the table, or of nobody (None).

    Where `open`, all of them, in the deals that `is_open`. beside: another seat, whose cards are seen too.
    blind: who looks wants to know nothing of what comes.
    """

    seat: int | None
    open: bool
    beside: int | None = None
    blind: bool = False


class Replay:
    """All positions of a match that has begun."""

    def __init__(self, match, user_id=None):
        """match: one that has begun. user_id: who looks. Raises Unreadable."""
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
        self.hides = False  # whether more came than it tells of
        self._beside = {}
        self.can_open = self._can_open(user_id)

    def beside(self, what, read):
        """What is stored elsewhere of this match, as `read` finds it: once, for all that is made of this replay."""
        if what not in self._beside:
            self._beside[what] = read()
        return self._beside[what]

    def end_with_deal(self, move):
        """Forget all that comes after the deal of a move: nothing that is made of this replay tells of it.

        A match that has reached its end by then hides nothing any more.
        """
        deal = next((deal for deal in self.deals if move <= deal.last), self.deals[-1])
        self.hides = move < self.last
        self.deals = self.deals[: deal.number]
        self.steps = self.steps[: deal.last + 1]
        self.last = deal.last

    @property
    def stops(self):
        """Where stepping by trick halts: at the start of each deal and at the end of each trick."""
        return [move for deal in self.deals for move in (deal.start, *(last for _, _, last in deal.tricks))]

    @property
    def bot_moves(self):
        """The indexes of the moves that bots have made, for their own seats or for absent players, in order."""
        return [step.index for step in self.steps if step.actor in BOTS]

    @cached_property
    def times(self):
        """How long each move took, in seconds since the one before it: a list; 0 of shuffles and where nobody knows."""
        return [0.0, *(_seconds(before, step) for before, step in pairwise(self.steps))]

    def sight(self, user_id, seat=None, open_cards=False, beside=None, blind=False):
        """The Sight that a user (None: nobody known) has asked for, or the usual one where `seat` is None.

        Raises Refused for a seat that there is not, NotAllowed for one whose cards the user may not know.
        """
        if max(seat or 0, beside or 0) >= len(self.players):
            raise Refused(lazy("This match has the seats 0 to {last}. Choose one of them.", last=len(self.players) - 1))
        if self.over:
            mine = self.snapshot.seat_of(user_id)
            if seat is None:
                seat = mine.number if mine else 0
            return Sight(seat, open_cards, beside if beside != seat else None, blind)
        if beside is not None:
            raise NotAllowed(lazy("You can see what two seats knew once the match is over."))
        mine = self.snapshot.player_number(user_id)
        if open_cards and not self.can_open:
            raise NotAllowed(lazy("You can see all the cards once the match is over."))
        if seat not in (None, mine):
            raise NotAllowed(lazy("You can see what another seat knew once the match is over."))
        return Sight(mine, open_cards, blind=blind)

    def _can_open(self, user_id):
        """Whether the user, who may see the match, may see all cards of deals that have been scored, or of all deals.

        Of a match that was given up that is for its players.
        """
        if self.over or not self.match.terms.open_deals:
            return self.over
        return self.match.status == Match.Status.PLAYING or self.snapshot.seat_of(user_id) is not None

    def is_open(self, move):
        """Whether all hands may be seen after a move by who `can_open`: while the match runs, if its deal is scored."""
        return self.over or self.steps[move].deal in self._scored

    @property
    def last_opened(self):
        """The start of the deal that was scored last, or None."""
        return self.deals[max(self._scored) - 1].start if self._scored else None

    @cached_property
    def _scored(self):
        """The numbers of the deals that have been scored."""
        return frozenset(step.deal for step in self.steps if self.is_scored(step))

    def label(self, move):
        """Where a move belongs, in the game's own word for a deal: "hand 4, trick 3"."""
        step = self.steps[move]
        words = IN_TRICK if step.trick else IN_DEAL
        return str(words).format(deal_word=self.deal_word, deal=step.deal, trick=step.trick)

    def words(self, move):
        """A move in words, without a full stop: "Ana plays the ten of hearts"."""
        step = self.steps[move]
        return self.drawing.move_words(step.move, self.players, step.seat)

    def by_trick(self, moves):
        """Yield (heading, moves) for the indexes of some moves of a deal: those of each trick, and those of none."""
        for trick, of_trick in groupby(moves, lambda move: self.steps[move].trick):
            yield say("Trick {number}", number=trick) if trick else "", list(of_trick)

    def moment(self, number, at):
        """The index of a moment of a deal, or None if it had none.

        at: "start", "end", "trick-2" for the end of that trick, or what the game calls a move: the last of these.
        """
        if number > len(self.deals):
            return None
        deal = self.deals[number - 1]
        if at == "start":
            return deal.start
        if at == "end":
            return deal.last
        if at.startswith("trick-"):
            played = [last for trick, _, last in deal.tricks if f"trick-{trick}" == at]
            return played[0] if played else None
        moves = [step for step in self.steps[deal.first : deal.last + 1] if at in self.drawing.moments_of(step.move)]
        return moves[-1].index if moves else None

    def sentences(self, move):
        """What happened at a move, as a list of sentences."""
        return self.drawing.sentences(self.steps[move].events, self.players)

    def is_scored(self, step):
        """Whether a deal is scored with one of the steps."""
        return any(self.rules.meaning(event) is Meaning.DEAL_SCORED for event in step.events)

    def ends_deal(self, move):
        """Whether a deal ended at a move, so that nobody holds a card any more."""
        return ends_deal({self.rules.meaning(event) for event in self.steps[move].events})

    def felt(self, move):
        """What everybody saw after a move, as the game's drawing makes it."""
        return self.drawing.felt(self.rules.view(self.steps[move].state, None), self.players)

    def hand(self, move, seat):
        """The hand of a seat after a move, as the game's drawing makes it; None if it is empty."""
        return self.drawing.mine(self.rules.view(self.steps[move].state, seat), [], self.players)["hand"]

    def open_hands(self, move):
        """Every seat's hand after a move, as the game's drawing makes them."""
        state = self.steps[move].state
        tables = [self.rules.view(state, seat) for seat in range(len(self.players))]
        return self.drawing.open_hands(tables, self.players)

    def score_sheet(self, move):
        """The score sheet as it stood after a move."""
        return self.rules.score_sheet(self.steps[move].state)

    def sheet(self, move, address):
        """The score sheet as the game's drawing makes it, its figures linked to moves up to this one, its deals to all.

        address: makes that of a move.
        """

        def link(deal, at="start"):
            index = self.moment(deal, at)
            there = index is not None and (at == "start" or index <= move)
            return address(index) if there else ""

        tricks = partial(finished_tricks, self.rules, self.steps[: move + 1])
        standings = self.rules.standings(self.steps[move].state)
        return self.drawing.sheet(self.score_sheet(move), self.players, Reader(self.viewer, tricks, link, standings))


def _seconds(before, step):
    """How long a Step took after the one before it."""
    if step.seat is None or step.at is None or before.at is None:
        return 0.0
    return max(0.0, (step.at - before.at).total_seconds())
