"""Searches in one's matches: what is found, in how many queries, where it leads, and the sentences that say so."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Program, User
from games.catalog import all_games
from games.deal_index import making, search
from games.deal_index.hits import hits_of
from games.deal_index.models import PlayedMatch, SeatFacts
from games.history.records import export_match, import_match
from games.history.replay import Replay
from games.kit.cards import make_pack
from games.models import Match, Seat
from games.pages.filters import NOTED, FilterForm
from games.play import seating
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


def kept(snapshot):
    """The match played to its end, with its facts."""
    match = Match.objects.get(code=play_on(snapshot).code)
    making.store_facts(match)
    return match


@pytest.fixture
def match(ana, boris):
    """A short match of Oh Hell of Ana, Boris and a bot."""
    opened = opening.open_table(
        ana, "oh-hell", seats=3, bots=1, options={"game_style": "short-up"}, seed="ab" * 32, speed="untimed"
    )
    return kept(seating.sit_down(boris, opened.code))


@pytest.fixture
def belot(ana):
    return kept(opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="12" * 32))


def find(user, own=True, **fields):
    """What the fields of an address find: {code: numbers of deals}."""
    form = FilterForm({key.replace("__", "."): value for key, value in fields.items()})
    assert form.is_valid(), form.errors
    return {line["code"]: line["deals"] for line in search.search(user, form.criteria, own=own)["lines"]}


def rows(match):
    return match.score_sheet["hands"]


def number(match, user):
    return match.seats.get(user=user).number


def deals_where(match, holds):
    return [row["hand"] for row in reversed(rows(match)) if holds(row)]


def test_hands_are_found_by_their_cards(match, ana, as_ana):
    replay = Replay(match)
    hand = replay.rules.view(replay.steps[replay.deals[-1].start].state, number(match, ana))["hand"]
    address = "?game=oh-hell" + "".join(f"&deal.hand={card}" for card in hand)

    page = as_ana.get(f"/matches/{address}")

    hit = page.context["lines"][0]["hits"][0]
    assert (hit.number, sorted(hit.cards)) == (len(replay.deals), sorted(hand))
    assert f'href="/matches/{match.code}/replay/"' in page.text
    PlayedMatch.objects.update(questions="old")  # The slow search by facts finds the same.
    assert as_ana.get(f"/matches/{address}").context["lines"][0]["deals"] == [hit.number]
    other = next(card for card in make_pack() if card not in hand)
    assert hit.number not in [
        deal for line in as_ana.get(f"/matches/{address}&deal.hand={other}").context["lines"] for deal in line["deals"]
    ]


def test_cards_are_found_only_in_finished_matches_of_ones_own(match, ana, boris, vera, client):
    """A reader who could ask for one card after the other would know the hands."""
    running = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}, seed="cd" * 32)
    play_on(running, until=lambda snapshot: snapshot.move_count > 30)
    making.store_missing()
    cards = make_pack()
    query = {"game": "oh-hell", "who": "anybody"}
    assert any(find(boris, **query, deal__hand=[card]) for card in cards)
    assert {code for card in cards for code in find(ana, **query, deal__hand=[card])} == {match.code}
    assert [card for card in cards if find(vera, **query, deal__hand=[card])] == []

    client.force_login(vera)
    pages = [client.get("/players/Ana/", query | {"deal.hand": card, "deal.cards": "1"}) for card in cards]
    assert {str([line["hits"] for line in page.context["lines"]]) for page in pages} == {
        str([line["hits"] for line in pages[0].context["lines"]])
    }
    assert [hit.cards for line in pages[0].context["lines"] for hit in line["hits"]] == [[]]

    match.aside = Match.Aside.CHALLENGE  # Others still play its cards.
    match.save()
    making.store_facts(match)
    assert [card for card in cards if find(ana, **query, deal__hand=[card])] == []


def test_bids_are_found_as_the_sheet_has_them(match, ana):
    seat = number(match, ana)
    for bid in range(4):
        wanted = deals_where(match, lambda row, bid=bid: row["seats"][seat]["bid"] == bid)

        assert find(ana, game="oh-hell", deal__bid=str(bid)).get(match.code, []) == wanted


def test_all_that_is_asked_is_true_of_one_deal_and_one_seat(match, ana):
    seat = number(match, ana)

    def fits(line):
        return line["bid"] == 1 and line["taken"] > line["bid"]

    mine = deals_where(match, lambda row: row["cards"] <= 10 and fits(row["seats"][seat]))
    anybody = deals_where(match, lambda row: any(map(fits, row["seats"])))
    others = deals_where(match, lambda row: any(fits(s) for at, s in enumerate(row["seats"]) if at != seat))
    asked = {"game": "oh-hell", "deal__bid": "1", "deal__off": "over"}

    assert find(ana, **asked).get(match.code, []) == mine
    assert find(ana, **asked, who="anybody").get(match.code, []) == anybody != mine
    assert find(ana, **asked, who="opponent").get(match.code, []) == others
    assert find(ana, **asked, who="partner") == {}


def test_deals_of_partners_are_told_from_those_of_opponents(belot, ana):
    sheet = belot.score_sheet["rows"]
    team = belot.seats.get(user=ana).number % 2
    seat = belot.seats.get(user=ana).number

    found = {
        who: set(find(ana, game="belot", deal__role="bidder", who=who).get(belot.code, []))
        for who in ("", "partner", "opponent", "anybody")
    }

    by = {row["deal"]: row["bidder"] for row in sheet}
    assert found[""] == {deal for deal, bidder in by.items() if bidder == seat}
    assert found["partner"] == {deal for deal, bidder in by.items() if bidder == (seat + 2) % 4}
    assert found["opponent"] == {deal for deal, bidder in by.items() if bidder % 2 != team}
    assert found["anybody"] == set(by)


def test_facts_of_the_whole_deal_need_no_seat(match, ana):
    for trump in "CDHS":
        wanted = deals_where(match, lambda row, trump=trump: row["trump"] == trump)

        assert find(ana, game="oh-hell", deal__trump=trump).get(match.code, []) == wanted


def test_matches_are_found_by_who_sat_there_and_how_it_went(match, belot, ana, boris, users):
    Seat.objects.filter(match=belot, user=None, team=belot.seats.get(user=ana).team).update(user=users[2])
    making.store_facts(belot)
    by_score = sorted((line["score"] for line in match.standings), reverse=True)
    margin = int(by_score[0] - by_score[1])
    place = str(match.seats.get(user=ana).finish)

    def matches(**fields):
        return set(find(ana, **fields))

    both = {match.code, belot.code}
    assert matches() == both
    assert matches(player="boris") == matches(against="BORIS") == {match.code}
    assert matches(partner="Boris") == matches(against="Vera") == set()
    assert matches(partner="Vera") == {belot.code}
    assert matches(seats="4") == {belot.code}
    assert matches(speed="untimed") == {match.code}
    assert matches(bots="with") == both
    assert matches(bots="without") == set()
    assert matches(game="oh-hell", place=place) == {match.code}
    assert matches(game="oh-hell", margin_from=str(margin), margin_to=str(margin)) == {match.code}
    assert matches(game="oh-hell", margin_from=str(margin + 1)) == set()
    assert matches(game="oh-hell", deals_from="10", deals_to="10") == {match.code}
    assert matches(deals_from="11") & {match.code} == set()
    Seat.objects.filter(match=belot).update(bot="")
    User.objects.filter(pk=users[2].pk).update(is_program=True)
    Program.objects.create(user=users[2], owner=ana)
    making.store_facts(belot)
    assert matches(bots="with") == both  # a member's program is one
    Seat.objects.filter(match=belot, user=users[2]).update(user=boris)
    making.store_facts(belot)
    assert matches(bots="without") == {belot.code}
    assert matches(left="no") == both
    assert matches(left="yes") == set()
    Seat.objects.filter(match=match, user=boris).update(left_at=match.ended_at)
    making.store_facts(match)
    assert matches(left="yes") == {match.code}


def test_every_filter_of_matches_is_said(client, ana):
    fields = {
        "game": ("belot", "The game was Belot."),
        "player": ("Vera", "Vera played."),
        "partner": ("Vera", "Ana had Vera as partner."),
        "against": ("Vera", "Ana played against Vera."),
        "ahead": ("Vera", "Ana came before Vera."),
        "result": ("lost", "Ana did not win."),
        "place": ("2", "Ana came second."),
        "margin_from": ("3", "It was won by 3 or more."),
        "margin_to": ("4", "It was won by 4 or fewer."),
        "since": ("2026-02-01", "Since 1 February 2026."),
        "until": ("2026-03-02", "Until 2 March 2026."),
        "ended": ("2026-02", "Month of the end: February 2026."),
        "seats": ("4", "There were four players."),
        "speed": ("fast", "The speed was “Fast”."),
        "bots": ("without", "No bot played."),
        "rated": ("no", "It was not rated."),
        "left": ("yes", "Somebody left."),
        "where": ("online", "It was played online."),
        "deals_from": ("1", "It had 1 deal or more."),
        "deals_to": ("5", "It had 5 deals or fewer."),
        "belot.target": ("51", "Length: To 51."),
    }
    given = {name: value for name, (value, _) in fields.items()}
    form, own = FilterForm(given, owner="Ana"), FilterForm(given)
    private = fields["where"][1]  # Only the reader's own list has games at real tables.

    assert form.is_valid()
    assert own.is_valid()
    assert dict(form.sentences) == {name: said for name, (_, said) in fields.items() if name != "where"}
    assert dict(own.sentences)["where"] == private
    assert set(fields) >= set(FilterForm.base_fields) - {"before", *NOTED}  # see tests/notes


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_answer_can_be_asked_and_is_said(client, ana, game):
    for question in game.questions:
        for answer in question.answers:
            form = FilterForm({"game": game.slug, f"deal.{question.name}": answer.slug})
            assert form.is_valid()
            search.search(ana, form.criteria, own=True)
            (_, _), (_, sentence) = form.sentences
            assert sentence == answer.sentence.format(who="You")


def test_a_page_of_hits_costs_three_queries_however_many(match, ana):
    form = FilterForm({"game": "oh-hell", "deal.bid": "0", "player": "boris", "who": "anybody"})
    assert form.is_valid()

    with CaptureQueriesContext(
        connection,
    ) as captured:
        page = search.search(ana, form.criteria, own=True)

    assert page["deals"] == len(page["lines"][0]["deals"]) > 1
    assert len(captured) <= 4  # the list, the matches, their seats with users; and none for each
    with CaptureQueriesContext(connection) as captured:
        assert len(hits_of(ana, {match.code: page["lines"][0]["deals"]}, with_cards=True)[match.code]) == page["deals"]
    assert len(captured) == 1


def test_pages_go_on_from_a_match_and_count_what_is_left(monkeypatch, match, ana, users):
    others = []
    for seed in ("cd", "ef"):
        opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}, seed=seed * 32)
        others.append(kept(opened))
    monkeypatch.setattr(search, "PAGE", 2)
    form = FilterForm({"game": "oh-hell", "deal.cards": "3"})
    assert form.is_valid()

    first = search.search(ana, form.criteria, own=True)

    assert [line["code"] for line in first["lines"]] == [others[1].code, others[0].code]
    assert (first["matches"], first["deals"], first["more"]) == (3, 3, False)
    assert first["older"] == others[0].code
    again = FilterForm({"game": "oh-hell", "deal.cards": "3", "before": first["older"]})
    assert again.is_valid()
    second = search.search(ana, again.criteria, own=True)
    assert [line["code"] for line in second["lines"]] == [match.code]
    assert second["older"] == ""


def test_what_is_too_much_to_count_is_said_and_no_match_is_shown_in_part(monkeypatch, match, ana):
    older = kept(
        opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}, seed="34" * 32)
    )
    form = FilterForm({"game": "oh-hell", "deal.over_under": "over", "who": "anybody"})
    assert form.is_valid()
    wanted = find(ana, game="oh-hell", deal__over_under="over")
    monkeypatch.setattr(search, "COUNT_LIMIT", len(wanted[older.code]) + 1)  # of the other match some are beyond it

    page = search.search(ana, form.criteria, own=True)

    assert page["more"]
    assert [(line["code"], line["deals"]) for line in page["lines"]] == [(older.code, wanted[older.code])]


def test_rated_matches_are_found_and_marked_and_their_records_say_so(as_ana, match, ana):
    unrated = find(ana, rated="no")
    Match.objects.filter(pk=match.pk).update(rated=True)
    match.refresh_from_db()
    making.store_facts(match)

    assert match.code in unrated
    assert match.code not in find(ana, rated="no")
    assert match.code in find(ana, rated="yes")
    assert '<span class="badge">rated</span>' in as_ana.get("/matches/?rated=yes").text
    assert '<span class="badge">rated</span>' in as_ana.get(f"/matches/{match.code}/replay/").text
    match.refresh_from_db()
    record = export_match(match)
    assert record["rated"] is True
    assert not import_match(record).rated  # here it would change ratings


def test_hits_lead_to_their_deals_in_the_replay(as_ana, match):
    wanted = deals_where(match, lambda row: row["trump"] == rows(match)[0]["trump"])

    page = as_ana.get(f"/matches/?game=oh-hell&deal.trump={rows(match)[0]['trump']}").text

    links = re.findall(rf'href="(/matches/{match.code}/replay/\?deal=(\d+))">\s*Hand (\d+)<', page)
    assert [int(deal) for _, deal, _ in links] == [int(deal) for _, _, deal in links] == wanted
    assert as_ana.get(links[-1][0]).status_code == 200


def test_filters_stand_as_sentences_that_can_be_taken_away_one_by_one(as_ana, match):
    query = "game=oh-hell&deal.bid=0&who=opponent&player=boris&seats=3"

    page = as_ana.get(f"/matches/?{query}").text

    told = {
        unescape(words): unescape(address)
        for words, address in re.findall(r"<li>\s*<span>(.*?)</span>\s*<a href=\"(.*?)\"", page)
    }
    assert list(told) == [
        "The game was Oh Hell.",
        "boris played.",
        "There were three players.",
        "An opponent bid zero.",
    ]
    assert told["The game was Oh Hell."] == "/matches/?player=boris&seats=3"
    assert told["boris played."] == "/matches/?game=oh-hell&deal.bid=0&who=opponent&seats=3"
    assert as_ana.get(told["An opponent bid zero."]).status_code == 200
    assert re.search(r"\d+ hands? in\s+1 match\.", page)


def test_a_profile_says_whose_deals_they_are(client, match, ana):
    page = client.get("/players/Ana/?game=oh-hell&deal.bid=0").text

    assert "<span>Ana bid zero.</span>" in page
    assert "A partner of Ana" in page


def test_others_find_no_unlisted_match_that_goes_on(match, ana, boris):
    running = opening.open_table(ana, "oh-hell", seats=3, bots=2, listed=False)

    assert list(find(ana)) == [running.code, match.code]
    assert list(find(ana, own=False)) == [match.code]
    assert list(find(ana, result="running")) == [running.code]
    assert list(find(ana, place=str(match.seats.get(user=ana).finish))) == [match.code]


def test_a_deleted_account_is_missing_from_nobodys_search(match, ana, boris):
    before = find(ana, game="oh-hell", deal__bid="1", who="anybody")

    User.objects.get(pk=boris.pk).delete()

    assert find(ana, game="oh-hell", deal__bid="1", who="anybody") == before
    assert SeatFacts.objects.filter(deal__match=match).count() == 30


@pytest.mark.parametrize("query", ["deal.bid=99", "who=you", "place=9", "seats=x", "margin_from=-1", "deals_to=1.5"])
def test_what_cannot_be_asked_is_refused(as_ana, query):
    assert as_ana.get(f"/matches/?game=oh-hell&{query}").status_code == 400
