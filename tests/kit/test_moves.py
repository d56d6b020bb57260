import pytest

from games.catalog import IllegalMove
from games.kit.moves import move_checker, remove_card

check_move = move_checker(
    "Snap", {"play": {"pass": [()], "play": [("card",), ("card", "shout")]}}, advice={"play": "Play, or pass."}
)


@pytest.mark.parametrize(
    "move", [{"type": "pass"}, {"type": "play", "card": 1}, {"shout": None, "card": "AS", "type": "play"}]
)
def test_type_of_a_move_that_fits(move):
    assert check_move(move, "play") == move["type"]


@pytest.mark.parametrize(
    ("move", "phase", "refusal"),
    [
        ({"type": "play", "card": "AS"}, "over", "The match is over."),
        ({"type": "play", "card": "AS"}, "deal", "The cards are not dealt yet. Wait for the deal."),
        ({"type": "deal", "deck": []}, "play", "Play, or pass."),
        ({"type": "bid"}, "play", "There is no such move in Snap."),
        ({"type": ["play"]}, "play", "There is no such move in Snap."),
        ("play", "play", "There is no such move in Snap."),
        ({"type": "deal"}, "deal", "A deal names the deck and nothing else."),
        ({"type": "pass", "card": "AS"}, "play", "A pass names its type and nothing else."),
        ({"type": "play", "shout": 1}, "play", "A play names the card or the card and the shout and nothing else."),
        (
            {"type": "play", "card": 1, 2: 3},
            "play",
            "A play names the card or the card and the shout and nothing else.",
        ),
    ],
)
def test_other_moves_are_refused(move, phase, refusal):
    with pytest.raises(IllegalMove) as caught:
        check_move(move, phase)

    assert str(caught.value) == refusal


@pytest.mark.parametrize("card", ["2C", None, 1, ["AS"], {}])
def test_card_that_is_not_held_cannot_leave(card):
    with pytest.raises(IllegalMove, match=r"^You do not hold that card\. Try another\.$"):
        remove_card((("AS",), ("2C",)), 0, card, "Try another.")
