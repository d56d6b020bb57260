"""The part of a table of Bids that everybody sees."""

from functools import partial

from games.bids.rules.pack import BLACK, COLOURS, DOUBLE, NUMBER, SURPRISE, Outcome, colour_counts, is_black
from games.bids.rules.scoring import lucky_loser_points
from games.bids.table import words
from games.bids.table.outlook import (
    has_competing_hidden_card,
    outcome_so_far,
    partners_of,
    points_before_doubling,
    visible_black_cards,
)
from games.bids.table.terms import COLOUR_CLASSES, COLOUR_WORDS, add_up, points_unit
from games.bids.types import FinishedTrick, ScoreSheet, View
from games.kit.contract import Card, Score, Seat, rank_seats
from games.kit.drawing import DASH, Players, TemplateData, caption, draw_felt, draw_tricks, slots
from games.kit.language import cache_by_language
from games.kit.markup import FACES, MINI, Markup, as_markup, back, personal_markup
from games.kit.words import leads, winners_words, with_sign


def felt(table: View, players: Players) -> TemplateData:
    names = [player["name"] for player in players]
    last_trick = _visible_last_trick(table)
    outcome = None if last_trick else outcome_so_far(table)
    totals, ranks = table["score_sheet"]["totals"], _draw_ranks(table["score_sheet"])
    parts, seats = zip(_tallies(table), _draw_slots(table, last_trick, outcome), strict=True), []
    for seat, ((tally, partner), (slot, face)) in enumerate(parts):
        ally = names[partner] if partner is not None else ""
        total = Markup(with_sign(totals[seat]))
        seats.append(
            {"tally": tally, "rank": ranks.get(seat), "slot": slot, "face": face, "ally": ally, "total": total}
        )
    classes = "clockwise with-colours" if table["options"]["colour_bids"] else "clockwise"
    tricks = table["tricks"] or ([last_trick] if last_trick else [])
    return draw_felt(table, players, seats, classes=classes) | {
        "contract": _prize_slip(table, last_trick, outcome, names),
        "centre": _draw_centre(table),
        "gone": _draw_last_prize(table, last_trick) if last_trick else None,
        "caption": _caption(table, last_trick, outcome, names),
        "tricks": draw_tricks(tricks, names, words.trick_summary, _turned_up),
        "lucky_loser": words.lucky_loser_rule(table["seats"]),
    }


# The trick


def _visible_last_trick(table: View) -> FinishedTrick | None:
    """Return the last trick if its cards are still on the table, or else None.

    They stay until the next card is played, or until the next round is dealt.
    """
    is_new_round = table["phase"] == "play" and not table["tricks"]
    return None if table["plays"] or is_new_round else table["last_trick"]


def _black_cards(trick: FinishedTrick) -> list[Card]:
    """Return the black cards of a trick: the centre card, the card under it, the bids in order."""
    return [*_turned_up(trick), *(play["card"] for play in trick["plays"] if is_black(play["card"]))]


def _turned_up(trick: FinishedTrick) -> tuple[Card, ...]:
    return (trick["centre"], trick["under"]) if trick["under"] else (trick["centre"],)


def _draw_slots(table: View, last_trick: FinishedTrick | None, outcome: Outcome | None) -> list[tuple[Markup, Markup]]:
    """Return by seat the CSS classes and the card of its slot: the place on the table for its card of a trick.

    last_trick: the trick that has just ended, if it is still on the table. outcome: the result of the current trick so
    far, or None if nobody could win it yet. The slot of the seat that would win gets the class "ahead".
    """
    count = table["seats"]
    if last_trick:
        return slots(count, last_trick["plays"], last_trick["winner"], finished=True)
    seat_slots = slots(count, table["plays"])
    if outcome and outcome.winning is not None:
        ahead = table["plays"][outcome.winning]["seat"]
        classes, face = seat_slots[ahead]
        seat_slots[ahead] = Markup(f"{classes} ahead"), face
    return seat_slots


def _trick_state(last_trick: FinishedTrick | None, outcome: Outcome | None) -> str:
    """Return the CSS class for the state of the trick, or "" before it has a state. A trick without a winner is burnt.

    last_trick: the trick that has just ended, if it is still on the table. outcome: the result of the current trick so
    far, or None.
    """
    if last_trick:
        return "burnt" if last_trick["winner"] is None else "won"
    if outcome is None:
        return ""
    return "burning" if outcome.winning is None else "ahead"


def _mentioned_seats(table: View, last_trick: FinishedTrick | None, outcome: Outcome | None) -> list[Seat]:
    """Return the seats that the text about a trick mentions, because their players read "you": its winner, or nobody.

    last_trick: the trick that has just ended, if it is still on the table. outcome: the result of the current trick so
    far, or None if nobody could win it yet.
    """
    if last_trick:
        seat = last_trick["winner"]
    else:
        seat = None if outcome is None or outcome.winning is None else table["plays"][outcome.winning]["seat"]
    return [] if seat is None else [seat]


def _tallies(table: View) -> list[tuple[dict[str, Markup], Seat | None]]:
    """Return for each seat a pair: a tally of what it has won in the round, and its partner, or None.

    Partners share their points of the round. Tallies are dicts of texts. Between rounds they show the last round. A
    seat that wins no black card in a round is a Lucky Loser, who gets points for that. So the tally of a seat without
    one shows these points.
    """
    sheet = table["score_sheet"]
    current = sheet["current"]
    if current is None:
        last = sheet["rounds"][-1] if sheet["rounds"] else None
        partners = partners_of(last)
        totals = last["total"] if last else [None] * table["seats"]
        return [(_round_tally(points), partners.get(seat)) for seat, points in enumerate(totals)]
    partners, tallies = partners_of(current), []
    for seat, black in enumerate(current["black_cards"]):
        points = current["trick_points"][seat] + current["doubling"][seat]
        prospect = lucky_loser_points(table["seats"], sheet["null_rounds"][seat])
        tallies.append((_current_tally(points, black) if black else _lucky_loser_tally(prospect), partners.get(seat)))
    return tallies


# A tally has "words", and "short" for phones. A "prospect" is the Lucky Loser label that opens the explanation.


@cache_by_language()
def _current_tally(points: int, black: int) -> dict[str, Markup]:
    return {"words": as_markup(words.tally(points, black)), "short": as_markup(words.short_tally(points, black))}


@cache_by_language()
def _lucky_loser_tally(points: int) -> dict[str, Markup]:
    return {"prospect": as_markup(words.lucky_loser(points)), "words": as_markup(words.prospect(points))}


@cache_by_language()
def _round_tally(points: Score | None) -> dict[str, Markup]:
    if points is None:
        return {"words": DASH, "short": DASH}
    return {"words": as_markup(words.round_points(points)), "short": as_markup(words.short_round_points(points))}


def _draw_ranks(sheet: ScoreSheet) -> dict[Seat, TemplateData]:
    """Return a dict by seat: the texts for its place in the match and its points behind the first.

    The dict is empty before the first round has been scored.
    """
    totals = sheet["totals"]
    if not sheet["rounds"]:
        return {}
    return {seat: _draw_rank(place, max(totals) - total) for seat, total, place in rank_seats(totals)}


@cache_by_language()
def _draw_rank(place: int, behind: Score) -> TemplateData:
    mark = f"{words.PLACE_MARKS[place]} {with_sign(-behind)}" if behind else words.PLACE_MARKS[place]
    return {"mark": as_markup(mark), "words": as_markup(words.place_in_match(place, behind)), "first": not behind}


def _prize_slip(
    table: View, last_trick: FinishedTrick | None, outcome: Outcome | None, names: list[str]
) -> TemplateData:
    """Return the dict for the slip at the edge of the table. It says what the trick is worth and who is ahead.

    The prize is a black card. Black cards that are bid add their numbers to it.
    """
    sheet = table["score_sheet"]
    playing = table["phase"] == "play"
    cards = visible_black_cards(table) if playing else _black_cards(last_trick) if last_trick else []
    steps, total = add_up(cards)
    hidden = table["centre"] == SURPRISE
    double = DOUBLE in cards
    count = sum(card in NUMBER for card in cards)
    has_sum = count > 1 and not hidden and not double
    pair = sorted(partners_of(sheet["current"] if playing else sheet["rounds"][-1] if sheet["rounds"] else None))
    # Between rounds "round" is already the next one, while the table still shows the one before.
    number = table["round"] - (table["phase"] == "deal" and last_trick is not None)
    state, sentences = "", []
    if last_trick or table["plays"]:
        state = _trick_state(last_trick, outcome)
        describe = (
            partial(words.who_won, last_trick)
            if last_trick
            else lambda reader_names: words.who_is_ahead(table, outcome, reader_names)
        )
        sentences.append(personal_markup(describe, names, _mentioned_seats(table, last_trick, outcome)))
    leader = table["leader"]
    # The winner of a trick obviously leads the next one, so the slip does not say it.
    is_lead_news = last_trick["winner"] is None if last_trick else not table["plays"]
    if leader is not None and is_lead_news:
        sentences.append(personal_markup(partial(words.leads, leader), names, [leader]))
    return {
        "deal": Markup(words.round_of(number, table["options"]["rounds"])),
        "trick": Markup(words.trick_of_ten(table["trick"])) if playing else "",
        "black": Markup("".join(MINI[card] for card in cards)),
        "words": as_markup(words.cards_words(cards)),
        "steps": steps if has_sum else "",
        "total": _short_worth(cards, hidden) if cards else "",
        "unit": points_unit(total) if cards and not double else "",
        "double": double,
        "gives": _draw_doubling(table, outcome, names) if playing and double else None,
        "state": state,
        "standing": Markup(" ".join(sentences)),
        "hint": words.HIDDEN_MAY_WIN if has_competing_hidden_card(table) else "",
        "lowest": table["lowest"],
        "alliance": personal_markup(partial(words.are_allied, pair), names, pair) if pair else "",
        "allies": personal_markup(partial(words.are_allied_in_short, pair), names, pair) if pair else "",
        "colours": _draw_colours(table, last_trick) if table["options"]["colour_bids"] else (),
    }


def _short_worth(cards: list[Card], hidden: bool = False) -> Markup:
    """Return what the black cards of a trick are worth: "12", "×2", "2× + 7", or "7 + ?" while a card is face down.

    Cards count their numbers. The card 2× doubles the points of its winner. hidden: whether a card is face down.
    """
    _, total = add_up(cards)
    has_number = any(card in NUMBER for card in cards)
    if DOUBLE in cards:
        return as_markup(f"2× {'−' if total < 0 else '+'} {abs(total)}" if has_number else "×2")
    if hidden:
        return as_markup(f"{with_sign(total)} + ?" if has_number else "?")
    return as_markup(with_sign(total))


def _draw_doubling(table: View, outcome: Outcome | None, names: list[str]) -> dict[str, str] | None:
    """Return the texts on the card 2×, if a trick is played for it: what it would give the seat that is ahead.

    The card doubles the points that its winner has in the round. The texts are a dict of a full and a short one. It is
    None if no seat is ahead. outcome: the result of the trick so far.
    """
    if outcome is None or outcome.winning is None:
        return None
    ahead = table["plays"][outcome.winning]["seat"]
    before = points_before_doubling(table, ahead)
    in_full = personal_markup(partial(words.would_double, ahead, before), names, [ahead])
    return {"words": in_full, "short": words.would_be_doubled(before)}


def _draw_colours(table: View, last_trick: FinishedTrick | None) -> list[TemplateData]:
    """Return a dict of texts for each colour, for the option that only the colours bid most often can win a trick.

    They say how often the colour was bid in this trick, and whether it is one of these colours.
    """
    # Between rounds the last trick is still on the table.
    plays = last_trick["plays"] if last_trick and table["phase"] != "play" else table["plays"]
    cards = [play["card"] for play in plays]
    counts = colour_counts(cards)
    most = max(counts.values())
    colours = [colour for colour in COLOUR_WORDS if colour == BLACK or colour in COLOURS[table["seats"]]]
    return [_draw_colour(colour, counts[colour], bool(cards) and counts[colour] == most) for colour in colours]


@cache_by_language()
def _draw_colour(colour: str, count: int, top: bool) -> dict[str, Markup]:
    return {
        "classes": Markup(f"colour {COLOUR_CLASSES[colour]}{' top' if top else ''}"),
        "letter": Markup(colour),
        "count": Markup(count),
        "words": Markup(words.colour_count(COLOUR_WORDS[colour], count, top)),
    }


def _draw_centre(table: View) -> TemplateData | None:
    """Return the dict for the black card in the centre, the prize of the trick, or None if there is none.

    It also says what the trick is worth: black cards that are bid add their numbers to the prize.
    """
    if table["centre"] is None:
        return None
    cards, hidden = visible_black_cards(table), table["centre"] == SURPRISE  # This card hides the prize under it.
    return {
        "face": FACES[table["centre"]],
        "back": back() if hidden else "",
        "worth": _short_worth(cards, hidden),
        "words": words.worth_in_the_centre(cards, hidden),
    }


def _draw_last_prize(table: View, last_trick: FinishedTrick) -> TemplateData:
    """Return the dict that draws the prize of the last trick, the card that it was played for.

    It covers the next prize for a moment, but stays after the last trick of a round. "surprise" is the Surprise card if
    the prize was face down under it.
    """
    return {
        "face": FACES[last_trick["prize"]],
        "surprise": FACES[SURPRISE] if last_trick["under"] else "",
        "worth": _short_worth(_black_cards(last_trick)),
        "stays": table["phase"] != "play",
    }


def _caption(table: View, last_trick: FinishedTrick | None, outcome: Outcome | None, names: list[str]) -> TemplateData:
    """Return the text in the middle of the table: who has won or leads, or who is ahead in the trick.

    Texts have a version with "you" for each seat that they mention: `personal_markup` makes them from a function of the
    names. last_trick: the trick that has just ended, if it is still on the table. outcome: the result of the current
    trick so far, or None.
    """
    phase, leader = table["phase"], table["leader"]
    if phase == "over":
        totals = table["score_sheet"]["totals"]
        return caption(personal_markup(partial(winners_words, totals), names, range(len(names))), classes="won")
    if phase == "deal" and not last_trick:
        return caption(words.DEALING)
    if leader is not None and not (last_trick or table["plays"]):  # The table is empty.
        return caption(personal_markup(partial(leads, leader), names, [leader]))
    describe = (
        partial(words.who_won_in_short, last_trick)
        if last_trick
        else lambda reader_names: words.who_is_ahead_in_short(table, outcome, reader_names)
    )
    words_by_reader = personal_markup(describe, names, _mentioned_seats(table, last_trick, outcome))
    return caption(words_by_reader, classes=_trick_state(last_trick, outcome))
