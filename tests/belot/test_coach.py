"""What the coach of Belot says of few cards."""

from games.belot import coach_words as words


def test_a_single_trump_is_no_plural():
    assert words.holds_trumps("C", 0, []) == "You hold no clubs."
    assert words.holds_trumps("C", 1, []) == "You hold one club."
    assert words.holds_trumps("C", 1, ["A"]) == "You hold the ace of clubs alone."
    assert words.holds_trumps("H", 3, ["J", "9"]) == "You hold three hearts with the jack and the nine."


def test_aces_and_jacks_are_counted():
    assert [words.holds(number, "A") for number in (0, 1, 2)] == [
        "You hold no aces.",
        "You hold one ace.",
        "You hold two aces.",
    ]
    assert words.holds(3, "J") == "You hold three jacks."


def test_a_bot_with_one_card_knew_its_own_card():
    assert words.knew(1, 50).startswith("It knew its own card, the calls, ")
    assert words.knew(2, 50).startswith("It knew its own 2 cards, the calls, ")
