"""What may be said, by whom, where and how often; what never reaches whom."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.guests import new_guest
from accounts.models import User
from accounts.people import ties
from games.catalog import all_games
from games.chat import posting, reading
from games.chat.drawing import talk_html
from games.chat.models import ChatMessage, ForbiddenWord, Silence
from games.chat.phrases import phrases_of
from games.chat.wording import clean_text
from games.models import Match
from games.play import seating, store
from games.play.access import THEIRS
from games.play.errors import NO_SUCH_MATCH, Refused
from tests import opening

pytestmark = pytest.mark.django_db


def words_read(code, *viewers):
    """What each of these users reads at a match: a list of words each."""
    keys = [viewer and viewer.pk for viewer in viewers]
    found = reading.talks(code, keys)
    return [[line.words for line in found[key].lines] for key in keys]


def refusal(*args, **kwargs):
    """Why something can't be said; nothing is stored then."""
    before = ChatMessage.objects.count()
    with pytest.raises(Refused) as refused:
        posting.post(*args, **kwargs)
    assert ChatMessage.objects.count() == before
    return str(refused.value)


@pytest.fixture
def watched(started, users):
    """A running match that anybody may write at, with Goran as a watcher."""
    Match.objects.filter(code=started.code).update(further_terms={"chat": Match.Chat.ALL})
    return started


def test_strangers_have_phrases_and_friends_words_of_their_own(started, ana, boris, vera, befriend):
    posting.post(ana.pk, started.code, phrase="luck")
    assert refusal(ana.pk, started.code, text="Hi") == "Only phrases are allowed at this table. Choose one of them."

    befriend(ana, boris, vera)
    posting.post(boris.pk, started.code, text="Hi")

    assert words_read(started.code, vera, None) == [["Good luck!", "Hi"]] * 2


def test_invited_players_write_and_the_panel_says_why(ana, boris, vera):
    table = opening.open_for_friends(ana, "oh-hell")
    seating.sit_down(boris, table.code)
    posting.post(boris.pk, table.code, text="Hi")

    told = {user: talk_html(talk) for user, talk in reading.talks(table.code, [ana.pk, vera.pk]).items()}
    assert "all of them were invited" in told[ana.pk]
    assert "invited" not in told[vera.pk]  # Who has no seat can't write.
    listed = opening.open_table(ana, "oh-hell", listed=True, chat="invited")
    assert listed.terms.chat == "friends"  # Anyone may come there.


def test_the_host_and_the_site_say_where_words_are_written(watched, ana, boris, vera, goran, befriend, settings):
    posting.post(ana.pk, watched.code, text="Hi")
    posting.post(goran.pk, watched.code, text="Look")

    befriend(ana, boris, vera)
    Match.objects.update(further_terms={"chat": Match.Chat.PHRASES})
    assert "Only phrases" in refusal(ana.pk, watched.code, text="Hi")
    Match.objects.update(further_terms={"chat": Match.Chat.FRIENDS})
    assert "Only phrases" in refusal(goran.pk, watched.code, text="Hi")
    settings.TALK = "phrases"
    assert refusal(ana.pk, watched.code, text="Hi") == "Only phrases are allowed on this site. Choose one of them."
    settings.TALK = "off"
    assert refusal(ana.pk, watched.code, phrase="luck") == "There is no talk on this site."


def test_who_wants_phrases_only_writes_and_reads_no_words(watched, ana, boris):
    posting.set_phrases_only(boris, phrases_only=True)
    posting.post(ana.pk, watched.code, text="Hi")
    posting.post(ana.pk, watched.code, phrase="luck")

    assert words_read(watched.code, boris, ana) == [["Good luck!"], ["Hi", "Good luck!"]]
    assert "phrases only" in refusal(boris.pk, watched.code, text="Hi")


def test_watchers_talk_apart_until_the_end_and_are_merged_then(watched, ana, boris, goran):
    posting.post(goran.pk, watched.code, text="She must bid one")
    posting.post(ana.pk, watched.code, phrase="luck")
    fan = User.objects.create(username="Fan")

    apart = [["Good luck!"], ["She must bid one", "Good luck!"], ["She must bid one", "Good luck!"], ["Good luck!"]]
    assert words_read(watched.code, boris, goran, fan, None) == apart

    _end(watched.code)

    both = ["She must bid one", "Good luck!"]
    assert words_read(watched.code, boris, goran) == [both, both]
    assert words_read(watched.code, fan, None) == [["Good luck!"]] * 2  # what friends wrote is theirs


def _end(code, ago=timedelta()):
    Match.objects.filter(code=code).update(
        status="over", ended_at=timezone.now() - ago, score_sheet={}, standings=[], wake_at=None
    )


def test_after_the_end_there_is_time_for_thanks_and_no_more(started, users):
    _end(started.code)
    posting.post(users[0].pk, started.code, phrase="good-game")
    assert refusal(users[3].pk, started.code, phrase="hello") == (
        "Only people who were at this table can write here now. Write to friends under Messages."
    )

    _end(started.code, ago=timedelta(minutes=16))

    assert refusal(users[0].pk, started.code, phrase="good-game") == (
        "The chat at this table is closed. Write to friends under Messages."
    )
    Match.objects.update(status="closed", ended_at=timezone.now())
    assert refusal(users[0].pk, started.code, phrase="good-game") == (
        "The chat at this table is closed. Write to friends under Messages."
    )


def test_who_has_left_talks_to_watchers_and_a_freed_seat_to_nobody(watched, ana, boris, goran):
    seating.leave_match(boris, watched.code)
    posting.post(boris.pk, watched.code, text="My queen was bare")
    assert words_read(watched.code, ana, goran) == [[], ["My queen was bare"]]

    table = opening.open_table(ana, "oh-hell", seats=3)
    sat = seating.sit_down(boris, table.code)
    posting.post(boris.pk, table.code, phrase="hello")
    seating.free_seat(ana, table.code, sat.seat_of(boris.pk).pk)
    assert refusal(boris.pk, table.code, phrase="hello") == "Join the table to talk there."
    assert refusal(goran.pk, table.code, phrase="hello") == "Join the table to talk there."


def test_nobody_talks_where_they_may_not_look(started, ana, goran):
    ties.block(ana, goran)
    assert refusal(goran.pk, started.code, phrase="hello") == "There is no such match. Check the address."
    ties.unblock(ana, goran)
    Match.objects.update(watching=Match.Watching.OFF)
    assert refusal(goran.pk, started.code, phrase="hello") == (
        "Nobody may watch this table. Choose another one in the lobby."
    )
    assert refusal(goran.pk, "nosuch", phrase="hello") == "There is no such match. Check the address."
    assert refusal(None, started.code, phrase="hello") == "Log in to talk, or play as a guest."
    goran.is_active = False
    goran.save()
    assert refusal(goran.pk, started.code, phrase="hello") == "Log in to talk, or play as a guest."


@pytest.mark.parametrize("how", ["block", "blocked", "mute"])
def test_no_way_around_a_block_or_a_mute(watched, ana, boris, vera, how):
    if how == "mute":
        posting.mute(ana, boris)
    else:
        ties.block(*((ana, boris) if how == "block" else (boris, ana)))

    posting.post(boris.pk, watched.code, text="You")
    posting.post(boris.pk, watched.code, phrase="ouch")

    all_words = ["You", "Ouch!"]
    hers = all_words if how == "blocked" else []  # who is blocked goes on reading, and finds nothing out
    assert words_read(watched.code, ana, boris, vera) == [hers, all_words, all_words]
    posting.post(ana.pk, watched.code, phrase="luck")
    his = all_words if how == "blocked" else [*all_words, "Good luck!"]
    assert words_read(watched.code, boris) == [his]
    seating.leave_match(boris, watched.code)  # nor from behind the table
    if how == "mute":
        posting.post(boris.pk, watched.code, phrase="bye")
    else:
        assert refusal(boris.pk, watched.code, phrase="bye") == (THEIRS if how == "blocked" else NO_SUCH_MATCH)
    _end(watched.code)
    assert words_read(watched.code, ana) == [[*hers, "Good luck!"]]


def test_a_guest_talks_and_a_program_does_not(users):
    ana, guest = users[0], new_guest()
    table = opening.open_table(ana, "oh-hell", seats=3)
    seating.sit_down(guest, table.code)
    posting.post(guest.pk, table.code, phrase="hello")
    assert words_read(table.code, ana) == [["Hello!"]]
    User.objects.filter(pk=ana.pk).update(is_program=True)
    assert "Log in" in refusal(ana.pk, table.code, phrase="hello")


def test_many_readers_cost_no_more_statements_than_one(users, django_assert_max_num_queries):
    table = opening.open_table(users[0], "belot", seats=4)
    for user in users[1:]:
        table = seating.sit_down(user, table.code)
    with CaptureQueriesContext(connection) as of_one:
        reading.talks_at(table, [users[0].pk])

    with django_assert_max_num_queries(len(of_one)):
        reading.talks_at(table, [None, *(user.pk for user in users)])


def test_partners_say_only_what_they_need_while_they_hold_cards(users, befriend):
    table = opening.open_table(users[0], "belot", seats=4)
    for user in users[1:]:
        posting.post(users[0].pk, table.code, phrase="luck")
        seating.sit_down(user, table.code)

    posting.post(users[0].pk, table.code, phrase="moment")
    assert "Partners can write between deals" in refusal(users[0].pk, table.code, phrase="smile")
    assert posting.offered_phrases(store.read(table.code), playing=True) == ["moment", "back"]
    assert "smile" in posting.offered_phrases(store.read(table.code), playing=False)

    befriend(*users)  # whoever writes may say anything with one tap too
    posting.post(users[0].pk, table.code, phrase="smile")


def test_talk_is_slow_and_ends_somewhere(started, users, settings, monkeypatch):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"talk": "2/20s/user"}
    for _ in range(2):
        posting.post(users[0].pk, started.code, phrase="luck")
    assert refusal(users[0].pk, started.code, phrase="luck") == "You talk too fast. Wait a moment."
    posting.post(users[1].pk, started.code, phrase="luck")  # nobody else is slowed down by that

    monkeypatch.setattr(posting, "MOST_LINES", 3)
    assert refusal(users[1].pk, started.code, phrase="luck") == (
        "The chat of this table is full. Write to friends under Messages."
    )


def test_watchers_fill_nothing_but_a_talk_of_their_own(watched, ana, boris, goran, monkeypatch):
    monkeypatch.setattr(posting, "MOST_LINES", 3)
    monkeypatch.setattr(reading, "SHOWN", 3)
    posting.post(ana.pk, watched.code, phrase="hello")
    for _ in range(3):
        posting.post(goran.pk, watched.code, phrase="luck")
    assert refusal(goran.pk, watched.code, phrase="luck") == (
        "The chat of this table is full. Write to friends under Messages."
    )

    posting.post(boris.pk, watched.code, phrase="thanks")

    assert words_read(watched.code, ana, goran) == [
        ["Hello!", "Thank you!"],
        ["Hello!", "Good luck!", "Good luck!", "Good luck!", "Thank you!"],
    ]


def test_whom_a_moderator_has_silenced_says_nothing_and_is_told_why(started, ana, boris, befriend):
    befriend(ana, boris)
    silence = Silence.objects.create(user=ana, reason="Rude", until=timezone.now() + timedelta(days=1))
    assert refusal(ana.pk, started.code, phrase="luck").endswith("The reason: Rude")
    with pytest.raises(Refused, match="Rude"):
        posting.write(ana, boris, "Hi")

    silence.until = timezone.now()
    silence.save()
    posting.post(ana.pk, started.code, phrase="luck")


def test_every_game_has_phrases_of_its_own_that_are_stored_by_short_keys():
    for game in all_games():
        keys = [phrase.key for phrase in game.phrases]
        assert keys
        assert len(phrases_of(game.slug)) == len(phrases_of("none")) + len(keys)  # none twice
        assert all(len(key) <= 24 for key in phrases_of(game.slug))


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("  Well \n\t done ", "Well done"),
        ("a\u202eb\u2066c\u200bd\ufeffe\u00ade", "abcdee"),  # nothing turns the line round or hides in it
        ("\x00\x1b[31mred", "[31mred"),
        ("a" + "\u0301" * 50, "\u00e1\u0301\u0301"),
        ("ha" + "a" * 100, "h" + "a" * 9),
        ("a\ud800b", "ab"),  # half a character, as only a socket can send it
        ("<b>&lt;", "<b>&lt;"),  # templates escape it
        ("👨\u200d👩\u200d👧", "👨\u200d👩\u200d👧"),
        ("x" * 9 + "y", "xxxxxxxxxy"),
    ],
)
def test_a_text_is_stored_without_what_cannot_be_seen(db, text, cleaned):
    assert clean_text(text) == cleaned


@pytest.mark.parametrize("text", ["", "  ", "\u202e\u200b", "\u200d", "ab" * 101, "ab" * 10**6, None, 7, ["a"], {}])
def test_what_is_no_text_is_refused(db, text):
    with pytest.raises(Refused):
        clean_text(text)


@pytest.mark.parametrize(
    "text", ["Darn", "oh DARN!", "d a r n it", "d_a-r.n", "dаrn", "d\u0301arn", "d\u200barn", "frakking"]
)
def test_words_of_the_hosts_list_are_refused_however_they_are_spelled(db, text):
    ForbiddenWord.objects.create(word="darn")
    ForbiddenWord.objects.create(word="frak*")

    with pytest.raises(Refused, match="put it another way"):
        clean_text(text)
    assert clean_text("darning a sock") == "darning a sock"
