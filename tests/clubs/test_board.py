"""Notices, dates and talk of a club; who is shown which of it."""

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.people import ties
from games.chat import posting, reporting
from games.chat.models import ChatMessage, Report, Silence
from games.clubs import board, drawing, joining, leading
from games.clubs.models import ClubNotice
from games.play import seating
from games.play.errors import NotAllowed, Refused
from tests.clubs.conftest import member
from tests.play.acting import at_once

pytestmark = pytest.mark.django_db


@pytest.fixture
def news():
    """The news that clubs have sent: (key, text, users)."""
    sent = []

    def receive(key, text, user_ids, **_):
        sent.append((key, text, user_ids))

    board.club_news.connect(receive)
    yield sent
    board.club_news.disconnect(receive)


def page(club, user):
    viewer = user.pk, "en"
    return drawing.pages(club.code, [viewer]).get(viewer)


def in_days(days):
    return timezone.now() + timedelta(days=days)


def test_a_notice_keeps_its_lines_and_a_date_is_next_until_it_is_over(client, club, ana, boris, news):
    client.force_login(ana)
    sent = {"text": "Cards <b>tonight</b>\n\n\n\nBring   cake", "starts_at": "2020-01-01T20:00"}
    refused = client.post(f"/clubs/{club.code}/notices/new/", sent)
    day = in_days(3).strftime("%Y-%m-%dT%H:%M")
    written = client.post(f"/clubs/{club.code}/notices/new/", sent | {"starts_at": day, "time_zone": "UTC"})

    assert (refused.status_code, written.status_code) == (400, 302)
    assert "still to come" in refused.text
    notice = ClubNotice.objects.get()
    assert notice.text == "Cards <b>tonight</b>\n\nBring cake"
    drawn = page(club, boris)
    assert "Next date" in drawn
    assert "<p>Cards &lt;b&gt;tonight&lt;/b&gt;</p>\n\n<p>Bring cake</p>" in drawn
    assert news == [(str(notice.pk), "Cards <b>tonight</b>", [boris.pk])]
    client.force_login(boris)
    file = client.get(f"/clubs/{club.code}/notices/{notice.pk}/date.ics")
    assert notice.starts_at.strftime("DTSTART:%Y%m%dT%H%M00Z") in file.text
    ClubNotice.objects.update(starts_at=in_days(-1))
    assert "Next date" not in page(club, boris)


def test_members_are_reminded_of_a_date_once(club, ana, boris, news):
    soon = board.write_notice(member(club, ana), "Soon", in_days(0.5))
    later = board.write_notice(member(club, ana), "Later", in_days(3))
    board.remind()
    assert len(news) == 2  # Of both notices. Of the first nobody needs to be reminded.
    ClubNotice.objects.filter(pk=later.pk).update(starts_at=in_days(0.9), written_at=in_days(-3))

    assert [board.remind(), board.remind()] == [1, 0]

    assert news[2:] == [(f"{later.pk} reminder", "Later", [boris.pk])]
    assert ClubNotice.objects.get(pk=soon.pk).reminded_at


def test_the_bell_of_the_members_rings(club, ana, boris):
    board.write_notice(member(club, ana), "Cards tonight\nBring cake")

    assert not ana.bell_items.exists()
    item = boris.bell_items.get()
    assert (item.kind, item.club, item.text) == ("club_news", club, "Cards tonight")


def test_the_bell_is_silent_where_the_author_is_unwanted(club, ana, boris, vera, goran, news):
    for user in (vera, goran):
        joining.join(user, club.invitation)
    ties.block(boris, ana)
    posting.mute(vera, ana)

    board.write_notice(member(club, ana), "Cards tonight")

    assert [users for _, _, users in news] == [[goran.pk]]


def test_a_notice_that_is_deleted_or_hidden_leaves_the_bells(club, ana, boris, vera):
    rude, late, good = (board.write_notice(member(club, ana), text) for text in ("Rude", "Late", "Good"))

    board.take_back("notice", str(rude.pk), hidden=True)
    board.delete_notice(member(club, ana), late.pk)

    assert [item.subject for item in boris.bell_items.all()] == [str(good.pk)]


def test_bells_ring_for_few_notices_a_day(client, club, ana, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"club_notice": "1/d/user"}
    client.force_login(ana)

    answers = [client.post(f"/clubs/{club.code}/notices/new/", {"text": "Cards"}) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 429]


def test_only_leaders_write_and_delete_notices(client, club, ana, boris, vera):
    notice = board.write_notice(member(club, ana), "Cards tonight")
    for user, status in ((boris, 403), (vera, 404)):
        client.force_login(user)
        for address in ("notices/new/", f"notices/{notice.pk}/delete/"):
            assert client.post(f"/clubs/{club.code}/{address}", {"text": "Mine"}).status_code == status
    organiser = member(club, ana)
    leading.set_officer(organiser, boris.pk, officer=True)
    his = member(club, boris)
    leading.remove(organiser, boris.pk)
    with pytest.raises(NotAllowed):  # The membership was read before it ended.
        board.write_notice(his, "Still here")
    Silence.objects.create(user=ana, reason="Rude")
    with pytest.raises(NotAllowed):
        board.write_notice(organiser, "Hello")
    client.force_login(ana)
    client.post(f"/clubs/{club.code}/notices/{notice.pk}/delete/")
    assert not ClubNotice.objects.exists()


def test_members_talk_and_nobody_else(client, club, ana, boris, vera, settings):
    client.force_login(boris)
    assert client.post(f"/clubs/{club.code}/talk/", {"text": "Hello all"}).status_code == 302
    assert "Hello all" in page(club, ana)
    assert page(club, vera) is None
    with pytest.raises(NotAllowed):
        board.write_line(vera.pk, club.code, "Me too")
    joining.join(vera, club.invitation)
    ties.block(vera, boris)
    posting.set_phrases_only(ana, phrases_only=True)

    assert "Hello all" not in page(club, vera)
    assert "Hello all" not in page(club, ana)
    settings.TALK = "phrases"
    with pytest.raises(Refused):
        board.write_line(boris.pk, club.code, "Hello")


def blocks_another():
    """Whether a transaction waits for this one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE pg_backend_pid() = ANY(pg_blocking_pids(pid))")
        return cursor.fetchone()[0] > 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_a_member_may_talk_at_the_moment_of_their_removal(club, ana, boris):
    organiser, has_talked = member(club, ana), threading.Event()

    def talk():
        with transaction.atomic():
            board.write_line(boris.pk, club.code, "Hello")
            has_talked.set()
            while not blocks_another():
                time.sleep(0.01)

    def remove():
        assert has_talked.wait(10)
        return leading.remove(organiser, boris.pk)

    assert at_once(talk, remove) == [None, boris]


def test_words_of_a_club_are_reported_and_taken_back(client, club, ana, boris, vera, goran):
    joining.join(vera, club.invitation)
    board.write_line(ana.pk, club.code, "Fools")
    board.write_line(boris.pk, club.code, "Thanks")
    notice = board.write_notice(member(club, ana), "Rude words")
    line = ChatMessage.objects.first()
    client.force_login(vera)
    for address in (f"talk/{line.pk}/", f"notices/{notice.pk}/"):
        assert client.get(f"/clubs/{club.code}/{address}").status_code == 200
        assert client.post(f"/clubs/{club.code}/{address}", {"reason": "rude"}).status_code == 302

    of_line, of_notice = Report.objects.order_by("pk")
    assert [message.words for message in of_line.messages.all()] == ["Fools", "Thanks"]
    for report in (of_line, of_notice):
        reporting.hide(report, goran)

    assert "Fools" not in page(club, vera)
    assert "Rude words" not in page(club, vera)
    reporting.reopen(of_line, goran)
    assert "Fools" in page(club, vera)


def test_old_lines_make_room(club, ana, monkeypatch, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | dict.fromkeys(("talk", "talk_new"), "1000/m/user")
    monkeypatch.setattr(posting, "MOST_LINES", 3)

    for number in range(5):
        board.write_line(ana.pk, club.code, f"Line {number}")

    assert [line.text for line in ChatMessage.objects.all()] == ["Line 2", "Line 3", "Line 4"]


def test_equal_readers_share_one_drawing(club, table, ana, boris, vera, goran, monkeypatch):
    for user in (vera, goran):
        joining.join(user, club.invitation)
    drawn = []
    draw = drawing._Content._draw
    monkeypatch.setattr(drawing._Content, "_draw", lambda *args, **named: drawn.append(1) or draw(*args, **named))

    def queries(users):
        with CaptureQueriesContext(connection) as asked:
            pages = drawing.pages(club.code, [(user.pk, "en") for user in users])
        assert len(pages) == len(users)
        return len(asked)

    assert queries([boris]) == queries([boris, vera, goran])
    assert len(drawn) == 2
    queries([ana, boris])  # Ana sits at the table, and leads.
    assert len(drawn) == 4


def test_a_table_is_opened_and_joined_in_two_clicks(client, club, ana, boris):
    client.force_login(ana)
    assert "Open a table" in client.get(f"/clubs/{club.code}/").text
    opened = client.post(f"/clubs/{club.code}/tables/open/")
    table = club.matches.get()
    assert opened.url == table.get_absolute_url()
    assert f'formaction="/matches/{table.code}/sit/"' in page(club, boris)
    assert f'formaction="/matches/{table.code}/sit/"' not in page(club, ana)
    seating.sit_down(boris, table.code)
    address = f"/clubs/{club.code}/tables/new/?game=belot"
    form = client.get(address).context["form"]
    assert "listed" not in form.fields
    sent = {name: form.initial.get(name, field.initial) for name, field in form.fields.items()}
    sent = {name: value for name, value in sent.items() if value is not None} | {"rated": "yes"}

    made = client.post(address, sent)

    assert made.status_code == 302, made.context["form"].errors
    rated = club.matches.get(game="belot")
    assert (rated.rated, rated.speed, rated.listed) == (True, "normal", False)
    client.post(f"/clubs/{club.code}/tables/open/")
    assert club.matches.filter(game="belot", rated=True).count() == 2  # As the last one.
