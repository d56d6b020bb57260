"""Stars, tags, notes and saved filters: found again by their owner, and by nobody else."""

import json
import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.archive import pieces
from accounts.models import User
from games.deal_index import making
from games.models import Match
from games.notes import notebook
from games.notes.export import EXPORTS, documents
from games.notes.models import Note, SavedFilter, Tag
from games.pages.filters import saved_filters
from games.play.errors import Refused
from tests.deal_index.test_search import find

pytestmark = pytest.mark.django_db


@pytest.fixture
def match(started):
    """A match of Ana, Boris and Vera."""
    return Match.objects.get(code=started.code)


def noted(client, match, **fields):
    return client.post(f"/matches/{match.code}/note/", fields)


def test_a_note_is_shown_to_its_owner_and_found_by_what_it_says(client, match, ana, boris):
    client.force_login(ana)

    assert noted(client, match, starred="on", tags="Endgame, #study ,endgame", text="Trick five.").status_code == 302

    page = client.get("/matches/").text
    assert ("★" in page, "Trick five." in page, ">endgame</a>" in page, ">study</a>" in page) == (True,) * 4
    for asked in ({"starred": "yes"}, {"tag": "Study"}, {"noted": "FIVE"}):
        assert list(find(ana, **asked)) == [match.code]
        assert find(boris, **asked) == {}
    assert find(ana, tag="endgam") == find(ana, noted="six") == {}
    page = client.get("/matches/?starred=yes&tag=study&noted=five").text
    assert all(words in page for words in ("It has a star.", "It is tagged “study”.", "The note says “five”."))
    client.force_login(boris)
    assert "Trick five." not in client.get("/matches/").text + client.get("/players/Ana/").text
    assert "Trick five." not in client.get(f"/matches/{match.code}/note/").text


def test_a_note_is_found_without_its_capitals_and_accents(client, match, ana):
    client.force_login(ana)
    noted(client, match, text="Йордан, Šime: 100%")

    assert [list(find(ana, noted=words)) for words in ("йордан", "sime", "0%")] == [[match.code]] * 3
    assert find(ana, noted="иордан") == find(ana, noted="100_") == {}


def test_notes_of_others_are_no_filter_of_their_profiles(client, match, ana, boris):
    notebook.star(ana, match, starred=True)
    client.force_login(boris)

    starred, plain = client.get("/players/Ana/?starred=yes"), client.get("/players/Ana/")

    assert starred.context["matches"] == plain.context["matches"] == 1
    assert 'name="starred"' not in plain.text


def test_an_empty_note_is_not_kept(client, match, ana):
    client.force_login(ana)
    noted(client, match, starred="on", text="x")

    noted(client, match, text="  ", tags=" , ")

    assert not Note.objects.exists()


def test_a_star_goes_on_and_off_by_one_button_and_leaves_the_note(client, match, ana):
    client.force_login(ana)
    noted(client, match, tags="study")

    for fields, starred in (({}, True), ({}, True), ({"off": "1"}, False)):
        answer = client.post(f"/matches/{match.code}/star/", fields | {"next": "/matches/?seats=3"})
        assert answer.url == "/matches/?seats=3"
        assert Note.objects.get().starred == starred

    assert [tag.name for tag in Tag.objects.all()] == ["study"]


def test_a_star_alone_leaves_nothing_behind(match, ana):
    notebook.star(ana, match, starred=True)
    notebook.star(ana, match, starred=False)

    assert not Note.objects.exists()


@pytest.mark.parametrize(
    "fields",
    [
        {"text": "x" * 2001},
        {"text": "a\0b"},
        {"tags": "x" * 31},
        {"tags": ",".join(map(str, range(11)))},
    ],
)
def test_what_cannot_be_noted_is_refused_and_changes_nothing(client, match, ana, fields):
    notebook.star(ana, match, starred=True)
    client.force_login(ana)

    assert noted(client, match, **fields).status_code == 400
    assert (Note.objects.get().starred, Tag.objects.count()) == (True, 0)


def test_only_who_sits_there_notes_something(client, match, users):
    client.force_login(users[3])

    assert client.get(f"/matches/{match.code}/note/").status_code == 404
    assert noted(client, match, starred="on").status_code == 404
    assert client.post(f"/matches/{match.code}/star/").status_code == 404
    assert not Note.objects.exists()


def test_filters_are_saved_by_name_and_deleted(client, match, ana):
    client.force_login(ana)

    for query in ("game=oh-hell&seats=3&before=nothing", "game=oh-hell&deal.bid=0"):
        assert client.post("/matches/filters/save/", {"name": " Zero  bids", "query": query}).status_code == 302

    kept = SavedFilter.objects.get()
    assert (kept.name, kept.query) == ("Zero bids", "game=oh-hell&deal.bid=0")
    page = client.get("/matches/?game=oh-hell&deal.bid=0").text
    assert re.search(r'href="/matches/\?game=oh-hell&amp;deal.bid=0"\s+aria-current="page">Zero bids\s+<span', page)
    client.post("/matches/filters/delete/", {"filter": str(kept.pk)})
    assert not SavedFilter.objects.exists()


def test_saved_filters_say_how_much_they_find_in_one_query(client, match, finished, ana):
    over = Match.objects.get(code=finished.code)
    over.seats.filter(number=0).update(user=ana)
    making.store_facts(over)
    for name, query in (
        ("One", "seats=3"),
        ("Two", "game=oh-hell&deal.cards=2"),
        ("Three", "seats=7"),
        ("Four", "tag=x"),
    ):
        notebook.save_filter(ana, name, query)
    notebook.save_filter(ana, "Gone", "game=oh-hell&deal.bid=99")

    with CaptureQueriesContext(connection) as captured:
        found = {line["name"]: (line["count"], line["unit"]) for line in saved_filters(ana)}

    matches = Match.objects.filter(seats__user=ana, guide=False).count()
    assert found == {
        "One": (matches, "match"),
        "Two": (1, "hand"),
        "Three": (0, "match"),
        "Four": (0, "match"),
        "Gone": (None, ""),
    }
    assert len(captured) == 2  # the filters; the count
    client.force_login(ana)
    page = client.get("/matches/").text
    assert re.search(
        rf"One\s+<span class=\"muted\" [^>]*>{matches}</span><span class=\"hidden-text\">: {matches} match", page
    )


@pytest.mark.parametrize(
    "name,query",
    [
        ("", "seats=3"),
        ("x" * 41, "seats=3"),
        ("bad", ""),
        ("bad", "seats=99"),
        ("bad", "place=x"),
        ("bad", "player=" + "x" * 5000),
        ("\u3164", "seats=3"),
    ],
)
def test_filters_that_cannot_be_are_not_saved(client, ana, name, query):
    client.force_login(ana)

    assert client.post("/matches/filters/save/", {"name": name, "query": query}).status_code == 400
    assert not SavedFilter.objects.exists()


def test_nobody_deletes_the_filters_of_others_and_there_are_only_so_many(client, ana, boris, monkeypatch):
    monkeypatch.setattr(notebook, "MAX_FILTERS", 1)
    kept = notebook.save_filter(ana, "one", "seats=3")
    client.force_login(boris)

    client.post("/matches/filters/delete/", {"filter": str(kept.pk)})
    client.post("/matches/filters/delete/", {"filter": "x"})

    assert SavedFilter.objects.get() == kept
    notebook.save_filter(ana, "one", "seats=4")
    with pytest.raises(Refused):
        notebook.save_filter(ana, "two", "seats=3")


def test_notes_are_taken_along_and_go_with_the_account(match, ana):
    notebook.note(ana, match, starred=True, text="Trick five.", tags="b, a")
    notebook.save_filter(ana, "Three", "seats=3")

    note, kept = json.loads(json.dumps(list(documents(ana)), default=str))

    assert (note["match"], note["starred"], note["tags"], note["text"]) == (match.code, True, ["a", "b"], "Trick five.")
    assert (kept["name"], kept["query"]) == ("Three", "seats=3")
    assert EXPORTS[0].count(ana) == 2
    assert b"".join(pieces(ana, "valat.example"))
    User.objects.get(pk=ana.pk).delete()
    assert [model.objects.count() for model in (Note, Tag, SavedFilter)] == [0, 0, 0]
