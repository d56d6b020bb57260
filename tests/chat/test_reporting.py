"""Reports keep the lines around, come in no floods, and are decided by moderators, who can take it back."""

import pytest
from django.contrib.auth.models import Permission

from accounts.services import delete_account
from games.chat import letters, posting, reading, reporting
from games.chat.export import documents
from games.chat.models import DirectMessage, Report, ReportedMessage, Silence
from games.models import Match
from games.play.errors import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture
def said(started, users):
    Match.objects.update(further_terms={"chat": Match.Chat.ALL})
    lines = [posting.post(users[number % 3].pk, started.code, text=f"Line {number}") for number in range(30)]
    return started, lines


@pytest.fixture
def moderator(users):
    users[3].is_staff = users[3].is_superuser = True
    users[3].save()
    return users[3]


def test_a_report_keeps_the_lines_around_as_they_were(said, users):
    _, lines = said

    report = reporting.report_line(users[0], lines[16], "rude", " Look at\x00that ")

    kept = list(report.messages.values_list("words", "user__username", "is_reported"))
    assert [words for words, *_ in kept] == [f"Line {number}" for number in range(6, 27)]
    assert [(words, name) for words, name, is_reported in kept if is_reported] == [("Line 16", "Boris")]
    assert (report.reported, report.note) == (users[1], "Look at that")


def test_reports_are_made_once_of_others_and_not_in_floods(said, users, monkeypatch, settings):
    _, lines = said
    monkeypatch.setattr(reporting, "MOST_WAITING", 2)
    reporting.report_line(users[0], lines[1], "rude")

    for line, reason in [(lines[1], "rude"), (lines[0], "rude"), (lines[2], "no such"), (lines[2], None)]:
        with pytest.raises(Refused):
            reporting.report_line(users[0], line, reason)
    reporting.report_line(users[0], lines[2], "spam")
    with pytest.raises(Refused, match="still wait"):
        reporting.report_line(users[0], lines[4], "rude")
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"report": "0/h/user"}
    with pytest.raises(Refused, match="a lot at once"):
        reporting.report_line(users[1], lines[2], "rude")
    assert Report.objects.count() == 2


def test_a_moderator_silences_takes_words_back_and_takes_that_back(said, ana, boris, moderator, client):
    started, lines = said
    report = reporting.report_line(ana, lines[1], "rude")
    client.force_login(moderator)
    path = "/admin/chat/report/"
    assert "Line 1" in client.get(path).content.decode()
    assert "Line 0" in client.get(f"{path}{report.pk}/change/").content.decode()

    def act(name):
        assert client.post(path, {"action": name, "_selected_action": report.pk}).status_code == 302
        report.refresh_from_db()

    act("hide")
    act("silence_day")

    assert (report.state, report.decided_by) == ("acted", moderator)
    assert report.outcome == "Taken back; Can’t talk for 1 day"
    assert "Line 1" not in [line.words for line in reading.talks(started.code, [ana.pk])[ana.pk].lines]
    with pytest.raises(Refused, match="Rude or hateful"):
        posting.post(boris.pk, started.code, phrase="luck")
    assert moderator.logentry_set.count() == 2

    act("reopen")
    client.post("/admin/chat/silence/", {"action": "lift", "_selected_action": Silence.objects.get().pk})

    assert (report.state, report.decided_at) == ("open", None)
    assert "Line 1" in [line.words for line in reading.talks(started.code, [ana.pk])[ana.pk].lines]
    posting.post(boris.pk, started.code, phrase="luck")


def test_a_deleted_accounts_words_are_nowhere(said, ana, boris, vera, befriend):
    _, lines = said
    befriend(ana, boris)
    posting.write(boris, ana, "Hi")
    report = reporting.report_line(ana, lines[2], "rude")

    delete_account(boris)

    assert not ReportedMessage.objects.filter(words__in=["Line 1", "Line 4"]).exists()
    assert ReportedMessage.objects.filter(words="Line 2").exists()
    assert not DirectMessage.objects.exists()
    reporting.decide(report, ana, Report.State.DISMISSED, "")
    delete_account(vera)
    assert not Report.objects.exists()
    assert not ReportedMessage.objects.exists()


def test_a_report_that_waits_outlives_the_reported_account(said, ana, boris, moderator, client):
    _, lines = said
    report = reporting.report_line(ana, lines[1], "rude")
    delete_account(boris)
    client.force_login(moderator)
    path = "/admin/chat/report/"
    page = client.get(path).text + client.get(f"{path}{report.pk}/change/").text

    def act(name, **more):
        client.post(path, {"action": name, "_selected_action": report.pk, **more})
        report.refresh_from_db()

    assert "Line 1" in page
    assert "(account deleted)" in page
    assert "Boris" not in page
    assert next(row for row in documents(ana) if row["kind"] == "report")["name"] is None
    act("silence_day")
    act("sanction", confirmed="Do it", kind="ban", reason="x", days="")
    assert report.state == "open"

    act("dismiss")

    assert report.state == "dismissed"
    assert not report.messages.filter(words="Line 1").exists()


def test_moderators_silence_neither_themselves_nor_the_staff(ana, boris, vera, moderator, client):
    for each in (ana, vera):
        each.is_staff = True
        each.save()
    ana.user_permissions.set(Permission.objects.filter(content_type__app_label="chat"))
    client.force_login(ana)
    path = "/admin/chat/silence/"

    for user in (ana, vera, moderator, boris):
        client.post(f"{path}add/", {"user": user.pk, "reason": "Loud", "until_0": "", "until_1": ""})
    assert [silence.user for silence in Silence.objects.all()] == [boris]

    for user in (ana, vera, moderator):
        Silence.objects.create(user=user, reason="Loud", by=moderator)
    keys = list(Silence.objects.values_list("pk", flat=True))
    client.post(path, {"action": "lift", "_selected_action": keys})
    assert [silence.user for silence in Silence.objects.exclude(lifted_at=None)] == [boris]


def test_messages_are_for_friends_and_unread_until_they_are_read(ana, boris, vera, befriend):
    befriend(ana, boris)
    posting.write(ana, boris, "Hi")
    assert letters.unread_count(boris) == 1

    assert [line.text for line in letters.read(boris, ana)] == ["Hi"]

    assert letters.unread_count(boris) == 0
    with pytest.raises(Refused, match="for friends"):
        posting.write(ana, vera, "Hi")
    posting.write(boris, ana, "Hello")
    assert [(line.other, line.unread) for line in letters.conversations(ana)] == [(boris, 1)]
    posting.mute(ana, boris)
    assert (letters.unread_count(ana), letters.conversations(ana)) == (0, [])
    posting.unmute(ana, boris)
    posting.set_phrases_only(ana, phrases_only=True)
    assert letters.read(ana, boris) == []
    with pytest.raises(Refused, match="receive messages"):
        posting.write(boris, ana, "Hello?")
