"""What a search has found, taken away as lines."""

import csv
import json
from io import BytesIO

import pytest
from asgiref.sync import async_to_sync
from PIL import Image

from games.deal_index import making, picture, search
from games.deal_index.models import SeatFacts
from games.deal_index.sheets import plain_sheet
from games.history.records import export_match
from games.models import Match
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def matches(ana):
    played = []
    for seed in ("12", "34", "56"):
        opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"}, seed=seed * 32)
        match = Match.objects.get(code=play_on(opened).code)
        making.store_facts(match)
        played.insert(0, match)
    return played


def taken(client, user, address):
    client.force_login(user)
    response = client.get(address)
    assert response.status_code == 200

    async def whole():
        return b"".join([piece async for piece in response])

    return async_to_sync(whole)().decode()


def test_records_are_those_of_the_finished_matches_found(client, ana, matches, started):
    lines = taken(client, ana, "/matches.jsonl?game=oh-hell").splitlines()

    assert [json.loads(line)["code"] for line in lines] == [match.code for match in matches]
    assert json.loads(lines[0]) == json.loads(json.dumps(export_match(matches[0])))


def test_facts_have_a_line_for_each_seat_of_each_deal(client, ana, matches):
    rows = list(csv.DictReader(taken(client, ana, "/facts.csv?game=oh-hell&csv=plain").splitlines()))

    assert len(rows) == 3 * 10 * 3
    for match in matches:
        sums = dict.fromkeys(range(3), 0)
        for row in rows:
            if row["code"] == match.code:
                sums[int(row["seat"])] += float(row["points"])
        assert sums == {line["seat"]: line["score"] for line in match.standings}
    assert rows[0]["deal_cards"] == "1"
    assert {row["player"] for row in rows} >= {"Ana"}


def test_only_deals_that_fit_are_taken(client, ana, matches):
    rows = list(csv.DictReader(taken(client, ana, "/facts.csv?csv=plain&game=oh-hell&deal.cards=3").splitlines()))

    assert [(row["code"], row["deal"]) for row in rows[::3]] == [(match.code, "3") for match in matches]


def test_all_is_taken_also_where_it_is_more_than_is_counted(client, ana, matches, monkeypatch):
    monkeypatch.setattr(search, "COUNT_LIMIT", 12)
    monkeypatch.setattr(search, "PAGE", 1)

    address = "/facts.csv?csv=plain&game=oh-hell&deal.tricks=0&who=anybody"
    deals = list(csv.DictReader(taken(client, ana, address).splitlines()))
    monkeypatch.setattr(search, "COUNT_LIMIT", 2)
    records = taken(client, ana, "/matches.jsonl").splitlines()

    assert {row["code"] for row in deals} == {match.code for match in matches}
    assert len(records) == 3


def test_nobody_takes_the_matches_of_others(client, boris, matches):
    assert taken(client, boris, "/matches.jsonl") == ""
    assert taken(client, boris, "/facts.csv?game=oh-hell&csv=plain") == ""


def test_filters_that_cannot_be_are_refused(as_ana):
    assert as_ana.get("/facts.csv?game=chess").status_code == 400
    answer = as_ana.get("/facts.csv")
    assert (answer.status_code, "Choose a game first" in answer.text) == (400, True)


def test_names_are_no_formulas(client, ana, matches):
    matches[0].seats.filter(user=None).update(name="=1+1")

    assert "'=1+1" in taken(client, ana, "/facts.csv?game=oh-hell&csv=plain")


def test_sheets_of_all_matches_have_a_line_for_each_deal(client, ana, matches):
    rows = list(csv.DictReader(taken(client, ana, "/sheets.csv?csv=plain").splitlines()))

    assert len(rows) == 3 * 10
    for match in matches:
        last = [row for row in rows if row["code"] == match.code][-1]
        assert [float(last[f"score_{place}"]) for place in (1, 2, 3)] == [
            line["score"] for line in sorted(match.standings, key=lambda line: line["seat"])
        ]
        assert last["player_4"] == last["score_8"] == ""


@pytest.mark.parametrize(
    ("language", "chosen", "start", "separator", "figure"),
    [
        ("en", "", "\ufeffcode,game,", ",", "-2.5"),
        ("de", "", "\ufeffcode;game;", ";", "-2,5"),
        ("bg", "", "\ufeffcode;game;", ";", "-2,5"),
        ("de", "commas", "\ufeffcode,game,", ",", "-2.5"),
        ("fr", "plain", "code,game,", ",", "-2.5"),
    ],
)
def test_spreadsheets_of_the_country_read_names_and_figures(
    client, ana, matches, language, chosen, start, separator, figure
):
    matches[-1].seats.filter(user=None).update(name="Боряна")
    SeatFacts.objects.filter(deal__match=matches[-1], deal__number=1).update(points=-2.5, score=12)
    client.cookies["language"] = language

    text = taken(client, ana, f"/sheets.csv?csv={chosen}")

    assert text.startswith(start)
    head, *rows = csv.reader(text.removeprefix("\ufeff").splitlines(), delimiter=separator)
    assert {len(row) for row in rows} == {len(head)}
    first = dict(zip(head, rows[20], strict=True))
    assert (first["deal"], first["points_1"], first["score_1"]) == ("1", figure, "12")
    assert "Боряна" in rows[20]


def test_a_sheet_is_a_table_of_what_the_game_prints(client, ana, matches):
    match = matches[0]
    text = client.get(f"/matches/{match.code}/sheet.csv?csv=plain").text

    rows = list(csv.DictReader(text.splitlines()))

    seat = match.seats.get(user=ana).number
    assert len(rows) == 10
    for row, line in zip(rows, match.score_sheet["hands"], strict=True):
        of_ana = line["seats"][seat]
        assert (row["Cards"], row["Ana: Bid"], row["Ana: Total"]) == tuple(
            map(str, (line["cards"], of_ana["bid"], of_ana["total"]))
        )


def test_partners_share_columns(ana):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="12" * 32)
    match = Match.objects.get(code=play_on(opened).code)

    sheet = plain_sheet(match)

    assert len(sheet.sides) == 2
    assert [len(line) for line in sheet.lines] == [len(sheet.columns)] * len(match.score_sheet["rows"])
    assert [line[-1] for line in sheet.lines][-1] == match.score_sheet["rows"][-1]["totals"][1]


def test_a_sheet_is_a_picture_whatever_the_names(client, ana, matches):
    matches[0].seats.filter(user=None).update(name="Živković Жорж " + "W" * 26)

    answer = client.get(f"/matches/{matches[0].code}/sheet.png")

    image = Image.open(BytesIO(answer.content))
    assert (answer["Content-Type"], image.format) == ("image/png", "PNG")
    assert image.width < 4000
    assert len(image.getcolors(1 << 24)) > 5


def test_sheets_of_matches_that_go_on_or_are_too_long_are_refused(client, ana, started, matches, monkeypatch):
    assert client.get(f"/matches/{started.code}/sheet.csv").status_code == 400
    assert client.get(f"/matches/{started.code}/sheet.png").status_code == 400
    monkeypatch.setattr(picture, "MOST_ROWS", 9)
    assert "too long for a picture" in client.get(f"/matches/{matches[0].code}/sheet.png").text
    assert client.get("/matches/nothing/sheet.csv").status_code == 404


def test_the_page_of_a_finished_match_leads_to_its_files(client, ana, matches):
    page = client.get(f"/matches/{matches[0].code}/").text

    assert f'href="/matches/{matches[0].code}/sheet.png"' in page
    assert f'href="/matches/{matches[0].code}/sheet.csv"' in page
