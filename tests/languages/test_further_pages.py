"""Pages, files and pictures that no link of `test_pages` leads to; and what is kept, for each language by itself."""

import json
from itertools import pairwise

import pytest
from asgiref.sync import async_to_sync
from django.core.cache import cache
from django.template.loader import render_to_string
from django.urls import reverse

from games.analysis.models import Analysis, Verdict
from games.catalog import get_game
from games.challenges import challenges, playing_on, teams
from games.deal_index import making
from games.deal_index.sheets import plain_sheet
from games.fragments import lobby_tables
from games.history.replay import Replay
from games.kit.analysis import GOOD, SIGNS
from games.languages import speaking
from games.models import Match
from games.pages import sharing
from games.pages.filters import FilterForm
from games.pages.moments import moment_of
from games.pages.outage import Patience
from games.play import opening, seating
from games.ratings.models import Board, RatedMatch, RatedPlayer, Rating, RatingChange
from games.statistics.bests import bests
from games.statistics.figures import figures_of
from tests.challenges.conftest import finished_match
from tests.languages.made_up import unsaid, unsaid_of_texts
from tests.languages.test_pages import NAMES
from tests.matches import play_on
from tests.pages.test_health import database_away, slow

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def reader(client, made_up_language, ana):
    """Ana's browser, which asks for the made-up language."""
    client.force_login(ana)
    client.cookies["language"] = made_up_language
    return client


def unsaid_on(client, address, names=(), **asked):
    page = client.get(address, follow=True, **asked)
    return unsaid(page.text, (*NAMES, *names))


def of_rooms(game):
    """What rooms say of themselves, and is looked at in `test_rooms`."""
    texts = [*game.drawing.mark_kinds.values()]
    for field in game.newest.option_fields():
        texts += [
            field.label,
            field.help,
            *(words for choice in field.choices for words in (choice.label, choice.help)),
        ]
    for question in game.questions:
        texts += [question.label, *(words for answer in question.answers for words in (answer.words, answer.sentence))]
    for breakdown in game.statistics.breakdowns:
        texts += [breakdown.title, breakdown.head, breakdown.note]
        texts += [each.head for each in (*breakdown.lines, *breakdown.figures, *game.statistics.with_partner)]
    texts += [feat.words for feat in game.statistics.feats]
    texts += [words for preset in game.newest.presets for words in (preset.name, preset.help)]
    return sorted({str(text) for text in texts if text}, key=len, reverse=True)


def test_two_people_and_their_statistics(reader, ana, boris):
    opened = opening.open_table(ana, "belot", seats=4, bots=2, options={"target": 51}, seed="12" * 32, speed="untimed")
    match = Match.objects.get(code=play_on(seating.sit_down(boris, opened.code)).code)
    making.keep(match)
    room = of_rooms(get_game("belot"))

    assert unsaid_on(reader, reverse("compare", args=["Ana/Boris"])) == []
    assert unsaid_on(reader, reverse("luck", args=[match.code]), [get_game("belot").luck]) == []
    assert unsaid_on(reader, reverse("statistics", args=["Ana", "belot"]), room) == []
    assert unsaid_on(reader, reverse("bests", args=["Ana", "belot"]), room) == []


def test_filters_as_fields_and_sentences(reader, ana):
    fields = {
        "game": "belot",
        "player": "Boris",
        "partner": "Vera",
        "against": "Goran",
        "result": "lost",
        "place": "2",
        "margin_from": "1",
        "margin_to": "90",
        "since": "2026-01-31",
        "until": "2026-12-31",
        "seats": "4",
        "speed": "normal",
        "bots": "without",
        "rated": "no",
        "left": "yes",
        "deals_from": "1",
        "deals_to": "90",
        "starred": "yes",
        "tag": "Vera",
        "noted": "Goran",
    }
    reader.post(reverse("save_filter"), {"query": "game=belot", "name": "Ana"})

    assert unsaid_on(reader, f"{reverse('my_matches')}?seats=4", of_rooms(get_game("oh-hell"))) == []
    with speaking("eo"):
        for owner in ("", "Ana"):
            form = FilterForm({**fields, "who": "partner"}, owner=owner)
            assert form.is_valid()
            assert unsaid_of_texts([sentence for _, sentence in form.sentences], NAMES) == []


def test_lines(reader, ana, made_up_language):
    played = finished_match(ana, "oh-hell")
    begun = playing_on.play_on(ana, played, 3, 0, level="", one_deal=True, anew=True)
    asked = challenges.make(ana, finished_match(ana, "belot"), 0, 1)
    team = teams.make(ana, asked)
    dealt = [str(move) for move in ("The cards are dealt",)]

    assert unsaid_on(reader, reverse("own_lines"), dealt) == []
    assert unsaid_on(reader, team.get_absolute_url()) == []
    assert unsaid_on(reader, asked.get_absolute_url()) == []
    assert unsaid_on(reader, reverse("beside", args=[begun.code])) == []  # refused before its end
    reader.post(reverse("start_team_match", args=[team.code]))
    assert unsaid_on(reader, team.get_absolute_url()) == []


def test_analysis(reader, ana):
    match = finished_match(ana, "oh-hell")
    address = reverse("analysis", args=[match.code])
    assert unsaid_on(reader, address) == []
    analysis = Analysis.objects.create(match=match, asked_by=ana, status="running", decisions=9, judged=4)
    assert unsaid_on(reader, address) == []
    analysis.status, analysis.finished_at = Analysis.Status.FAILED, analysis.asked_at
    analysis.save()
    assert unsaid_on(reader, address) == []


@pytest.mark.parametrize("game", ["oh-hell", "belot"])
def test_analysis_that_is_done_and_its_verdicts(reader, ana, game):
    match = finished_match(ana, game)
    replay, marks = Replay(match, ana.pk), list(SIGNS)
    done = Analysis.objects.create(match=match, status="done", decisions=4, judged=4, finished_at=match.ended_at)
    judged = []
    for before, step in pairwise(replay.steps):
        moves = [] if step.seat is None else replay.rules.legal_moves(before.state)
        if len(moves) > 1 and marks:
            mark, other = marks.pop(0), next(move for move in moves if move != step.move)
            lost = 0.0 if mark == GOOD else 2.5
            options = [[step.move, 3.0, 0.2, 40, 0.0, 0.0], [other, 3.0, 0.2, 40, lost or -2.0, 0.3]]
            row = {"mark": mark, "lost": lost, "known": options, "opened": options, "exact": False}
            Verdict.objects.create(analysis=done, move=step.index, seat=step.seat, **row)
            judged.append(step.index)

    assert len(judged) == len(SIGNS)
    assert unsaid_on(reader, reverse("analysis", args=[match.code])) == []
    for move in judged:
        assert unsaid_on(reader, reverse("verdict", args=[match.code, move])) == []


def test_both_lines(reader, ana):
    begun = playing_on.play_on(ana, finished_match(ana, "oh-hell"), 3, 0, level="", one_deal=True, anew=True)
    play_on(begun)

    assert unsaid_on(reader, reverse("beside", args=[begun.code])) == []


def test_ratings(reader, ana):
    match = finished_match(ana, "oh-hell")
    Match.objects.filter(pk=match.pk).update(rated=True)
    address, board = reverse("rating_changes", args=[match.code]), f"{reverse('board', args=['oh-hell'])}?pace=slow"
    assert unsaid_on(reader, address) == []
    board_of = Board.objects.create(game="oh-hell", pace="slow")
    player = RatedPlayer.objects.create(user=ana)
    rated = RatedMatch.objects.create(match=match, board=board_of, ended_at=match.ended_at)
    figures = {"mu_before": 25, "sigma_before": 8, "mu": 26, "sigma": 7}
    RatingChange.objects.create(rated=rated, seat=match.seats.get(user=ana), player=player, **figures)
    Rating.objects.create(board=board_of, player=player, mu=26, sigma=7, matches=1)

    for page in (address, board, f"{board}&seats={match.seat_count}"):
        assert unsaid_on(reader, page) == []


def test_invitations_and_starts(reader, ana):
    opened = opening.open_table(ana, "belot", seats=4, options={})

    for name in ("invite", "start_time"):
        assert unsaid_on(reader, reverse(name, args=[opened.code])) == []


@pytest.mark.parametrize(
    "address",
    [
        "/matches/nothing/",
        "/matches/nothing/replay/",
        "/facts.csv",
        "/ratings/belot/?pace=none",
        "/ratings/belot/?month=none",
        "/ratings/none/",
        "/challenges/none/",
        "/players/Nobody-here/",
        "/matches/?before=none-such",
    ],
)
def test_what_is_not_here_or_refused(reader, settings, address):
    settings.DEBUG = False

    assert unsaid_on(reader, address) == []


def test_pages_of_trouble(spoken):
    for name in ("403.html", "403_csrf.html", "404.html", "429.html", "500.html", "503.html"):
        html = render_to_string(name)
        assert unsaid(html, NAMES) == []
        if name < "5":
            continue
        assert '<html lang="eo">' in html


@async_to_sync
async def _answered(application, cookie):
    """The body of what an ASGI application sends to somebody with this cookie."""
    sent = []

    async def send(message):
        sent.append(message)

    await application({"type": "http", "headers": [(b"cookie", cookie.encode())]}, None, send)
    return sent[1]["body"].decode()


@pytest.mark.django_db(transaction=True)
def test_page_that_is_given_up_says_so_in_the_language_of_who_waits(made_up_language, monkeypatch):
    monkeypatch.setattr(Patience, "WAIT", 0.1)

    with database_away():
        html = _answered(Patience(slow(60)), f"language={made_up_language}")

    assert '<html lang="eo">' in html
    assert unsaid(html, NAMES) == []


def test_files_and_pictures(spoken, ana):
    match = finished_match(ana, "oh-hell")
    sheet = plain_sheet(match)

    assert unsaid_of_texts([side["heads"][-2] for side in sheet.sides], NAMES) == []
    assert unsaid_of_texts([side["heads"][-1] for side in sheet.sides], NAMES) == []
    heading, lines = sharing._lines(match, blind=False)
    assert unsaid_of_texts([heading, *(name for name, _ in lines)], NAMES) == []


def test_installed_site_speaks_the_language_of_who_installs_it(reader, client):
    told = json.loads(reader.get(reverse("manifest")).content)

    assert told["lang"] == "eo"
    assert unsaid_of_texts([told["description"]], NAMES) == []


# What is kept


def test_statistics_that_were_counted_for_somebody_else_are_in_the_language_of_who_reads(client, made_up_language, ana):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="12" * 32, speed="untimed")
    making.keep(Match.objects.get(code=play_on(opened).code))
    address = reverse("statistics", args=["Ana", "belot"])
    cache.clear()

    english = client.get(address).text
    client.cookies["language"] = made_up_language
    other = client.get(address).text

    assert "4 players" in english
    assert "4 players" not in other


def test_moments_are_kept_for_each_language(made_up_language):
    english = moment_of("belot")["words"]
    with speaking(made_up_language):
        other = moment_of("belot")["words"]

    assert unsaid_of_texts([other], NAMES) == []
    assert other != english == moment_of("belot")["words"]


def test_lists_of_tables_are_read_in_the_language_of_who_looks(made_up_language, ana):
    opening.open_table(ana, "belot", seats=4, bots=1, options={}, listed=True)

    drawn = lobby_tables({(None, "en"), (None, made_up_language)})

    assert "normal bot" in drawn[None, "en"]
    assert "normal bot" not in drawn[None, made_up_language]
    found = unsaid(drawn[None, made_up_language], (*NAMES, *of_rooms(get_game("belot"))))
    assert found == []


def test_bests_say_how_much_in_the_language_of_who_reads(made_up_language, ana):
    opened = opening.open_table(ana, "belot", seats=4, bots=3, options={"target": 51}, seed="12" * 32, speed="untimed")
    making.keep(Match.objects.get(code=play_on(opened).code))
    running = figures_of(ana, get_game("belot"))

    with speaking(made_up_language):
        told = bests(running, get_game("belot"))

    assert told
    assert unsaid_of_texts([each["value"] for each in told], NAMES) == []
