"""Comments on moves: read by those who may, in no place by others, and gone with whoever wrote them."""

import json

import pytest
from django.test import Client

from accounts.archive import pieces
from accounts.people import ties
from accounts.services import delete_account
from games.chat import posting, reporting
from games.chat.models import ForbiddenWord, Report, Silence
from games.comments import reading, writing
from games.comments.export import documents
from games.comments.models import Comment
from games.export import match_documents
from games.history import marks
from games.history.records import export_match
from games.history.replay import Replay
from games.models import Match, Seat
from games.play.errors import Refused

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


@pytest.fixture(autouse=True)
def _no_hurry(settings):
    everything = dict.fromkeys(("comment", "comment_new", "report"), "1000/m/user")
    settings.RATE_LIMITS = settings.RATE_LIMITS | everything


@pytest.fixture
def match(finished, ana):
    """A match that Ana has played and that is over."""
    Seat.objects.filter(match__code=finished.code, number=0).update(user=ana, bot="", name="")
    return Match.objects.get(code=finished.code)


def known(user):
    client = Client()
    client.force_login(user)
    return client


def texts(match, reader):
    return [comment.text for comment in reading.readable_comments(match.pk, reader and reader.pk)]


def everything_shown(client, match, move=5):
    """All that the pages of a match say to somebody of the move."""
    paths = [f"replay/?move={move}", "replay/frames/?deal=1", f"comments/?move={move}", "sheet/"]
    return "".join(client.get(f"/matches/{match.code}/{path}").text for path in paths)


def test_a_comment_stands_beside_its_move_in_page_and_frames(match, ana, boris, client):
    address = f"/matches/{match.code}/comments/?move=5&seat=1&open=1"

    answer = known(ana).post(address, {"text": " Why  not\nthe ace? ", "for": "all"})

    comment = Comment.objects.get()
    assert (comment.text, comment.move, comment.author) == ("Why not the ace?", 5, ana)
    assert answer["Location"] == f"/matches/{match.code}/comments/?move=5&seat=1&open=1#comment-{comment.pk}"
    for reader in (client, known(ana), known(boris)):
        assert "Why not the ace?" in reader.get(f"/matches/{match.code}/replay/?move=5").text
        assert "Why not the ace?" not in reader.get(f"/matches/{match.code}/replay/?move=4").text
        frames = reader.get(f"/matches/{match.code}/replay/frames/?deal=1").text
        assert frames.count("Why not the ace?") == 1
    assert (
        f'href="{address.replace("&", "&amp;")}"'
        in known(ana).get(f"/matches/{match.code}/replay/?move=5&seat=1&open=1").text
    )
    assert "/comments/?" not in client.get(f"/matches/{match.code}/replay/?move=5").text


def test_a_private_comment_is_nowhere_but_with_its_author(match, ana, boris, client):
    replay, asked = f"/matches/{match.code}/replay/?move=5", f"/matches/{match.code}/replay/frames/?deal=1"
    as_boris = known(boris)
    as_boris.get(replay)  # the page sets a cookie for its forms
    before = [reader.get(path)["ETag"] for reader in (client, as_boris) for path in (replay, asked)]
    own = known(ana).get(replay)["ETag"]

    known(ana).post(f"/matches/{match.code}/comments/?move=5", {"text": "Secret thought", "for": "me"})

    secret = Comment.objects.get()
    assert "Secret thought" in everything_shown(known(ana), match)
    assert known(ana).get(replay)["ETag"] != own
    assert before == [reader.get(path)["ETag"] for reader in (client, as_boris) for path in (replay, asked)]
    for reader in (client, as_boris):
        assert "Secret thought" not in everything_shown(reader, match)
    assert "Secret thought" not in json.dumps([export_match(match), export_match(match, ana.pk)])
    assert marks.version(match.pk, boris) == marks.version(match.pk, as_boris.get("/").context["user"])
    shown = [{mark.kind for mark in marks.marks_of(Replay(match), each)} for each in (ana, boris)]
    assert ["comment" in kinds for kinds in shown] == [True, False]
    for path in ("", "delete/"):
        assert as_boris.post(f"/matches/{match.code}/comments/{secret.pk}/{path}").status_code == 404
    answer = as_boris.post(f"/matches/{match.code}/comments/?move=5", {"text": "Yes", "answers": secret.pk})
    assert (answer.status_code, "Secret" in answer.text) == (403, False)
    assert list(Comment.objects.all()) == [secret]
    assert [document["private"] for document in documents(ana)] == [True]
    assert not any(document.get("comments") for document in match_documents(ana))


def test_replies_stand_below_what_they_reply_to_and_outlive_it(match, ana, boris):
    first = writing.write(ana, match, writing.Draft(5, "One"))
    reply = writing.write(boris, match, writing.Draft(999, "Two", answers=first.pk))
    third = writing.write(ana, match, writing.Draft(None, "Three", answers=reply.pk))
    private = writing.write(ana, match, writing.Draft(5, "Four", is_private=True))
    own = writing.write(ana, match, writing.Draft(5, "Five", answers=private.pk))

    (one, four) = reading.comments_by_move(match.pk, ana.pk)[5]

    assert [(one.text, [each.text for each in one.replies]), four.replies[0].text] == [
        ("One", ["Two", "Three"]),
        "Five",
    ]
    assert ({reply.answers, third.answers}, own.is_private) == ({first}, True)
    assert [(each["text"], each["answers"], each["move"]) for each in export_match(match)["comments"]] == [
        ("One", None, 5),
        ("Two", 0, 5),
        ("Three", 0, 5),
    ]
    assert known(ana).post(f"/matches/{match.code}/comments/{first.pk}/delete/").status_code == 302
    assert [each.text for each in reading.comments_by_move(match.pk, boris.pk)[5]] == ["Two", "Three"]


def test_only_ones_own_comments_are_deleted(match, ana, boris):
    comment = writing.write(ana, match, writing.Draft(5, "Mine"))
    address = f"/matches/{match.code}/comments/{comment.pk}/delete/"

    assert known(boris).post(address).status_code == 404
    assert Client().post(address).status_code == 302  # to the login
    assert Comment.objects.exists()
    assert known(ana).get(address).status_code == 405
    assert known(ana).post(f"/matches/nowhere/comments/{comment.pk}/delete/").status_code == 404
    assert known(ana).post(address)["Location"].endswith("/comments/?move=5")
    assert known(ana).post(address).status_code == 404
    assert not Comment.objects.exists()


def test_a_comment_deleted_in_the_replay_leads_back_to_it(match, ana):
    comment = writing.write(ana, match, writing.Draft(5, "Mine"))
    panel = known(ana).get(f"/matches/{match.code}/comments/?move=5", headers={"HX-Request": "true"}).text
    replay = f"/matches/{match.code}/replay/?move=5"

    forms = panel.split("<form")[1:]
    assert [f'name="next" value="{replay}"' in form for form in forms] == [True] * 3  # delete, reply, write
    answer = known(ana).post(f"/matches/{match.code}/comments/{comment.pk}/delete/", {"next": replay})

    assert answer["Location"] == replay


def test_markup_is_text(match, ana, client):
    known(ana).post(f"/matches/{match.code}/comments/?move=5", {"text": "<script>alert(1)</script> </template><b>"})

    shown = everything_shown(client, match) + everything_shown(known(ana), match)

    assert "&lt;script&gt;alert(1)&lt;/script&gt; &lt;/template&gt;" in shown
    assert "<script>alert" not in shown


def test_who_must_not_meet_or_is_muted_is_not_read(match, ana, boris, users, client):
    vera = users[2]
    comment = writing.write(ana, match, writing.Draft(5, "By Ana"))
    writing.write(vera, match, writing.Draft(5, "To Ana", answers=comment.pk))
    ties.block(boris, ana)
    posting.mute(boris, vera)

    assert (texts(match, boris), texts(match, ana)) == ([], ["By Ana", "To Ana"])
    assert "By Ana" not in everything_shown(known(boris), match)
    assert "By Ana" in everything_shown(client, match)
    assert "comments" not in export_match(match, boris.pk)
    with pytest.raises(Refused):
        writing.write(boris, match, writing.Draft(5, "Ha", answers=comment.pk))
    assert known(boris).get(f"/matches/{match.code}/comments/{comment.pk}/").status_code == 404
    posting.unmute(boris, vera)
    assert [each.text for each in reading.comments_by_move(match.pk, boris.pk)[5]] == ["To Ana"]
    posting.set_phrases_only(vera, phrases_only=True)
    assert texts(match, vera) == ["To Ana"]


def test_comments_wait_for_the_end_and_for_a_move_that_there_is(started, match, ana):
    running = Match.objects.get(code=started.code)
    answer = known(ana).post(f"/matches/{started.code}/comments/?move=0", {"text": "He has no hearts"})

    assert (answer.status_code, Comment.objects.count()) == (400, 0)
    assert "once the match is over" in answer.text
    with pytest.raises(Refused, match="once the match is over"):
        writing.write(ana, running, writing.Draft(0, "Now"))
    for move in (None, -1, match.move_count):
        with pytest.raises(Refused, match="no such move"):
            writing.write(ana, match, writing.Draft(move, "Where?"))
    for asked in ("", "?move=x", "?move=99999", "?move=-1"):
        assert 400 <= known(ana).post(f"/matches/{match.code}/comments/{asked}", {"text": "Hm"}).status_code < 500
    for answers in ("x", "0", "999999"):
        fields = {"text": "Hm", "answers": answers}
        assert 400 <= known(ana).post(f"/matches/{match.code}/comments/?move=5", fields).status_code < 500
    assert not Comment.objects.exists()


def test_guests_comment_on_their_own_matches_programs_and_the_barred_on_none(match, ana, boris, settings):
    boris.is_guest = True
    boris.save()
    with pytest.raises(Refused, match="Guests comment on matches that they have played"):
        writing.write(boris, match, writing.Draft(5, "Hello"))
    assert "Guests comment" in known(boris).get(f"/matches/{match.code}/comments/?move=5").text
    Seat.objects.filter(match=match, number=1).update(user=boris, bot="", name="")
    writing.write(boris, match, writing.Draft(5, "Hello"))

    Silence.objects.create(user=boris, reason="Rude")
    posting.set_phrases_only(ana, phrases_only=True)
    for user in (ana, boris):
        with pytest.raises(Refused):
            writing.write(user, match, writing.Draft(5, "Hello again"))
    posting.set_phrases_only(ana, phrases_only=False)
    settings.TALK = "phrases"
    with pytest.raises(Refused, match="Only phrases"):
        writing.write(ana, match, writing.Draft(5, "Hello again"))
    assert (texts(match, ana), texts(match, None), texts(match, boris)) == ([], [], ["Hello"])


def test_floods_forbidden_words_and_what_is_too_long_are_refused(match, ana, settings, monkeypatch):
    ForbiddenWord.objects.create(word="dolt")
    for text in ("", "   ", "d o l t", "x y" * 200, None, 5):
        with pytest.raises(Refused):
            writing.write(ana, match, writing.Draft(5, text))
    first = writing.write(ana, match, writing.Draft(5, "Once"))
    assert writing.write(ana, match, writing.Draft(5, "Once")) == first
    monkeypatch.setattr(writing, "MAX_COMMENTS_OF_AUTHOR", 2)
    writing.write(ana, match, writing.Draft(6, "Once"))
    with pytest.raises(Refused, match="no room for more comments"):
        writing.write(ana, match, writing.Draft(7, "Once"))
    monkeypatch.undo()
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"comment": "0/m/user"}
    with pytest.raises(Refused, match="too fast"):
        writing.write(ana, match, writing.Draft(7, "Once"))
    assert Comment.objects.count() == 2


def test_a_comment_is_reported_taken_back_and_shown_again(match, ana, boris, users):
    comment = writing.write(ana, match, writing.Draft(5, "Rude words"))
    address = f"/matches/{match.code}/comments/{comment.pk}/"
    assert "Rude words" in known(boris).get(address).text

    assert known(boris).post(address, {"reason": "rude"}).status_code == 302

    report = Report.objects.get()
    assert (report.reported, report.match, report.about) == (ana, match, f"comment {comment.pk}")
    assert report.messages.get().words == "Rude words"
    assert known(ana).post(address, {"reason": "rude"}).status_code == 400
    assert known(boris).post(address, {"reason": "rude"}).status_code == 400
    reporting.hide(report, users[3])
    assert texts(match, ana) == texts(match, boris) == texts(match, None) == []
    assert known(boris).post(address, {"reason": "rude"}).status_code == 404
    reporting.reopen(report, users[3])
    assert texts(match, None) == ["Rude words"]


def test_comments_are_taken_along_and_gone_with_the_account(match, ana, boris):
    writing.write(ana, match, writing.Draft(5, "By Ana"))
    mine = writing.write(boris, match, writing.Draft(5, "By Boris"))

    archive = b"".join(pieces(boris, "example.com"))

    assert b"comments.jsonl" in archive
    assert [document["text"] for document in documents(boris)] == ["By Boris"]
    delete_account(ana)
    assert list(Comment.objects.all()) == [mine]
    match.delete()
    assert not Comment.objects.exists()


def test_marks_say_who_comments_and_pages_are_sent_anew(match, ana, boris, client):
    replay = f"/matches/{match.code}/replay/?move=5"
    first = client.get(replay)["ETag"]
    writing.write(ana, match, writing.Draft(7, "One"))
    writing.write(ana, match, writing.Draft(5, "Two"))
    second = client.get(replay)["ETag"]
    writing.write(boris, match, writing.Draft(5, "Three"))

    found = [mark for mark in marks.marks_of(Replay(match), boris) if mark.kind == "comment"]

    assert found == [(5, "comment", "2 comments"), (7, "comment", "Ana comments")]
    assert len({first, second, client.get(replay)["ETag"]}) == 3


def test_many_comments_take_no_more_queries_than_one(match, users, client, django_assert_max_num_queries):
    for number in range(40):
        first = writing.write(users[number % 3], match, writing.Draft(number % 4, f"Number {number}"))
        writing.write(users[(number + 1) % 3], match, writing.Draft(None, f"Reply {number}", answers=first.pk))

    with django_assert_max_num_queries(25):
        page = client.get(f"/matches/{match.code}/replay/frames/?deal=1").text

    assert (page.count("Number "), page.count("Reply ")) == (40, 40)


def test_a_comment_with_a_great_key_is_answered(match, ana):
    asked = Comment.objects.create(pk=3_000_000, match=match, author=ana, move=5, text="Why?")

    known(ana).post(f"/matches/{match.code}/comments/?move=5", {"text": "Why not?", "answers": str(asked.pk)})

    assert Comment.objects.get(answers=asked).text == "Why not?"
