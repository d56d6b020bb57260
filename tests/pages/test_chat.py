"""Talk by pages and forms: at tables, between friends, in the replay and in what one takes along."""

import json
import re

import pytest

from accounts.people import online, ties
from accounts.templatetags.names import as_name
from games.chat import posting, watching
from games.chat.export import EXPORTS, documents
from games.chat.models import ChatMessage, DirectMessage, Report
from games.export import match_document
from games.play import moves, origins, seating, store
from tests import opening

pytestmark = [pytest.mark.django_db, pytest.mark.whole]
ODD = "<script>alert(1)</script> & “so”"


@pytest.fixture
def friends(users):
    for place, one in enumerate(users[:3]):
        for other in users[:place]:
            ties.ask(one, other)
            ties.accept(other, one)
    return users


def page(client, user, path, cookie=""):
    """A page as a user gets it, at a browser of their own, or at one with this cookie of where it sat."""
    client.logout()  # which takes all cookies away
    if cookie:
        client.cookies[origins.COOKIE] = cookie
    if user:
        client.force_login(user)
    return client.get(path)


def test_a_line_is_said_by_a_form_and_stands_in_the_page_as_it_was_written(client, started, friends):
    client.force_login(friends[0])

    answer = client.post(f"/matches/{started.code}/talk/", {"say": "1", "text": ODD})

    assert answer.url == f"/matches/{started.code}/"
    seen = page(client, friends[1], answer.url).content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt; &amp; “so”" in seen
    assert "<script>alert" not in seen
    refused = client.post(f"/matches/{started.code}/talk/", {"say": "1", "text": " "})
    assert (refused.status_code, ChatMessage.objects.count()) == (400, 1)
    client.logout()
    assert client.post(f"/matches/{started.code}/talk/", {"phrase": "luck"}).url.startswith("/accounts/login/")
    assert client.get(f"/matches/{started.code}/talk/").status_code == 405


@pytest.mark.parametrize(("who", "answers"), [("off", [200, 403, 403, 403]), ("friends", [200, 200, 403, 403])])
def test_the_host_says_who_watches(client, users, who, answers):
    ana, boris, vera, goran = users
    table = opening.open_table(ana, "oh-hell", seats=3, bots=1, watching=who)
    assert page(client, None, f"/matches/{table.code}/").status_code == 200  # it may be joined
    seating.sit_down(boris, table.code)
    ties.ask(vera, boris)
    ties.accept(boris, vera)

    for path in ("", "replay/", "sheet/", "last/", "shuffle/"):
        if path != "last/":
            found = [
                page(client, user, f"/matches/{table.code}/{path}").status_code for user in (ana, vera, goran, None)
            ]
            assert found == answers, path
    assert table.code not in page(client, None, "/").content.decode()


def test_nobody_watches_their_own_table_from_a_second_account_of_the_browser(client, started, users):
    ana, goran = users[0], users[3]
    path = f"/matches/{started.code}/"
    assert page(client, ana, path).cookies[origins.COOKIE]["httponly"]
    kept = client.cookies[origins.COOKIE].value

    for other in (goran, None):
        answer = page(client, other, path, kept)
        assert (answer.status_code, "You sit at this table as Ana" in answer.content.decode()) == (403, True)
        assert client.post(f"{path}talk/", {"phrase": "luck"}).status_code == (403 if other else 302)
    assert not ChatMessage.objects.exists()
    assert page(client, goran, path, "forged").status_code == 200
    seating.leave_match(ana, started.code)
    assert page(client, goran, path, kept).status_code == 200


def test_a_line_leads_to_mute_block_and_report_for_those_who_may_read_it(client, started, users):
    ana, boris, _, goran = users
    line = posting.post(boris.pk, started.code, phrase="ouch")
    apart = posting.post(goran.pk, started.code, phrase="luck")
    path = f"/matches/{started.code}/talk/{line.pk}/"
    assert f"Mute {as_name('Boris')}" in page(client, ana, path).content.decode()
    assert "yourself" in page(client, boris, path).content.decode()
    assert page(client, ana, f"/matches/{started.code}/talk/{apart.pk}/").status_code == 404
    assert page(client, ana, f"/matches/{started.code}/talk/999/").status_code == 404

    assert client.post(f"/matches/{started.code}/talk/{apart.pk}/", {"reason": "rude"}).status_code == 404
    assert client.post(path, {"reason": "rude", "note": ODD}).status_code == 302
    assert client.post(path, {"reason": "rude"}).status_code == 400
    assert client.post("/talk/mute/Boris/", {"mute": "yes", "next": "https://elsewhere.example/"}).url == "/talk/"
    assert page(client, ana, path).status_code == 404
    assert "Boris" in page(client, ana, "/talk/").content.decode()
    client.post("/talk/mute/Boris/", {"mute": "no"})
    assert page(client, ana, path).status_code == 200

    assert Report.objects.values_list("reporter", "reported", "note").get() == (ana.pk, boris.pk, ODD)


def test_friends_write_to_each_other_and_others_do_not(client, friends):
    ana, boris, _, goran = friends
    client.force_login(ana)
    assert client.post("/messages/Boris/", {"text": ODD}).status_code == 302
    assert client.post("/messages/Goran/", {"text": "Hi"}).status_code == 403
    assert client.post("/messages/Ana/", {"text": "Hi"}).status_code == 404
    refused = client.post("/messages/Boris/", {"text": "x y " * 300})
    assert (refused.status_code, "too long" in refused.content.decode()) == (400, True)

    assert 'id="messages-unread">1<' in page(client, boris, "/friends/").content.decode()
    assert "1 new" in page(client, boris, "/messages/").content.decode()
    seen = page(client, boris, "/messages/Ana/").content.decode()
    assert "&lt;script&gt;alert(1)" in seen
    assert 'id="messages-unread" hidden>0<' in page(client, boris, "/friends/").content.decode()
    assert page(client, goran, "/messages/Ana/").status_code == 403

    key = DirectMessage.objects.get().pk
    assert page(client, goran, f"/talk/message/{key}/").status_code == 404
    client.force_login(boris)
    assert client.post(f"/talk/message/{key}/", {"reason": "spam"}).url == "/messages/Ana/"
    ties.block(boris, ana)
    assert page(client, boris, "/messages/Ana/").status_code == 404
    assert "&lt;script" not in page(client, boris, "/messages/").content.decode()
    assert "&lt;script" in page(client, ana, "/messages/Boris/").content.decode()  # as when they are friends no more


def test_the_replay_shows_what_was_said_at_the_move_to_who_may_read_it(client, started, friends):
    ana, boris, _, goran = friends
    posting.post(goran.pk, started.code, phrase="ouch")
    posting.post(ana.pk, started.code, text="Here we go")
    after = moves.play_move(
        started.code, started.to_act, started.rules.legal_moves(started.state)[0], seen_count=started.move_count
    )
    posting.post(boris.pk, after.code, phrase="luck")

    def said(user, move):
        text = page(client, user, f"/matches/{after.code}/replay/?move={move}").content.decode()
        found = re.search(r'<ul class="said".*?</ul>', text, re.DOTALL)
        return re.findall(r"<b[^>]*>(\w+)</b>", found[0]) if found else []

    assert [said(boris, move) for move in (0, 1)] == [["Ana"], ["Boris"]]
    assert said(goran, 0) == ["Goran", "Ana"]
    assert said(None, 0) == ["Ana"]
    ties.block(boris, ana)
    assert said(boris, 0) == []


def test_talk_goes_into_the_record_as_its_reader_knows_it_and_changes_the_etag(client, match, users):
    ana, boris = users[:2]
    path = f"/matches/{match.code}/replay/"
    before = page(client, ana, path)["ETag"]
    ChatMessage.objects.create(match=match, user=boris, watching=True, text="So that’s how", move_count=3)
    ChatMessage.objects.create(match=match, user=ana, watching=True, phrase="luck", move_count=5)

    lines = match_document(match, ana.pk)["talk"]

    assert [(line["after"], line["seat"], line["name"], line["words"]) for line in lines] == [
        (3, None, "Boris", "So that’s how"),
        (5, None, "Ana", "Good luck!"),
    ]
    assert [line["words"] for line in match_document(match)["talk"]] == ["Good luck!"]
    assert before != (now := page(client, ana, path)["ETag"])
    posting.mute(ana, boris)
    assert page(client, ana, path)["ETag"] != now
    json.dumps(match_document(match, ana.pk)["talk"])


def test_who_watches_is_named_unless_they_hide_it(started, users):
    watching.note(started.code, "one", [users[3].pk, users[0].pk], 1)
    watching.note(started.code, "two", [users[3].pk], 1)
    assert watching.watchers(store.read(started.code)) == ((users[3],), 2)

    online.set_hides_presence(users[3], True)
    assert watching.watchers(store.read(started.code)) == ((), 3)
    watching.note(started.code, "one", [], 0)
    watching.note(started.code, "two", [], 0)
    assert watching.watchers(store.read(started.code)).total == 0


def test_what_somebody_said_is_theirs_to_take_along(started, friends):
    ana, boris = friends[:2]
    line = posting.post(ana.pk, started.code, phrase="luck")
    posting.write(ana, boris, "Hi")
    posting.mute(ana, friends[3])

    kinds = [(document["kind"], document.get("words")) for document in documents(ana)]

    assert kinds == [("line", "Good luck!"), ("message", "Hi"), ("muted", None)]
    assert (EXPORTS[0].count(ana), EXPORTS[0].count(boris)) == (3, 1)
    assert line.said_at == next(documents(ana))["at"]
