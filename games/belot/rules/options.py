"""The options of a match, with their texts for players. Source: "Options" on the rules page."""

from functools import cache

from games.belot.rules.pack import LAST_TRICK, PLAIN_POINTS, WEAK_HAND
from games.belot.rules.scoring import KIRTIK
from games.kit.contract import Format, OptionField, Preset, choice, option
from games.kit.language import lazy, lazy_in

_PACKETS = {
    "3+2+3": choice("3+2+3", "3, 2, then 3", "You bid on five cards."),
    "3+3+2": choice("3+3+2", "3, 3, then 2", "You bid on six cards."),
    "3+3+3": choice("3+3+3", "3, 3, then 3", "You bid on six cards. Six more stay out of the deal."),
}
_PACKETS_BY_SEATS = {2: ("3+3+3",), 3: ("3+2+3", "3+3+2"), 4: ("3+2+3", "3+3+2")}

PRESETS = (
    Preset("encyclopedia", lazy("By the book"), lazy("If you can’t follow suit, you must trump."), {}),
    Preset(
        "club",
        lazy("Bulgarian club"),
        lazy("No need to trump your partner’s trick; belot on anyone’s lead."),
        {"trumping": "club", "belot_reply": "any"},
    ),
    Preset(
        "croatian",
        lazy("Croatian deal"),
        lazy("You bid on six cards and get two more to play with."),
        {"deal": "3+3+2"},
    ),
)


FORMATS = (
    Format("short", lazy("Short"), lazy("To 51"), {"target": 51}, {2: 7, 3: 8, 4: 6}, {2: 44, 3: 36, 4: 28}),
    Format("full", lazy("Full"), lazy("To 151"), {"target": 151}, {2: 19, 3: 25, 4: 18}, {2: 116, 3: 127, 4: 80}),
)


@cache  # Lists of matches read the fields once per match.
def option_fields(seats: int | None = None) -> tuple[OptionField, ...]:
    packets = _PACKETS_BY_SEATS[seats] if seats else tuple(_PACKETS)
    return (
        option(
            "target",
            "Length",
            "The match ends once a side has this many match points; the higher total wins.",
            151,
            choice(151, "To 151", "The usual match."),
            choice(101, "To 101", "Two thirds of the usual length."),
            choice(51, "To 51", "A third of the usual length."),
        ),
        OptionField(
            "deal",
            lazy_in("the giving of cards", "Deal"),
            lazy("How many cards are dealt at a time. The last packet comes after the bidding."),
            tuple(_PACKETS[packet] for packet in packets),
            packets[0],
        ),
        option(
            "dealer_pass",
            "Dealer’s pass",
            "Whether the dealer may pass after everybody else has passed.",
            "free",
            choice("free", "Dealer may pass", "The deal is not played, and the next dealer deals."),
            choice(
                "seven",
                "Dealer may pass with up to {points} points",
                "With more the dealer must bid. An ace counts {A}, a ten {T}, a king {K}, a queen {Q}, a jack {J}.",
                points=WEAK_HAND,
                **PLAIN_POINTS,
            ),
            choice("never", "Dealer must bid", "If everybody else has passed, the dealer has to bid."),
        ),
        option(
            "third_double",
            "Doubling",
            "Whether a redoubled contract may be doubled once more.",
            False,
            choice(False, "Two doubles", "A redoubled deal counts four times, and that is the most."),
            choice(
                True, "Third double", "The defenders may double a redoubled contract: the deal then counts eight times."
            ),
        ),
        option(
            "trumping",
            "Trumping",
            "What to play when you can’t follow suit and there is a trump suit.",
            "always",
            choice(
                "always", "Always a trump", "Any trump will do, but it is your duty even if your partner is winning."
            ),
            choice(
                "club",
                "Club rules",
                "A trump that beats any in the trick; any card if you can’t or if your partner is winning.",
            ),
        ),
        option(
            "shared_cards",
            "Square and sequence",
            "Whether one card may be declared both in a square and in a sequence.",
            False,
            choice(False, "Cards declared once", "A card may be in one declaration only."),
            choice(True, "Cards declared twice", "A card may be in a square and in a sequence."),
        ),
        option(
            "belot_reply",
            "Belot when following suit",
            "Whether you may announce belot when you follow suit to an opponent’s lead.",
            "partner",
            choice(
                "partner",
                "Belot on the partner’s lead",
                "You announce it when you lead, when you trump, or on your partner’s lead.",
            ),
            choice("any", "Belot on any lead", "You announce it whenever you play the card, except as a discard."),
        ),
        option(
            "last_trick_ten",
            "Last trick",
            "Whether the last trick counts {points} extra points.",
            True,
            choice(True, "{points} for the last trick", "In addition to its cards.", points=LAST_TRICK),
            choice(False, "Nothing for the last trick", "Only its cards count."),
            points=LAST_TRICK,
        ),
        option(
            "hanging",
            "Ties",
            "What happens when the bidding side has exactly as many points as the defenders.",
            True,
            choice(True, "Ties hang", "The winners of the next deal get the bidders’ match points."),
            choice(False, "Ties are lost", "The bidding side is inside."),
        ),
        option(
            "kirtik",
            "Kirtik",
            "Minus {points} for a side that bid or was doubled and did not win, or that took no trick in a valat.",
            False,
            choice(False, "No kirtik", "Nobody loses match points."),
            choice(True, "Kirtik", "Totals may fall below zero."),
            points=-KIRTIK,
        ),
    )
