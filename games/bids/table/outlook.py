"""The label under each card of the hand: what the card would do to the trick, with what the seat knows."""

from collections.abc import Iterator

from games.bids.rules.pack import ALLY, BLACK, DOUBLE, NUMBER, SURPRISE, Outcome, is_black, top_colours, trick_outcome
from games.bids.rules.scoring import lucky_loser_points
from games.bids.table import words
from games.bids.table.terms import add_up
from games.bids.types import RoundInProgress, View
from games.kit.contract import Card, Seat
from games.kit.words import Names


def outlooks(table: View, names: Names) -> dict[Card, str]:
    """Return the label of each card in hand. table: the view of the seat to act."""
    return {card: " · ".join(map(str, _labels_of_card(table, card, names))) for card in table["hand"]}


def _labels_of_card(table: View, card: Card, names: Names) -> list[str]:
    """Return the labels of a card in hand: who would win the trick if it were played, and what would follow from that.

    The Ally is a card that cannot win. Its player and the winner of its trick share their points: they are partners.
    """
    seat = table["seat"]
    assert seat is not None
    after: View = {**table, "plays": [*table["plays"], {"seat": seat, "card": card}]}  # the table after the card
    outcome = outcome_so_far(after)
    if outcome is None:  # No card with a number has been bid: this one is the Ally.
        return [words.ALLIES_WITH_WINNER]
    # Labels say whether the result is final. A bid to come or a card that is face down may change it.
    final = len(after["plays"]) == table["seats"] and not has_competing_hidden_card(after)
    if outcome.winning is None:  # Nobody would win: the trick would be burnt.
        label = _burnt_label(after, seat, outcome, final, names)
        return [label, words.NO_ALLIANCE] if any(play["card"] == ALLY for play in after["plays"]) else [label]
    winner = after["plays"][outcome.winning]["seat"]
    if card == ALLY:
        return [words.allies(names[winner], final)]
    if winner == seat:
        return [_win_label(after, seat, final), *_consequences(after, seat, names)]
    label = words.loses(names[winner], words.worth_of(visible_black_cards(after), table["centre"] == SURPRISE), final)
    is_partner = _current_partners(table).get(seat) == winner
    return [label, words.SHARED_WITH_YOU] if is_partner else [label]


def _win_label(after: View, seat: Seat, final: bool) -> str:
    cards = visible_black_cards(after)
    if DOUBLE in cards:
        return words.wins_double(points_before_doubling(after, seat), final)
    return words.wins(words.worth_of(cards, after["centre"] == SURPRISE), final)


def _consequences(after: View, seat: Seat, names: Names) -> Iterator[str]:
    """Yield the labels for what would follow if the seat won the trick. after: the table with its card played.

    The winner shares its points of the round with the player of the Ally, a special card. Earlier allies share them
    already. A seat that has won a black card can no longer be a Lucky Loser, who gets points for winning none.
    """
    current = after["score_sheet"]["current"]
    for play in after["plays"]:
        if play["card"] == ALLY:
            yield words.allied_with(names[play["seat"]])
    partners = _current_partners(after)
    if seat in partners:
        yield words.shared_with(names[partners[seat]])
    if current and not current["black_cards"][seat]:
        yield words.no_lucky_loser(lucky_loser_points(after["seats"], after["score_sheet"]["null_rounds"][seat]))


def _burnt_label(after: View, seat: Seat, outcome: Outcome, final: bool, names: Names) -> str:
    """Return the label that says why nobody would win the trick: the cards with the best number tie.

    With the option for colour bids only the colours that were bid most often can win, and the black card in the centre
    counts as a bid. It may be one of the tied cards, or the best. after: the table after the seat's card. outcome: the
    result then. final: whether it can no longer change.
    """
    if outcome.by_centre:
        return words.centre_wins(final)
    plays, colour_bids = after["plays"], after["options"]["colour_bids"]
    top = top_colours([play["card"] for play in plays]) if colour_bids else set()
    best = NUMBER[plays[outcome.leading]["card"]]
    contenders = [play for play in plays if not colour_bids or play["card"][0] in top]
    tied = [play["seat"] for play in contenders if NUMBER.get(play["card"]) == best]
    rivals = [names[other] for other in tied if other != seat]  # the others whose bids are tied
    if BLACK in top and after["centre"] and NUMBER.get(after["centre"]) == best:
        rivals.append(str(words.THE_CENTRE))
    return (words.ties if seat in tied else words.others_tie)(rivals, final)


# The trick in progress, in the view of a seat or a spectator


def outcome_so_far(table: View) -> Outcome | None:
    """Return the outcome of the trick if no more cards were played, or None if nobody could win it yet.

    Only cards with a number can win.
    """
    cards = [play["card"] for play in table["plays"]]
    if table["centre"] is None or all(card not in NUMBER for card in cards):
        return None
    return trick_outcome(cards, table["centre"], lowest=table["lowest"], colour_bids=table["options"]["colour_bids"])


def has_competing_hidden_card(table: View) -> bool:
    """Return whether a card that is still face down may beat all bids, so that nobody wins the trick.

    It is a black card under the Surprise card in the centre. With the option for colour bids it counts as a bid. It can
    be the best if black is one of the colours that were bid most often.
    """
    cards = [play["card"] for play in table["plays"]]
    is_hidden_card_a_bid = table["centre"] == SURPRISE and table["options"]["colour_bids"]
    return is_hidden_card_a_bid and bool(cards) and BLACK in top_colours(cards)


def visible_black_cards(table: View) -> list[Card]:
    """Return the centre card and the black bids. A trick must be in progress."""
    assert table["centre"]
    return [table["centre"], *(play["card"] for play in table["plays"] if is_black(play["card"]))]


def points_before_doubling(table: View, seat: Seat) -> int:
    """Return the points that the black 2×, the prize of this trick, would double if the seat won it now.

    These are its points of the round so far, and the numbers on the black cards that were bid in this trick.
    """
    current = table["score_sheet"]["current"]
    assert current
    _prize, *black_bids = visible_black_cards(table)
    _, points = add_up(black_bids)
    return points + current["trick_points"][seat]


def _current_partners(table: View) -> dict[Seat, Seat]:
    return partners_of(table["score_sheet"]["current"])


def partners_of(row: RoundInProgress | None) -> dict[Seat, Seat]:
    """Return the partner of each allied seat in a round of the score sheet."""
    ally = row and row["ally"]
    return {ally["seat"]: ally["partner"], ally["partner"]: ally["seat"]} if ally else {}
