"""The options of a match of Belot and how they are put to players. Source: "Options" on the rules page."""

from functools import cache

from games.belot.rules.pack import LAST_TRICK, PLAIN_POINTS, WEAK_HAND
from games.kit.contract import Choice, Format, OptionField, Preset
from games.kit.language import lazily, lazily_in

_PACKETS = {
    "3+2+3": Choice("3+2+3", lazily("3, 2, then 3"), lazily("You bid on five cards.")),
    "3+3+2": Choice("3+3+2", lazily("3, 3, then 2"), lazily("You bid on six cards.")),
    "3+3+3": Choice("3+3+3", lazily("3, 3, then 3"), lazily("You bid on six cards. Six more stay out of the deal.")),
}
_PACKETS_OF = {2: ("3+3+3",), 3: ("3+2+3", "3+3+2"), 4: ("3+2+3", "3+3+2")}

PRESETS = (
    Preset("encyclopedia", lazily("By the book"), lazily("If you can’t follow suit, you must trump."), {}),
    Preset(
        "club",
        lazily("Bulgarian club"),
        lazily("No need to trump your partner’s trick; belot on anyone’s lead."),
        {"trumping": "club", "belot_reply": "any"},
    ),
    Preset(
        "croatian",
        lazily("Croatian deal"),
        lazily("You bid on six cards and get two more to play with."),
        {"deal": "3+3+2"},
    ),
)


FORMATS = (
    Format("short", lazily("Short"), lazily("To 51"), {"target": 51}, {2: 7, 3: 8, 4: 6}, {2: 44, 3: 36, 4: 28}),
    Format("full", lazily("Full"), lazily("To 151"), {"target": 151}, {2: 19, 3: 25, 4: 18}, {2: 116, 3: 127, 4: 80}),
)


@cache  # lists ask for them line by line
def option_fields(seats=None):
    """The fields, for this number of seats or for any number (None)."""
    packets = _PACKETS_OF.get(seats, tuple(_PACKETS))
    return (
        OptionField(
            "target",
            lazily("Length"),
            lazily("The match ends once a side has this many match points; the higher total wins."),
            (
                Choice(151, lazily("To 151"), lazily("The usual match.")),
                Choice(101, lazily("To 101"), lazily("Two thirds of the usual length.")),
                Choice(51, lazily("To 51"), lazily("A third of the usual length.")),
            ),
            151,
        ),
        OptionField(
            "deal",
            lazily_in("the giving of cards", "Deal"),
            lazily("How many cards are dealt at a time. The last packet comes after the bidding."),
            tuple(_PACKETS[packet] for packet in packets),
            packets[0],
        ),
        OptionField(
            "dealer_pass",
            lazily("Dealer’s pass"),
            lazily("Whether the dealer may pass after everybody else has passed."),
            (
                Choice("free", lazily("Dealer may pass"), lazily("The deal is not played, and the next dealer deals.")),
                Choice(
                    "seven",
                    lazily("Dealer may pass with up to {points} points", points=WEAK_HAND),
                    lazily(
                        "With more the dealer must bid. An ace counts {A}, a ten {T}, a king {K}, a queen {Q}, a jack "
                        "{J}.",
                        **PLAIN_POINTS,
                    ),
                ),
                Choice(
                    "never", lazily("Dealer must bid"), lazily("If everybody else has passed, the dealer has to bid.")
                ),
            ),
            "free",
        ),
        OptionField(
            "third_double",
            lazily("Doubling"),
            lazily("Whether a redoubled contract may be doubled once more."),
            (
                Choice(
                    False, lazily("Two doubles"), lazily("A redoubled deal counts four times, and that is the most.")
                ),
                Choice(
                    True,
                    lazily("Third double"),
                    lazily("The defenders may double a redoubled contract: the deal then counts eight times."),
                ),
            ),
            False,
        ),
        OptionField(
            "trumping",
            lazily("Trumping"),
            lazily("What to play when you can’t follow suit and there is a trump suit."),
            (
                Choice(
                    "always",
                    lazily("Always a trump"),
                    lazily("Any trump will do, but it is your duty even if your partner is winning."),
                ),
                Choice(
                    "club",
                    lazily("Club rules"),
                    lazily("A trump that beats any in the trick; any card if you can’t or if your partner is winning."),
                ),
            ),
            "always",
        ),
        OptionField(
            "shared_cards",
            lazily("Square and sequence"),
            lazily("Whether one card may be declared both in a square and in a sequence."),
            (
                Choice(False, lazily("Cards declared once"), lazily("A card may be in one declaration only.")),
                Choice(True, lazily("Cards declared twice"), lazily("A card may be in a square and in a sequence.")),
            ),
            False,
        ),
        OptionField(
            "belot_reply",
            lazily("Belot when following suit"),
            lazily("Whether you may announce belot when you follow suit to an opponent’s lead."),
            (
                Choice(
                    "partner",
                    lazily("Belot on the partner’s lead"),
                    lazily("You announce it when you lead, when you trump, or on your partner’s lead."),
                ),
                Choice(
                    "any",
                    lazily("Belot on any lead"),
                    lazily("You announce it whenever you play the card, except as a discard."),
                ),
            ),
            "partner",
        ),
        OptionField(
            "last_trick_ten",
            lazily("Last trick"),
            lazily("Whether the last trick counts {points} points besides its cards.", points=LAST_TRICK),
            (
                Choice(
                    True, lazily("{points} for the last trick", points=LAST_TRICK), lazily("Besides the cards in it.")
                ),
                Choice(False, lazily("Nothing for the last trick"), lazily("Only its cards count.")),
            ),
            True,
        ),
        OptionField(
            "hanging",
            lazily("Ties"),
            lazily("What happens when the bidding side has exactly as many points as the defenders."),
            (
                Choice(
                    True, lazily("Ties hang"), lazily("The bidders’ match points wait for whoever wins the next deal.")
                ),
                Choice(False, lazily("Ties are lost"), lazily("The bidding side is inside.")),
            ),
            True,
        ),
        OptionField(
            "kirtik",
            lazily("Kirtik"),
            lazily("Minus 10 for a side that bid or was doubled and did not win, or that took no trick in a valat."),
            (
                Choice(False, lazily("No kirtik"), lazily("Nobody loses match points.")),
                Choice(True, lazily("Kirtik"), lazily("Totals may fall below zero.")),
            ),
            False,
        ),
    )
