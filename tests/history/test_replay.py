"""Replays: where deals and tricks are, which address shows what, and that nobody sees a card too early."""

import re
from functools import reduce

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.models import User
from games.catalog import get_game
from games.comments.models import Comment
from games.fragments import Fragments
from games.history.folding import Step, deals
from games.history.marks import marks_of
from games.history.replay import Replay, Viewpoint
from games.kit.words import CARD_NAMES
from games.models import Match
from games.play import due, moves, seating
from games.play.errors import NotAllowed, Refused
from tests import opening
from tests.matches import play_on, replay_of

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

CARDS = re.compile(r'data-card="(\w\w)"')


@pytest.fixture
def running(started):
    """A match among three people in its third hand, with some cards of it played and some not."""

    def is_there(snapshot):
        return snapshot.deal_count == 3 and snapshot.state.trick and snapshot.state.tricks

    return play_on(started, until=is_there)


@pytest.fixture
def played_out(started):
    """A finished match among three people."""
    return play_on(started)


def states_of(snapshot):
    """The state after each move of a match, folded here."""
    rules = snapshot.rules
    state = rules.new_match(snapshot.seat_count, snapshot.options)
    moves = Match.objects.get(code=snapshot.code).moves.values_list("move", flat=True)
    return reduce(lambda states, move: [*states, rules.apply(states[-1], move)], moves, [state])[1:]


def player_at(snapshot, number):
    return User.objects.get(pk=snapshot.seats[number].user_id)


def text_of(client, snapshot, query=""):
    answer = client.get(f"/matches/{snapshot.code}/replay/{query}")
    assert answer.status_code == 200
    return answer.content.decode()


def frames_of(client, snapshot, query):
    """{move: HTML} of the frames of a deal."""
    answer = client.get(f"/matches/{snapshot.code}/replay/frames/{query}")
    assert answer.status_code == 200
    found = re.findall(r'<template data-move="(\d+)".*?>(.*?)</template>', answer.content.decode(), re.DOTALL)
    return {int(move): html for move, html in found}


def table_in(page):
    return page[page.index('id="table"') : page.index('id="say"')]


# The fold


def test_replay_holds_every_position_and_ends_on_the_stored_sheet(finished):
    replay = replay_of(finished)

    match = Match.objects.get(code=finished.code)
    assert [step.state for step in replay.steps] == states_of(finished)
    assert replay.score_sheet(replay.last) == match.score_sheet
    assert replay.last == match.move_count - 1


def test_deals_follow_each_other_and_start_where_cards_are_dealt(finished):
    deals = replay_of(finished).deals

    moves = Match.objects.get(code=finished.code).moves
    assert [deal.first for deal in deals] == list(moves.filter(seat=None).values_list("index", flat=True))
    assert [deal.start for deal in deals] == [deal.first for deal in deals]
    assert [deal.number for deal in deals] == list(range(1, 11))
    assert [deal.last + 1 for deal in deals] == [deal.first for deal in deals[1:]] + [finished.move_count]


def test_tricks_have_a_card_of_each_seat_and_leave_out_the_bids(finished):
    fourth = replay_of(finished).deals[3]

    lengths = [last - first + 1 for _, first, last in fourth.tricks]
    assert [number for number, *_ in fourth.tricks] == [1, 2, 3, 4]
    assert lengths == [3, 3, 3, 3]
    assert fourth.tricks[0][1] == fourth.start + 4
    assert fourth.tricks[-1][2] == fourth.last


def test_a_move_has_its_place_and_its_words(finished):
    replay = replay_of(finished)
    fourth = replay.deals[3]
    card = replay.steps[fourth.last].move["card"]

    assert replay.label(fourth.start) == "hand 4"
    assert replay.label(fourth.last) == "hand 4, trick 4"
    assert replay.words(fourth.last).endswith(f" plays the {CARD_NAMES[card]}")
    assert replay.words(fourth.start) == "The cards are dealt"


def test_moves_are_read_in_one_query(finished, client):
    with CaptureQueriesContext(connection) as queries:
        text_of(client, finished, "?move=100&open=1")

    assert sum("games_move" in query["sql"] for query in queries) == 1
    assert len(queries) <= 17  # of what is noted at moves each kind is asked for twice, once whether it has changed


# Addresses


def test_replay_opens_at_the_start(client, finished):
    page = text_of(client, finished)

    assert "Hand 1:</span> The cards are dealt" in page
    assert re.search(r'<input type="range"[^>]* value="0"', page)


def test_link_lands_on_its_move(client, finished):
    replay = replay_of(finished)
    move = replay.deals[4].tricks[2][2]

    page = text_of(client, finished, f"?move={move}&seat=1")

    name, verb = replay.words(move).split(" plays ")
    marked = f'<span translate="no">{name}</span> plays {verb}'
    assert f"Hand 5, trick 3:</span> {marked}" in page
    assert re.search(rf'data-move="{move}" aria-current="step"\s*>{marked}<', page)
    assert f"<title>Oh Hell, hand 5, trick 3: {replay.words(move)} · Valat</title>" in page


def test_link_to_a_deal_lands_on_its_start(client, finished):
    start = replay_of(finished).deals[6].start

    assert table_in(text_of(client, finished, "?deal=7")) == table_in(text_of(client, finished, f"?move={start}"))


def test_move_beyond_the_end_shows_the_end(client, finished):
    page = text_of(client, finished, "?move=999999999")

    assert page == text_of(client, finished, f"?move={finished.move_count - 1}")


@pytest.mark.parametrize("query", ["move=-1", "move=1.5", "seat=3", "seat=x", "open=2"])
@pytest.mark.parametrize("page", ["", "frames/"])
def test_junk_in_the_address_is_refused_with_a_sentence(client, finished, page, query):
    if page and query.startswith("move"):
        query = query.replace("move", "deal")

    answer = client.get(f"/matches/{finished.code}/replay/{page}?{query}")

    assert answer.status_code == 400
    assert 'class="notice bad" role="alert"' in answer.content.decode()


@pytest.mark.parametrize("query", ["deal=0", "deal=11", "deal=999999999"])
@pytest.mark.parametrize("page", ["", "frames/"])
def test_there_are_no_more_deals_than_were_dealt(client, finished, page, query):
    assert client.get(f"/matches/{finished.code}/replay/{page}?{query}").status_code == 404


def test_links_lead_to_the_ends_of_moves_tricks_and_deals(client, finished):
    deals = replay_of(finished).deals
    move = deals[4].tricks[2][2] - 1

    page = text_of(client, finished, f"?move={move}&seat=1&open=1")

    steps = re.findall(r'data-step="([\w-]+)"[^>]* href="\?move=(\d+)&amp;seat=1&amp;open=1"', page)
    assert {name: int(to) for name, to in steps} == {
        "first": 0,
        "deal-back": deals[4].start,
        "trick-back": deals[4].tricks[1][2],
        "back": move - 1,
        "on": move + 1,
        "trick-on": move + 1,
        "mark-back": deals[4].tricks[0][1] - 1,  # where the bids are closed
        "mark-on": next(mark.move for mark in marks_of(replay_of(finished), AnonymousUser()) if mark.move > move),
        "deal-on": deals[5].start,
        "last": finished.move_count - 1,
    }


def test_sheet_grows_with_the_moves_and_links_to_its_deals(client, finished):
    deals = replay_of(finished).deals

    page = text_of(client, finished, f"?move={deals[3].last}&seat=1")

    assert page.count('<tr class="scored"') == 4
    assert page.count('<tr class="blank"') == 5
    links = re.findall(r'href="(\?move=\d+&amp;seat=1)" id="sheet-\d+"', page)
    assert links == [f"?move={deal.start}&amp;seat=1" for deal in deals]


def test_end_of_a_deal_tells_how_it_went(client, finished):
    replay = replay_of(finished)
    end = replay.deals[3].last

    page = text_of(client, finished, f"?move={end}&open=1")

    told = re.search(r'<div class="told">(.*?)</div>', page)[1]
    assert [strip_tags(line) for line in re.findall("<p>(.*?)</p>", told)] == replay.sentences(end)[1:]
    assert "open-hand" not in page
    assert 'class="told"' not in text_of(client, finished, f"?move={end - 1}")


# Frames


def test_frames_are_the_tables_of_the_page(client, finished):
    deal = replay_of(finished).deals[2]

    frames = frames_of(client, finished, "?deal=3&seat=2&open=0")

    assert list(frames) == list(range(deal.first, deal.last + 1))
    for move in (deal.first, deal.tricks[1][1], deal.last):
        assert frames[move].strip() in text_of(client, finished, f"?move={move}&seat=2")


def test_frames_bring_the_sheet_once_and_then_the_rows_that_change(client, finished):
    deal = replay_of(finished).deals[2]

    text = client.get(f"/matches/{finished.code}/replay/frames/?deal=3").content.decode()

    sheets = re.findall(r'<template data-sheet="(\d+)">(.*?)</template>', text, re.DOTALL)
    rows = {int(move): re.findall(r'<tr class="\w+" data-deal="(\d+)"', sheet) for move, sheet in sheets}
    assert rows.pop(deal.first) == [str(number) for number in range(1, 11)]
    assert rows.pop(deal.last) == ["3", "4"]
    assert set(map(tuple, rows.values())) == {("3",)}
    assert len(rows) == 3 + 2  # three bids, and two tricks before the last


@pytest.fixture
def bids(db):
    """A finished match of Bids of two rounds, among bots."""
    options = {"rounds": 2, "surprise": True}
    return play_on(opening.open_table(None, "bids", seats=3, bots=3, options=options, speed="untimed"))


def test_a_round_of_two_shuffles_is_one_deal(bids):
    replay = replay_of(bids)

    assert [(deal.first, deal.start, deal.last) for deal in replay.deals] == [(0, 1, 31), (32, 33, 63)]
    assert [replay.label(move) for move in (0, 1, 2, 31, 32)] == [
        "round 1",
        "round 1",
        "round 1, trick 1",
        "round 1, trick 10",
        "round 2",
    ]
    assert bids.deal_count == 4  # shuffles, for their proof


def test_sheet_that_begins_without_its_deal_gets_its_row_by_a_frame(client, bids):
    text = client.get(f"/matches/{bids.code}/replay/frames/?deal=2").content.decode()

    sheets = re.findall(r'<template data-sheet="(\d+)">(.*?)</template>', text, re.DOTALL)
    rows = {int(move): re.findall(r'<tbody class="\w+" data-deal="(\d)"', sheet) for move, sheet in sheets}
    assert rows.pop(32) == ["1"]
    assert set(map(tuple, rows.values())) == {("1", "2")}


def test_sheets_lead_to_the_tricks_that_their_figures_are_made_of(client, bids):
    replay = replay_of(bids)
    won = [step.index for step in replay.steps if any(event["type"] == "trick_won" for event in step.events)]

    in_match = slips_in(client.get(f"/matches/{bids.code}/").content.decode())
    at_the_end = slips_in(text_of(client, bids, f"?move={replay.last}"))
    before_the_end = slips_in(text_of(client, bids, f"?move={won[-1] - 1}"))

    moments = re.findall(r'href="/matches/\w+/replay/\?deal=(\d+)&amp;at=(trick-\d+)"', in_match)
    assert sorted(replay.moment(int(deal), at) for deal, at in moments) == won
    assert sorted(map(int, re.findall(r'href="\?move=(\d+)', at_the_end))) == won
    assert sorted(map(int, re.findall(r'href="\?move=(\d+)', before_the_end))) == won[:-1]


def slips_in(page):
    return "".join(re.findall(r'<div class="workings".*?</div>', page, re.DOTALL))


def test_sheet_of_a_running_match_leads_to_its_deals_without_folding_it(client, running):
    replay = f"/matches/{running.code}/replay/"
    begun = len(replay_of(running).deals)

    with CaptureQueriesContext(connection) as queries:
        page = client.get(f"/matches/{running.code}/sheet/").content.decode()

    assert re.findall(r'href="([^"]*)" id="sheet-\d+"', page) == [f"{replay}?deal={deal + 1}" for deal in range(begun)]
    assert not [query for query in queries if "games_move" in query["sql"]]
    assert client.get(f"{replay}?deal={begun}").status_code == 200


# Who may see what


def test_finished_match_is_seen_from_any_seat_by_anybody(client, played_out):
    replay = replay_of(played_out)
    move = replay.deals[7].start
    hands = replay.steps[move].state.hands

    for seat in range(3):
        shown = CARDS.findall(table_in(text_of(client, played_out, f"?move={move}&seat={seat}")))
        assert set(shown) - {replay.steps[move].state.deal.turned} == set(hands[seat])
    shown = CARDS.findall(table_in(text_of(client, played_out, f"?move={move}&open=1")))
    assert set(shown) - {replay.steps[move].state.deal.turned} == {card for hand in hands for card in hand}


def test_replay_opens_on_the_seat_of_whoever_had_one(played_out):
    replay = replay_of(played_out)

    for seat in played_out.seats:
        assert replay.viewpoint(seat.user_id) == Viewpoint(seat.number, False)
    assert replay.viewpoint(None) == Viewpoint(0, False)
    assert replay.viewpoint(None, 2, True) == Viewpoint(2, True)


@pytest.mark.whole
def test_running_match_shows_no_hidden_card(client, running, users):
    """At no position, to nobody, whatever the address asks for."""
    rules, states = running.rules, states_of(running)
    viewers = [None, *(player_at(running, number) for number in range(3))]
    looked_at = 0
    for number, viewer in zip([None, 0, 1, 2], viewers, strict=True):
        client.logout()
        if viewer:
            client.force_login(viewer)
        for move, state in enumerate(states):
            hidden = rules.hidden_from(state, number)
            table = table_in(text_of(client, running, f"?move={move}"))
            assert not hidden.intersection(CARDS.findall(table))
            looked_at += len(hidden.intersection(card for hand in state.hands for card in hand))
        for deal in (1, 2, 3):
            for move, frame in frames_of(client, running, f"?deal={deal}").items():
                assert not rules.hidden_from(states[move], number).intersection(CARDS.findall(frame))
    assert looked_at > 50  # there was something to leak


def test_player_of_a_running_match_sees_the_own_hand(client, running):
    hand = set(running.state.hands[1])
    assert hand

    client.force_login(player_at(running, 1))

    page = table_in(text_of(client, running, f"?move={running.move_count - 1}&seat=1"))
    assert hand <= set(CARDS.findall(page))


@pytest.mark.whole
@pytest.mark.parametrize("query", ["open=1", "seat=0", "seat=2", "seat=1&open=1"])
@pytest.mark.parametrize("page", ["", "frames/"])
@pytest.mark.parametrize("number", [None, 1])
def test_asking_for_more_of_a_running_match_is_refused(client, running, number, page, query):
    if number is not None:
        client.force_login(player_at(running, number))

    answer = client.get(f"/matches/{running.code}/replay/{page}?move=3&deal=1&{query}")

    text = answer.content.decode()
    assert answer.status_code == 403
    assert "once the match is over" in text
    assert not CARDS.findall(text)


def test_who_has_left_a_running_match_sees_no_hand_of_it(client, running):
    leaver = player_at(running, 1)
    seating.leave_match(leaver, running.code)
    client.force_login(leaver)

    table = table_in(text_of(client, running, f"?move={running.move_count - 1}"))

    hidden = running.rules.hidden_from(running.state, None)
    assert hidden.intersection(running.state.hands[1])
    assert not hidden.intersection(CARDS.findall(table))
    assert client.get(f"/matches/{running.code}/replay/?seat=1").status_code == 403


def test_links_of_a_running_match_name_no_seat(client, running):
    client.force_login(player_at(running, 1))

    page = text_of(client, running, "?move=5")

    assert re.findall(r'href="\?move=\d+', page)
    assert not re.findall(r'href="\?[^"]*(seat|open)=', page)


def test_match_given_up_keeps_its_hidden_cards(client, running):
    due.close_table(running.code)

    text_of(client, running, "?move=5")

    assert client.get(f"/matches/{running.code}/replay/?move=5&open=1").status_code == 403
    assert client.get(f"/matches/{running.code}/replay/?move=5&seat=0").status_code == 403


def test_viewpoint_refuses_cards_that_the_user_may_not_see(running):
    replay = replay_of(running)
    mine = running.seats[1].user_id

    assert replay.viewpoint(None) == Viewpoint(None, False)
    assert replay.viewpoint(mine) == replay.viewpoint(mine, 1) == Viewpoint(1, False)
    with pytest.raises(NotAllowed):
        replay.viewpoint(mine, 0)
    with pytest.raises(NotAllowed):
        replay.viewpoint(mine, 1, True)
    with pytest.raises(Refused):
        replay.viewpoint(mine, 3)


@pytest.mark.parametrize("seats", [5, 7])
def test_replay_is_drawn_for_many_seats(client, db, seats):
    options = {"game_style": "short-up"}
    over = play_on(opening.open_table(None, "oh-hell", seats=seats, bots=seats, options=options, speed="untimed"))

    page = text_of(client, over, f"?deal=5&seat={seats - 1}&open=1")

    assert page.count('class="open-hand ') == seats
    assert f"viewer-{seats - 1}" in page


# Deals that nobody plays


@pytest.fixture
def passed_out(users):
    """A running match of Belot in whose first deal everybody has passed; the second has been dealt."""
    snapshot = opening.open_table(users[0], "belot", seats=4, seed="ef" * 32)
    for user in users[1:]:
        snapshot = seating.sit_down(user, snapshot.code)
    for _ in users:
        snapshot = moves.play_move(snapshot.code, snapshot.to_act, {"type": "pass"}, seen_count=snapshot.move_count)
    return snapshot


def test_a_deal_that_is_passed_out_is_a_deal_of_its_own(passed_out):
    replay = replay_of(passed_out)

    assert [(deal.number, deal.first, deal.last) for deal in replay.deals] == [(1, 0, 4), (2, 5, 5)]
    assert [replay.label(move) for move in (4, 5)] == ["deal 1", "deal 2"]
    assert replay.ends_deal(4)
    assert replay.sentences(4)[1:] == ["Everybody passed: the cards are redealt."]


def test_a_deal_that_is_passed_out_is_told_at_the_table(as_ana, ana, passed_out):
    table = Fragments(passed_out).for_user(ana.pk, seen=4)  # as it goes to those who sit there
    steps = as_ana.get(f"/matches/{passed_out.code}/replay/frames/?deal=1").content.decode()

    assert "<b>Everybody passed</b>" in table
    assert "Everybody passed: the cards are redealt. Deal 2: " in table
    assert "<b>Everybody passed</b>" in steps


def test_sheet_of_a_replay_grows_by_the_deal_that_was_scored(as_ana, passed_out):
    over = play_on(passed_out)
    deals = [row["deal"] for row in over.rules.score_sheet(over.state)["rows"]]

    frames = as_ana.get(f"/matches/{over.code}/replay/frames/?deal={deals[0]}").content.decode()
    first, *changes = re.findall(r"<template data-sheet.*?</template>", frames, re.DOTALL)

    assert "data-deal" not in first
    assert [re.findall(r'tr class="scored" data-deal="(\d+)"', change) for change in changes] == [[str(deals[0])]]
    assert ">We<" in first


@pytest.fixture
def of_rounds(db):
    """A finished match of a game whose sheet grows, round by round, and whose tricks may come several at a move."""
    opened = opening.open_table(None, "bleven", seats=2, bots=2, seed="ab" * 32, shuffle_code="rounds", speed="untimed")
    over = play_on(opened)
    assert over.deal_count > 2
    return over


def test_tricks_are_numbered_also_where_a_move_ends_several(of_rounds):
    replay = replay_of(of_rounds)

    for deal in replay.deals:
        won = 0
        for number, first, last in deal.tricks:
            assert (first, number) == (last, won + 1)
            won += sum(event["type"] == "trick_won" for event in replay.steps[last].events)
        assert won <= 3


def test_a_sheet_may_grow_within_a_deal(client, of_rounds):
    answer = client.get(f"/matches/{of_rounds.code}/replay/frames/?deal=2").content.decode()

    assert re.findall(r'<tr class="scored" data-deal="(\d+)"', answer) == ["1", "2"]


def test_addresses_name_moments_of_a_deal(client, of_rounds):
    replay = replay_of(of_rounds)
    deal = replay.deals[1]

    assert replay.moment(2, "end") == deal.last
    kinds = {step.move["type"]: step.index for step in replay.steps if step.deal == 2}  # the last of each
    kinds["predict"] = max(step.index for step in replay.steps if step.deal == 2 and "tricks" in step.move)
    assert {kind: replay.moment(2, kind) for kind in kinds} == kinds
    assert replay.moment(2, "bid") is None
    assert f'data-move="{deal.last}" aria-current' in text_of(client, of_rounds, "?deal=2&at=end")
    assert f'data-move="{deal.start}" aria-current' in text_of(client, of_rounds, "?deal=2&at=bid")


def test_a_prediction_in_an_answer_is_a_moment_too():
    told = [
        (None, {"type": "deal"}),
        (0, {"type": "predict", "tricks": 1}),
        (1, {"type": "suspect", "plus": 4, "tricks": 2}),
        (0, {"type": "suspect"}),
    ]
    replay = object.__new__(Replay)
    replay.drawing = get_game("bleven").drawing
    replay.steps = [Step(index, seat, move, None, [], 1, None) for index, (seat, move) in enumerate(told)]
    replay.deals = list(deals(replay.steps))

    assert replay.moment(1, "predict") == 2
    assert replay.moment(1, "suspect") == 3


def test_trick_ends_are_moments(played_out):
    replay = replay_of(played_out)

    assert replay.moment(3, "trick-2") == replay.deals[2].tricks[1][2]
    assert replay.moment(1, "trick-2") is None


def test_what_stands_beside_moves_is_read_once_for_the_page(
    finished, ana, client, django_assert_max_num_queries, django_assert_num_queries
):
    Comment.objects.create(match_id=finished.pk, author=ana, move=5, text="Why?")
    client.force_login(ana)
    address = reverse("replay", args=[finished.code]) + "?move=5"
    client.get(address)

    with django_assert_max_num_queries(26):  # 32 where the timeline reads all of it again
        page = client.get(address).content.decode()

    assert "Ana comments" in page
    shown = replay_of(finished)
    first = marks_of(shown, ana)
    with django_assert_num_queries(0):
        assert marks_of(shown, ana) == first
