"""The bell: each event once, gone when it is answered elsewhere, and nothing of people who are blocked or muted."""

import re
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.people import ties
from accounts.services import delete_account
from games.chat import letters, posting
from games.clubs import joining
from games.comments import writing
from games.models import Match, Seat
from games.notifications import bell, finding
from games.notifications.bell import News
from games.notifications.models import BellItem
from games.notifications.models import NotificationKind as Kind
from games.notifications.outbox import notify
from games.play import hosting, presence, seating, store
from tests import opening
from tests.matches import play_on

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture(autouse=True)
def _no_hurry(settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | dict.fromkeys(("message", "comment", "comment_new"), "1000/m/user")


def unread(user):
    return bell.counts([user.pk]).get(user.pk, 0)


def kinds(user):
    return [item.kind for item in bell.visible_items().filter(user=user).order_by("pk")]


def befriend(user, other):
    ties.ask(user, other)
    ties.accept(other, user)


def test_a_request_rings_until_it_is_answered_elsewhere_or_withdrawn(ana, boris, vera):
    for asker in (ana, vera):
        ties.ask(asker, boris)
    assert unread(boris) == 2

    ties.accept(boris, ana)
    ties.unfriend(vera, boris)

    assert (unread(boris), kinds(boris)) == (0, [])
    assert not BellItem.objects.filter(read_at=None).exists()


def test_a_withdrawn_invitation_is_gone_and_an_accepted_one(ana, boris, vera):
    opened = opening.open_table(ana, "oh-hell", seats=4)
    for user in (boris, vera):
        hosting.invite(ana, opened.code, user)
        assert kinds(user) == [Kind.INVITATION]

    hosting.cancel_invitation(ana, opened.code, boris.pk)
    seating.sit_down(vera, opened.code)

    assert [kinds(boris), kinds(vera)] == [[], []]


def test_messages_of_a_friend_share_a_row_until_they_are_read(ana, boris):
    befriend(ana, boris)
    for text in ("Hello", "Are you there?"):
        posting.write(ana, boris, text)
    item = BellItem.objects.get(user=boris, kind=Kind.MESSAGE)
    assert (unread(boris), item.count) == (1, 2)

    letters.read(boris, ana)
    assert unread(boris) == 0
    posting.write(ana, boris, "Again")

    item.refresh_from_db()
    assert (unread(boris), item.count) == (1, 1)


def test_nothing_of_somebody_blocked_is_shown(ana, boris):
    befriend(ana, boris)
    posting.write(ana, boris, "Hello")
    ties.block(boris, ana)

    assert (unread(boris), kinds(boris)) == (0, [])


def test_a_block_by_the_sender_leaves_what_rang_before(ana, boris):
    befriend(ana, boris)
    posting.write(ana, boris, "Hello")
    before = unread(boris), kinds(boris)

    ties.block(ana, boris)

    assert (unread(boris), kinds(boris)) == before == (1, [Kind.MESSAGE])


def test_words_of_somebody_muted_are_not_shown(ana, boris):
    befriend(ana, boris)
    posting.mute(boris, ana)
    posting.write(ana, boris, "Hello")

    assert (unread(boris), kinds(boris)) == (0, [])


def test_a_comment_rings_for_those_whom_its_author_has_blocked(finished, ana, boris, vera):
    for number, user in enumerate((ana, boris)):
        Seat.objects.filter(match__code=finished.code, number=number).update(user=user, bot="", name="")
    writing.write(vera, Match.objects.get(code=finished.code), writing.Draft(5, "Why not the ace?"))

    ties.block(vera, ana)  # Ana must not notice it: she can read the comment.
    ties.block(boris, vera)

    assert [kinds(user) for user in (ana, boris)] == [[Kind.COMMENT], []]


def test_a_comment_rings_for_the_players_and_a_reply_for_its_author(finished, ana, boris, vera):
    for number, user in enumerate((ana, boris)):
        Seat.objects.filter(match__code=finished.code, number=number).update(user=user, bot="", name="")
    match = Match.objects.get(code=finished.code)

    comment = writing.write(vera, match, writing.Draft(5, "Why not the ace?"))
    writing.write(ana, match, writing.Draft(5, "For me", is_private=True))
    assert [kinds(user) for user in (ana, boris, vera)] == [[Kind.COMMENT], [Kind.COMMENT], []]
    writing.write(boris, match, writing.Draft(None, "No idea", answers=comment.pk))

    assert [kinds(user) for user in (ana, boris, vera)] == [[Kind.COMMENT], [Kind.COMMENT], [Kind.REPLY]]
    assert BellItem.objects.get(user=ana).other == boris
    writing.delete(boris, match, BellItem.objects.get(user=vera).comment_id)
    assert kinds(vera) == []


def test_an_end_rings_for_who_was_away_and_once(started, users):
    ana, boris, vera, _ = users
    presence.set_connected(ana.pk, started.code, True)
    play_on(store.read(started.code))

    for _ in range(2):
        finding.search()

    assert [kinds(user) for user in (ana, boris, vera)] == [[], [Kind.OVER], [Kind.OVER]]
    assert set(BellItem.objects.filter(kind=Kind.OVER).values_list("count", flat=True)) == {1}


def test_news_of_a_club_are_for_its_members_as_long_as_they_are(ana, boris, vera):
    club = joining.found(ana, "Card Corner", "")
    joining.join(boris, club.invitation)
    with transaction.atomic():
        notify([boris.pk, vera.pk], News(Kind.CLUB_NEWS, "1", club_id=club.pk, other_id=ana.pk, text="Friday"))

    assert [kinds(boris), kinds(vera)] == [[Kind.CLUB_NEWS], []]
    club.memberships.filter(user=boris).delete()
    assert kinds(boris) == []


def test_no_more_than_the_limit_is_kept_and_nothing_for_longer_than_60_days(ana, boris, monkeypatch):
    monkeypatch.setattr(bell, "MAX_ITEMS", 3)
    club = joining.found(ana, "Card Corner", "")
    for key in range(5):
        notify([ana.pk], News(Kind.CLUB_NEWS, str(key), club_id=club.pk, text=f"News {key}"))
    assert sorted(BellItem.objects.values_list("text", flat=True)) == ["News 2", "News 3", "News 4"]

    BellItem.objects.filter(text="News 2").update(at=timezone.now() - timedelta(days=61))
    call_command("tidy", verbosity=0)

    assert sorted(BellItem.objects.values_list("text", flat=True)) == ["News 3", "News 4"]


def test_rows_go_with_the_account_of_either_with_the_match_and_with_the_club(ana, boris, vera):
    club = joining.found(ana, "Card Corner", "")
    opened = opening.open_table(ana, "oh-hell", seats=4)
    ties.ask(vera, boris)
    notify([boris.pk], News(Kind.CLUB_NEWS, "1", club_id=club.pk))
    notify([boris.pk], News(Kind.READY, "1", match=Match.objects.get(code=opened.code)))
    ties.ask(boris, ana)
    assert BellItem.objects.count() == 4

    club.delete()
    Match.objects.get(code=opened.code).delete()
    delete_account(vera)
    delete_account(boris)

    assert not BellItem.objects.exists()


def test_the_page_folds_away_what_has_been_read_but_the_latest_of_each_kind(as_ana, ana):
    club = joining.found(ana, "Card Corner", "")
    for key in range(5):
        notify([ana.pk], News(Kind.CLUB_NEWS, str(key), club_id=club.pk, text=f"News {key}"))

    first, again = (as_ana.get("/bell/").context["groups"][0] for _ in range(2))

    assert ([item.text for item in first.events], first.earlier) == ([f"News {key}" for key in (4, 3, 2, 1, 0)], [])
    assert [item.text for item in again.events] == ["News 4", "News 3", "News 2"]
    assert [item.text for item in again.earlier] == ["News 1", "News 0"]
    assert "2 earlier" in as_ana.get("/bell/").text


def test_a_result_says_how_it_ended_and_leads_to_the_replay(client, started, users):
    ana, boris, *_ = users
    presence.set_connected(ana.pk, started.code, True)
    play_on(store.read(started.code))
    finding.search()
    client.force_login(boris)

    page = client.get("/bell/").text

    assert f'href="/matches/{started.code}/replay/"' in page
    assert re.search(r'<span class="badge good">Won</span>|[23](?:nd|rd) of 3', page)
    assert '<span translate="no">Ana</span>' in page


def test_more_results_cost_no_more_queries(as_ana, ana):
    queries = []
    for _ in range(3):
        opened = opening.open_table(ana, "oh-hell", seats=3, bots=2, options={"game_style": "short-up"})
        play_on(opened)
        notify([ana.pk], News(Kind.OVER, opened.code, Match.objects.get(code=opened.code)))
        with CaptureQueriesContext(connection) as captured:
            page = as_ana.get("/bell/").text
        queries.append(len(captured))

    assert page.count('">Replay<') == 3
    assert queries[2] == queries[1]


def test_a_table_has_one_bell(as_ana, started, finished):
    """Scripts know it by its id: of two, they would keep the one in the hidden header up to date."""
    assert [as_ana.get(f"/matches/{match.code}/").text.count('id="bell"') for match in (started, finished)] == [1, 1]
