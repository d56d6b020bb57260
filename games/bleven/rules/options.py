"""The options of a match of Bleven, with their texts for players. Source: "Options" on the rules page."""

from functools import cache

from games.bleven.rules.state import CROWN, MIN_SUM, VERSION_1_OPTIONS
from games.kit.contract import Choice, Format, OptionField, Preset, choice, option
from games.kit.language import Lazy, lazy, lazy_count, lazy_in

PRESETS = (
    Preset(
        "house",
        lazy("House rules"),
        lazy("Giving up costs 4 stones in all, any bet can be topped by a better prediction, and a match always ends."),
        {},
    ),
    Preset(
        "letter",
        lazy("To the letter"),
        lazy(
            "The author’s own rules: up to 30 stones at stake; giving up costs 1; believing can win the "
            "bet too; side bets on any number of tricks; as many draws as you like; no last round."
        ),
        {
            "max_bet": 30,
            "deduced_miss": "bet",
            "leave_cost": 1,
            "counter": "any",
            "side_changes": "open",
            "five": "may",
            "rounds": 0,
        },
    ),
)

LEAVE_COST = {2: 4, 4: 2}  # by number of seats: the default, in stones to each opponent
FORMATS = (
    Format("short", lazy("Short"), lazy("One crown"), {"crowns": 1}, {2: 6, 4: 4}, {2: 27, 4: 17}),
    Format("full", lazy("Long"), lazy("Two crowns"), {"crowns": 2}, {2: 12, 4: 8}, {2: 62, 4: 32}),
)

_STAKE_HELP = {  # by highest stake
    4: lazy("Points count for more than bets."),
    10: lazy("As much as two tricks with two positions bring."),
    30: lazy("A whole crown in one round."),
}


def _stones(number: int) -> Lazy:
    return lazy_count(number, "{number} stone", "{number} stones")


def _rounds(number: int) -> Lazy:
    return lazy_count(number, "{number} round", "{number} rounds")


@cache  # Pages with many tables call this for each of them.
def option_fields(seats: int | None = None) -> tuple[OptionField, ...]:
    return (
        OptionField(
            "crowns",
            lazy("Crowns to win"),
            lazy("How many crowns, of {stones} stones each, win the match.", stones=CROWN),
            tuple(
                Choice(crowns, label, lazy("The match is won with {stones} stones.", stones=crowns * CROWN))
                for crowns, label in enumerate((lazy("One crown"), lazy("Two crowns"), lazy("Three crowns")), 1)
            ),
            1,
        ),
        OptionField(
            "max_bet",
            lazy("Highest stake"),
            lazy("The most stones that can be at stake in a round, side bets included."),
            tuple(Choice(stones, _stones(stones), _STAKE_HELP.get(stones, "")) for stones in range(4, 31)),
            10,
        ),
        option(
            "deduced_miss",
            "Failed prediction",
            "What a player who believed a prediction gets when it fails.",
            "nothing",
            Choice(
                "nothing",
                lazy_in("what a player gets", "Nothing"),
                lazy("Only a player who doubted it (suspect) wins the bet."),
            ),
            choice("bet", "The bet", "A prediction that fails loses the bet, no matter how it was answered."),
        ),
        option(
            "leave_cost",
            "Price of giving up",
            "What a side that leaves, goes out or has less than {enough} gives to each opponent; going out, 1 "
            "stone more.",
            LEAVE_COST[4 if seats == 4 else 2],
            Choice(1, _stones(1), lazy("Cheap: many rounds end before the tricks. A pair gets 2.")),
            Choice(2, _stones(2), lazy("The usual price with four players: a pair gets 4.")),
            Choice(3, _stones(3), lazy("A pair gets 6.")),
            Choice(4, _stones(4), lazy("The usual price with two players; a pair gets 8.")),
            Choice(5, _stones(5), lazy("As much as a middling bet. A pair gets 10.")),
            enough=MIN_SUM,
        ),
        option(
            "counter",
            "Counter-prediction",
            "How many stones it takes to answer a prediction with one of your own.",
            "any",
            Choice(
                "any",
                lazy_in("number of stones", "Any"),
                lazy("One or more. With no room for another: none, but then it must name more tricks or positions."),
            ),
            Choice(
                "double",
                lazy_in("number of stones", "Double"),
                lazy("At least as many as are at stake, so a high bet can’t be answered like this."),
            ),
        ),
        option(
            "side_changes",
            "New numbers in side bets",
            "Who may change the number of tricks by a side bet, and when.",
            "closed",
            Choice(
                "closed",
                lazy_in("new numbers in side bets", "Closed"),
                lazy(
                    "The declaring side may go up, the others change it once it fails. It at least doubles the stakes."
                ),
            ),
            Choice(
                "open",
                lazy_in("new numbers in side bets", "Open"),
                lazy("Either side may change it to any number it can still reach, for a stone or more."),
            ),
        ),
        option(
            "five",
            "Five cards in the reserve",
            "Whether you may draw on with five cards in your reserve.",
            "must",
            Choice(
                "must",
                lazy_in("with five cards in the reserve", "Stop"),
                lazy("You stay or leave, or declare with {enough} or more.", enough=MIN_SUM),
            ),
            Choice(
                "may",
                lazy_in("with five cards in the reserve", "Draw on"),
                lazy("You may draw as long as there are cards in the pile."),
            ),
        ),
        option(
            "rounds",
            "Most rounds",
            "After how many rounds the higher total wins; if the totals are level, one more round decides.",
            60,
            choice(0, "No limit", "The match goes on until a side has its crowns, however long that takes."),
            Choice(20, _rounds(20), lazy("A match to one crown rarely gets there, one to three often does.")),
            Choice(40, _rounds(40), lazy("Few matches get there.")),
            Choice(60, _rounds(60), lazy("Hardly ever reached; it makes sure that every match ends.")),
            Choice(100, _rounds(100), lazy("The longest match that is sure to end.")),
        ),
    )


@cache
def version_1_fields(seats: int | None = None) -> tuple[OptionField, ...]:
    return tuple(field for field in option_fields(seats) if field.name in VERSION_1_OPTIONS)
