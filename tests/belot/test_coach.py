"""What the coach of Belot says of few cards."""

from games.belot.coach import BelotCoach

COACH = BelotCoach()


def holding(hand, contract):
    (reason,) = COACH.reasons({"hand": hand.split()}, {"type": "bid", "contract": contract})
    return reason


def test_a_single_trump_is_no_plural():
    assert holding("AS", "C") == "You hold no clubs."
    assert holding("8C AS", "C") == "You hold one club."
    assert holding("AC AS", "C") == "You hold the ace of clubs alone."
    assert holding("9H JH 7H AS", "H") == "You hold three hearts with the jack and the nine."


def test_aces_and_jacks_are_counted():
    assert [holding(hand, "NT") for hand in ("JC", "AC JC", "AC JC AS")] == [
        "You hold no aces.",
        "You hold one ace.",
        "You hold two aces.",
    ]
    assert holding("JC JD JS AC", "AT") == "You hold three jacks."


def test_a_bot_with_one_card_knew_its_own_card():
    assert COACH.knowledge({"phase": "play", "hand": ["AC"]}, 50).startswith("It knew its own card, the calls, ")
    assert COACH.knowledge({"phase": "play", "hand": ["AC", "7C"]}, 50).startswith(
        "It knew its own 2 cards, the calls, "
    )
