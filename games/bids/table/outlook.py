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
    """Return what the card would do to the trick, and the consequences."""
    seat = table["seat"]
    assert seat is not None
    after: View = {**table, "plays": [*table["plays"], {"seat": seat, "card": card}]}
    outcome = outcome_so_far(after)
    if outcome is None:
        return [words.ALLIES_WITH_WINNER]
    final = len(after["plays"]) == table["seats"] and not has_competing_hidden_card(after)
    if outcome.winning is None:
        label = _burnt_label(after, seat, outcome, final, names)
        return [label, words.NO_ALLIANCE] if any(play["card"] == ALLY for play in after["plays"]) else [label]
    winner = after["plays"][outcome.winning]["seat"]
    if card == ALLY:
        return [words.allies(names[winner], final)]
    if winner == seat:
        return [_win_label(after, seat, final), *_consequences(after, seat, names)]
    label = words.loses(names[winner], words.worth(visible_black_cards(after), table["centre"] == SURPRISE), final)
    is_partner = _current_partners(table).get(seat) == winner
    return [label, words.SHARED_WITH_YOU] if is_partner else [label]


def _win_label(after: View, seat: Seat, final: bool) -> str:
    cards = visible_black_cards(after)
    if DOUBLE in cards:
        return words.wins_double(points_before_doubling(after, seat), final)
    return words.wins(words.worth(cards, after["centre"] == SURPRISE), final)


def _consequences(after: View, seat: Seat, names: Names) -> Iterator[str]:
    """Yield the labels for what else changes if the seat wins the trick."""
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
    """Return the label that says why nobody would win."""
    if outcome.by_centre:
        return words.centre_wins(final)
    plays, colours = after["plays"], after["options"]["colour_bids"]
    top = top_colours([play["card"] for play in plays]) if colours else set()
    best = NUMBER[plays[outcome.leading]["card"]]
    tied = [
        play["seat"] for play in plays if NUMBER.get(play["card"]) == best and (not colours or play["card"][0] in top)
    ]
    rivals = [names[other] for other in tied if other != seat]
    if BLACK in top and after["centre"] and NUMBER.get(after["centre"]) == best:
        rivals.append(str(words.THE_CENTRE))
    return (words.ties if seat in tied else words.others_tie)(rivals, final)


# The trick in progress, in the view of a seat or a spectator


def outcome_so_far(table: View) -> Outcome | None:
    """Return the outcome if no more cards were played, or None if nobody has bid a number."""
    cards = [play["card"] for play in table["plays"]]
    if table["centre"] is None or all(card not in NUMBER for card in cards):
        return None
    return trick_outcome(cards, table["centre"], lowest=table["lowest"], colour_bids=table["options"]["colour_bids"])


def has_competing_hidden_card(table: View) -> bool:
    """Return whether the card under the Surprise card may beat all bids."""
    cards = [play["card"] for play in table["plays"]]
    return (
        table["centre"] == SURPRISE and table["options"]["colour_bids"] and bool(cards) and BLACK in top_colours(cards)
    )


def visible_black_cards(table: View) -> list[Card]:
    """Return the centre card and the black bids. A trick must be in progress."""
    assert table["centre"]
    return [table["centre"], *(play["card"] for play in table["plays"] if is_black(play["card"]))]


def points_before_doubling(table: View, seat: Seat) -> int:
    """Return the points that the black 2× would double if the seat won it now, including the points of the trick."""
    current = table["score_sheet"]["current"]
    assert current
    _, points = add_up(visible_black_cards(table)[1:])
    return points + current["trick_points"][seat]


def _current_partners(table: View) -> dict[Seat, Seat]:
    return partners_of(table["score_sheet"]["current"])


def partners_of(row: RoundInProgress | None) -> dict[Seat, Seat]:
    """Return the partner of each allied seat in a round of the score sheet."""
    ally = row and row["ally"]
    return {ally["seat"]: ally["partner"], ally["partner"]: ally["seat"]} if ally else {}
