"""The drawing of Belot: what every other layer asks for."""

from games.belot.table.felt import felt
from games.belot.table.marks import EVENT_MARKS, MARK_KINDS
from games.belot.table.mine import mine
from games.belot.table.sheet import sheet
from games.belot.table.terms import ranks_in
from games.belot.table.words import EVERYBODY_PASSED, SENTENCES, move_words
from games.kit.cards import SUITS
from games.kit.drawing import Drawing, no_link, no_tricks


class BelotDrawing(Drawing):
    """Source: the rules page of Belot for what is on the table, and its players for how it is called."""

    event_sentences = SENTENCES
    mark_kinds, event_marks = MARK_KINDS, EVENT_MARKS
    rules_sections = {"bid": "bidding", "play": "play", "deal": "scoring", "over": "end"}

    def trump_of(self, table):
        """While there is bidding nothing is trump yet, so that hands keep their order."""
        contract = _final_contract(table)
        return contract if contract and contract in SUITS else None

    def ranks_of(self, table):
        return ranks_in(_final_contract(table))

    def felt(self, table, players):
        return felt(table, players)

    def news(self, events, players):
        passed = any(event["type"] == "passed_out" for event in events)
        return str(EVERYBODY_PASSED) if passed else ""

    def mine(self, table, moves, players):
        return mine(self, table, moves, players)

    def sheet(self, score_sheet, players, viewer=None, tricks=no_tricks, link=no_link, standings=()):
        return sheet(score_sheet, players, viewer, link)

    def move_words(self, move, players, seat=None):
        return move_words(move, players[seat]["name"] if seat is not None else "")


def _final_contract(table):
    return table["contract"]["contract"] if table["phase"] == "play" else None
