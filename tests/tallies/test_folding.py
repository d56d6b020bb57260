"""Any order of entries, corrections, undos and double sends gives the sheet of the final list."""

from itertools import count

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.kit.tallies import CannotBe
from games.tallies.folding import Entry, Setting, fold, sheet_of, standings_of
from tests.tallies.conftest import NAMES
from tests.tallies.recorded import GAMES

WRITERS = (1, 2)


def setting_of(slug, seats, **options):
    scorer = GAMES[slug].scorer(GAMES[slug].newest)
    return Setting(scorer, seats, scorer.rules.clean_options(seats, options))


BELOT = setting_of("belot", 4)


@st.composite
def belot_deals(draw):
    if draw(st.integers(0, 5)) == 0:
        return {"bid": "pass"}
    contract = draw(st.sampled_from(["C", "H", "NT", "AT"]))
    total = {"NT": 130, "AT": 258}.get(contract, 162)
    body = {"bid": f"{draw(st.integers(0, 3))}{contract}", "level": draw(st.sampled_from([1, 2, 4]))}
    if contract != "NT":
        body |= {"declared0": [], "declared1": draw(st.sampled_from([[], ["tierce"], ["belot", "quarte"]]))}
    return body | {"counted": "0", "points": draw(st.integers(14, total // 2)), "last": 1}


@given(st.data())
@settings(max_examples=300, deadline=None)
def test_any_history_gives_the_sheet_of_the_final_list(data):
    """A plain model keeps only the final deals by key. All writers have seen everything."""
    entries, final, ids, stack = [], {}, count(1), []
    for _ in range(data.draw(st.integers(1, 25))):
        present = fold(BELOT, NAMES[:4], entries)
        kind = data.draw(st.sampled_from(["result", "result", "result", "bid", "correct", "delete", "undo", "again"]))
        writer, new = data.draw(st.sampled_from(WRITERS)), str(next(ids))
        key = data.draw(st.sampled_from(sorted(final))) if final else present.next_key
        if kind == "again":
            entries += [data.draw(st.sampled_from(entries))] if entries else []
            continue
        if kind == "undo":
            if not stack:
                continue
            undone, before = stack.pop()  # the last entry of all: nobody has changed its deal since
            entries.append(Entry(new, "undo", body={"entry": undone.id}, by=undone.by))
            final = before
            continue
        if kind in ("correct", "delete") and not final:
            continue
        if kind in ("result", "bid"):
            key = present.open.key if present.open else present.next_key
        body = {} if kind == "delete" else data.draw(belot_deals())
        body = {"bid": body["bid"]} if kind == "bid" else body
        seen = present.find(key)
        entry = Entry(new, kind, key, body, seen.last.id if seen else "", writer)
        after = {**final, key: body} if kind != "bid" else final
        after = {other: kept for other, kept in after.items() if other != key} if kind == "delete" else after
        try:
            fold(BELOT, NAMES[:4], [*entries, entry])
        except CannotBe:  # The server refuses it, for example after the end of the match.
            continue
        stack.append((entry, final))
        entries.append(entry)
        final = after

    folded = fold(BELOT, NAMES[:4], entries)
    plain = fold(BELOT, NAMES[:4], [Entry(f"x{key}", "result", key, body) for key, body in sorted(final.items())])
    assert not folded.waiting
    assert sheet_of(BELOT, folded) == sheet_of(BELOT, plain)
    assert standings_of(BELOT, folded) == standings_of(BELOT, plain)
    assert [deal.key for deal in folded.deals] == sorted(final)


DEAL = {"bid": "0H", "level": 1, "declared0": [], "declared1": [], "counted": "1", "points": 60, "last": 0}


def test_the_second_of_two_writers_decides():
    """Both have entered the first deal. Nothing is dropped, and the choice is an entry too."""
    mine, yours = Entry("a", "result", 1, DEAL, by=1), Entry("b", "result", 1, DEAL | {"points": 70}, by=2)
    both = fold(BELOT, NAMES[:4], [mine, yours])
    assert ([entry.id for entry in both.waiting], both.deals[0].body["points"]) == (["b"], 60)

    taken = fold(BELOT, NAMES[:4], [mine, yours, Entry("c", "choose", 1, {"entry": "b", "take": True}, "a", 2)])
    assert (taken.waiting, taken.deals[0].body["points"]) == ([], 70)
    kept = fold(BELOT, NAMES[:4], [mine, yours, Entry("c", "choose", 1, {"entry": "b", "take": False}, "a", 2)])
    assert (kept.waiting, kept.deals[0].body["points"]) == ([], 60)
    # The same writer needs no decision, and neither does one who has seen the entry of the other.
    for again in (yours._replace(by=1), yours._replace(seen="a")):
        assert fold(BELOT, NAMES[:4], [mine, again]).deals[0].body["points"] == 70


def test_a_correction_changes_all_later_totals_and_is_marked():
    entries = [Entry(str(key), "result", key, DEAL, by=1) for key in (1, 2, 3)]
    before = sheet_of(BELOT, fold(BELOT, NAMES[:4], entries))
    corrected = fold(BELOT, NAMES[:4], [*entries, Entry("c", "correct", 1, DEAL | {"points": 20}, "1", 2)])
    after = sheet_of(BELOT, corrected)
    assert (before["totals"], after["totals"]) == ([30, 18], [34, 14])
    assert list(corrected.changes) == [1]
    assert (corrected.changes[1].last.by, corrected.changes[1].history[0].by) == (2, 1)


def test_a_correction_that_leaves_no_room_for_later_deals_is_refused():
    """Oh Hell gives each hand its number of cards, so a deleted one would shift all others."""
    setting = setting_of("oh-hell", 3, game_style="short-up")
    one = {"trump": "", "bid0": 0, "bid1": 0, "bid2": 0, "took0": 1, "took1": 0}
    two = {"trump": "H", "bid0": 2, "bid1": 0, "bid2": 1, "took1": 0, "took2": 0}
    entries = [Entry("a", "result", 1, one, by=1), Entry("b", "result", 2, two, by=1)]
    assert fold(setting, NAMES[:3], entries).deals
    with pytest.raises(CannotBe, match=r"number 1 would not fit|do not fit together"):
        fold(setting, NAMES[:3], [*entries, Entry("c", "delete", 1, {}, "a", 1)])


CANNOT_BE = [
    ("belot", 4, {}, DEAL | {"points": 171}, "from 0 to 162"),
    ("belot", 4, {}, DEAL | {"points": 161, "last": 1}, "No cards are worth"),
    ("belot", 4, {}, DEAL | {"points": 157, "last": 0}, "last trick alone"),
    ("belot", 4, {}, DEAL | {"declared0": ["tierce"], "declared1": ["quarte"]}, "Only one side"),
    ("belot", 4, {}, DEAL | {"declared0": ["belot"], "declared1": ["belot"]}, "not so many belots"),
    ("belot", 4, {}, {**DEAL, "counted": "v0", "declared1": ["tierce"]}, "fit together"),
    ("belot", 2, {}, {**DEAL, "counted": "all", "points0": 20, "points1": 20}, "fit together"),
    ("oh-hell", 3, {}, {"trump": "", "bid0": 5, "bid1": 5, "bid2": 0, "took0": 0, "took1": 0}, "must not add up"),
    ("oh-hell", 3, {}, {"trump": "", "bid0": 5, "bid1": 5, "bid2": 1, "took0": 6, "took1": 5}, "only 10"),
    ("oh-hell", 3, {}, {"trump": "", "bid0": 5, "bid1": 5, "bid2": 1, "took0": 11, "took1": 0}, "fit together"),
    ("bids", 3, {}, {"way": "totals", "doubled": -1, "black0": 2, "points0": 20}, "choose or enter|fit together"),
    ("bleven", 2, {}, {"end": "played"}, "choose or enter"),
]


@pytest.mark.parametrize("slug, seats, options, body, why", CANNOT_BE)
def test_what_cannot_be_is_refused_in_a_sentence(slug, seats, options, body, why):
    with pytest.raises(CannotBe, match=why):
        fold(setting_of(slug, seats, **options), NAMES[:seats], [Entry("a", "result", 1, body)])


ROUND = {"end": "played", "declarer": 0, "tricks": 2, "positions": ["1"], "bet": 4, "answer": "suspect"}
ROUND |= {"side_bets": 0, "won": ["1", "2"], "short": -1}


@pytest.mark.parametrize(
    "change, why",
    [
        ({"bet": 8, "side_bets": 5}, "13 stones"),
        ({"positions": ["1", "2", "3"]}, "More tricks are named"),
        ({"bet": 0}, "one stone or more"),
        ({"bet": 11}, "from 0 to 10"),
    ],
)
def test_bets_that_cannot_be_are_refused(change, why):
    bleven = setting_of("bleven", 2)
    assert sheet_of(bleven, fold(bleven, NAMES[:2], [Entry("a", "result", 1, ROUND)]))["rounds"][0]["stones"] == [10, 0]
    with pytest.raises(CannotBe, match=why):
        fold(bleven, NAMES[:2], [Entry("a", "result", 1, ROUND | change)])


def bids_round(**others):
    seats = {f"{name}{seat}": 0 for seat in range(3) for name in ("black", "points")}
    return {"way": "totals", "doubled": -1} | seats | others


@pytest.mark.parametrize(
    "body, why",
    [
        (bids_round(black0=1, points0=11), "1 black cards are worth"),
        (bids_round(points1=3), "0 black cards"),
        (bids_round(black0=6, black1=6), "12 black cards"),
        (bids_round(black0=1, points0=5, doubled=0, double=30), "2× adds"),
        (bids_round(black0=1, points0=5, doubled=1, double=5), "2× adds"),
    ],
)
def test_points_that_no_black_cards_bring_are_refused(body, why):
    bids = setting_of("bids", 3)
    with pytest.raises(CannotBe, match=why):
        fold(bids, NAMES[:3], [Entry("a", "result", 1, body)])
