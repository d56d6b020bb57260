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


def contrast(made, better, **table):
    moves = [{"type": "bid", "contract": call} if call.isupper() else {"type": call} for call in (made, better)]
    return COACH.contrast({"phase": "bid", "contract": None} | table, *moves)


def test_a_better_call_is_explained_by_what_the_hand_holds():
    hand = ["JS", "9S", "7S", "AH"]

    assert contrast("pass", "S", hand=hand) == (
        "With spades as trumps the hand has 3 trumps, among them the jack and the nine."
    )
    assert contrast("H", "C", hand=hand) == (
        "With clubs as trumps the hand has no trump. With hearts as trumps the hand has 1 trump."
    )
    assert contrast("AT", "pass", hand=hand) == "For all trumps the hand has 1 jack."


def test_a_double_is_explained_by_the_trumps_of_the_contract():
    contract = {"contract": "NT", "bidder": 1, "level": 1}

    assert contrast("double", "pass", hand=["AS"], contract=contract) == "For no trumps the hand has 1 ace."
    assert contrast("pass", "pass", hand=["AS"], contract=contract) == ""


def test_a_declaration_costs_nothing():
    made, better = {"type": "play", "card": "7S"}, {"type": "declare", "kind": "tierce"}

    assert COACH.contrast({"phase": "play"}, made, better).startswith("Declaring costs nothing")


def test_belot_is_worth_its_points():
    made = {"type": "play", "card": "KS"}

    assert COACH.contrast({"phase": "play"}, made, made | {"belot": True}) == "Announcing belot brings 20 points."
