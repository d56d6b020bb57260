"""The options of a match of Belot and how they are put to players. Source: "Options" on the rules page."""

from games.kit.contract import Choice, Format, OptionField, Preset

_PACKETS = {
    "3+2+3": Choice("3+2+3", "3, 2, then 3", "You bid on five cards."),
    "3+3+2": Choice("3+3+2", "3, 3, then 2", "You bid on six cards."),
    "3+3+3": Choice("3+3+3", "3, 3, then 3", "You bid on six cards. Six more stay out of the deal."),
}
_PACKETS_OF = {2: ("3+3+3",), 3: ("3+2+3", "3+3+2"), 4: ("3+2+3", "3+3+2")}

PRESETS = (
    Preset("encyclopedia", "Encyclopedia", "By the book: who cannot follow suit must trump.", {}),
    Preset(
        "club",
        "Bulgarian club",
        "No need to trump your partner; belot on anyone's lead.",
        {"trumping": "club", "belot_reply": "any"},
    ),
    Preset("croatian", "Croatian deal", "Six cards to bid on, two more to play with.", {"deal": "3+3+2"}),
)


FORMATS = (
    Format("short", "Short", "To 51", {"target": 51}, {2: 7, 3: 8, 4: 6}),
    Format("full", "Full", "To 151", {"target": 151}, {2: 19, 3: 25, 4: 18}),
)


def option_fields(seats=None):
    """The fields, for this number of seats or for any number (None)."""
    packets = _PACKETS_OF.get(seats, tuple(_PACKETS))
    return (
        OptionField(
            "target",
            "Length",
            "The match ends once a side has this many match points; the higher total wins.",
            (
                Choice(151, "To 151", "The usual match."),
                Choice(101, "To 101", "A shorter match."),
                Choice(51, "To 51", "A short match."),
            ),
            151,
        ),
        OptionField(
            "deal",
            "Deal",
            "In which packets cards are dealt; the last packet comes after the bidding.",
            tuple(_PACKETS[packet] for packet in packets),
            packets[0],
        ),
        OptionField(
            "dealer_pass",
            "Dealer's pass",
            "Whether the dealer may pass too when all others have passed.",
            (
                Choice("free", "Dealer may pass", "Then nothing is played and the next dealer deals."),
                Choice(
                    "seven",
                    "Dealer passes with 7 at most",
                    "An ace counts 11, a ten 10, a king 4, a queen 3, a jack 2.",
                ),
                Choice("never", "Dealer must bid", "If everybody else has passed, the dealer has to bid."),
            ),
            "free",
        ),
        OptionField(
            "third_double",
            "Doubling",
            "Whether what has been doubled and redoubled may be doubled once more, to eight times.",
            (
                Choice(False, "Two doubles", "Four times is the most."),
                Choice(True, "Third double", "The defenders may double a redoubled contract."),
            ),
            False,
        ),
        OptionField(
            "trumping",
            "Trumping",
            "What you must play when you cannot follow suit and there is a trump suit.",
            (
                Choice("always", "Always a trump", "Any trump will do, even if your partner is winning."),
                Choice(
                    "club",
                    "Club rules",
                    "A trump higher than those in the trick if you have one; any card if your partner is winning.",
                ),
            ),
            "always",
        ),
        OptionField(
            "shared_cards",
            "Cards declared",
            "Whether a card may be in a declared square and in a declared sequence.",
            (
                Choice(False, "Cards declared once", "Each card counts in one declaration."),
                Choice(True, "Cards declared twice", "Once in a square and once in a sequence."),
            ),
            False,
        ),
        OptionField(
            "belot_reply",
            "Belot when following suit",
            "Whose lead you may follow with a king or queen of trumps and announce belot.",
            (
                Choice("partner", "Belot on the partner's lead", "Besides leading and trumping."),
                Choice("any", "Belot on any lead", "An opponent's too."),
            ),
            "partner",
        ),
        OptionField(
            "last_trick_ten",
            "Ten for the last trick",
            "Whether the last trick is worth 10 points besides its cards.",
            (
                Choice(True, "Last trick 10", "It is worth 10 points more."),
                Choice(False, "No last ten", "Nothing but its cards."),
            ),
            True,
        ),
        OptionField(
            "hanging",
            "Level points",
            "What happens when the bidding side has just as many points as the defenders.",
            (
                Choice(True, "Level points hang", "Its match points wait for the side that wins the next deal."),
                Choice(False, "Level is inside", "The bidding side has lost the deal."),
            ),
            True,
        ),
        OptionField(
            "kirtik",
            "Kirtik",
            "10 match points off for those who bid or were doubled and did not win, or who took no trick in a valat.",
            (
                Choice(False, "No kirtik", "Nobody loses match points."),
                Choice(True, "Kirtik", "Totals may fall below zero."),
            ),
            False,
        ),
    )
