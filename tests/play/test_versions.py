"""A match is played by the rules that it began under, for ever, and left alone where they are not here."""

import json
import re

import pytest
from django.core.management import CommandError, call_command

from accounts.archive import pieces
from games.catalog import UnknownGame, get_rules
from games.export import match_document
from games.history.records import BadRecord, export_match, import_match
from games.history.replay import Replay
from games.history.verification import verify
from games.kit.contract import UnknownVersion
from games.models import Match, Seat
from games.play import moves, presence, seating, store
from games.play.versions import Unreadable
from tests import opening
from tests.matches import play_on, sensible

pytestmark = [pytest.mark.django_db, pytest.mark.whole]

SENTENCE = "played by version 2 of the rules of Whist, which are not available at the moment."
SEED = "5a" * 32


def among_bots(version=None):
    return opening.open_table(
        None,
        "whist",
        bots=4,
        speed="untimed",
        seed=SEED,
        shuffle_code="same",
        rules_version=version,
    )


def row(snapshot):
    return Match.objects.prefetch_related("seats").get(code=snapshot.code)


@pytest.fixture
def both(whist):
    """A finished match of each version."""
    return [play_on(among_bots(1)), play_on(among_bots(2))]


@pytest.fixture
def running(whist, users):
    """A match of version 2 among four people, just dealt."""
    opened = opening.open_table(users[0], "whist", seed=SEED)
    for user in users[1:]:
        dealt = seating.sit_down(user, opened.code)
    return dealt


# Side by side


def test_the_catalog_has_every_version_and_the_newest_by_default(whist):
    assert get_rules("whist").version == 2
    assert [get_rules("whist", version).version for version in (1, 2)] == [1, 2]
    with pytest.raises(UnknownVersion, match="Version 3 of the rules of Whist is not here"):
        get_rules("whist", 3)
    whist.hold()
    with pytest.raises(UnknownGame, match="have that game"):
        get_rules("whist", 1)


def test_each_match_is_scored_by_its_own_version(both):
    for snapshot, scored in zip(both, (0, 1), strict=True):
        rows = row(snapshot).score_sheet["deals"]

        assert rows
        for line in rows:
            assert line["points"] == [[max(0, count - 3) for count in line["tricks"]], line["tricks"]][scored]


def test_both_pass_the_check_of_what_is_stored(both, capsys):
    call_command("replay_check")

    total = sum(snapshot.move_count for snapshot in both)
    assert capsys.readouterr().out == f"Checked 2 matches, {total} moves: no differences.\n"


def test_a_match_of_another_version_than_it_says_would_be_found(both):
    Match.objects.filter(code=both[0].code).update(rules_version=2)

    with pytest.raises(CommandError, match="1 differs"):
        call_command("replay_check")


def test_both_are_replayed_to_the_sheet_that_is_stored(both):
    for snapshot in both:
        replay = Replay(row(snapshot))

        assert replay.score_sheet(replay.last) == row(snapshot).score_sheet


def test_the_shuffles_of_both_are_verified(both):
    assert [verify(row(snapshot)).ok for snapshot in both] == [True, True]


def test_both_come_back_from_their_records(both):
    for snapshot in both:
        record = json.loads(json.dumps(export_match(row(snapshot))))

        again = import_match(record)

        assert again.rules_version == record["rules_version"] == snapshot.rules_version
        assert again.score_sheet == record["score_sheet"]
        assert export_match(again) | {"code": ""} == record | {"code": ""}


def test_a_rematch_goes_by_the_same_version(both, ana):
    Seat.objects.filter(match__code=both[0].code, place=0).update(user=ana, bot="")

    assert opening.rematch(ana, both[0].code).rules_version == 1


# After an update, and during one


def test_a_match_that_was_running_before_an_update_goes_on_as_it_began(whist):
    whist.hold(1)
    undisturbed = row(play_on(among_bots()))
    begun = among_bots()
    for _ in range(10):
        begun = moves.play_move(begun.code, begun.to_act, sensible(begun), seen_count=begun.move_count, actor="bot")

    whist.hold(1, 2)
    over = row(play_on(store.read(begun.code)))

    assert over.rules_version == 1
    assert over.score_sheet == undisturbed.score_sheet
    assert among_bots().rules_version == 2


def test_a_process_without_the_rules_refuses_moves_and_says_why(whist, running):
    legal = running.rules.legal_moves(running.state)
    whist.hold(1)

    with pytest.raises(Unreadable, match=re.escape(SENTENCE)) as refused:
        moves.play_move(running.code, running.to_act, legal[0], seen_count=running.move_count)

    assert refused.value.status == 409
    assert row(running).move_count == running.move_count


def test_what_one_process_leaves_another_goes_on_with(whist, running):
    whist.hold(1)
    presence.set_connected(running.seats[0].user_id, running.code, True)
    presence.set_connected(running.seats[0].user_id, running.code, False)

    whist.hold(1, 2)
    there = store.read(running.code)
    after = moves.play_move(
        there.code, there.to_act, there.rules.legal_moves(there.state)[0], seen_count=there.move_count
    )

    assert after.move_count == running.move_count + 1
    assert after.revision == running.revision + 3


# Where the rules are not here: every page, and everything that is done to matches as a whole

missing = pytest.mark.parametrize("versions", [(1,), ()], ids=["another version", "another game"])


@missing
def test_a_finished_match_shows_the_sheet_that_was_stored(whist, both, client, versions):
    whist.hold(*versions)

    page = client.get(f"/matches/{both[1].code}/").content.decode()
    alone = client.get(f"/matches/{both[1].code}/sheet/").content.decode()

    match = row(both[1])
    for text in (page, alone):
        for line in match.standings:
            assert match.seats.get(number=line["seat"]).name in text
        assert f"&quot;totals&quot;: [\n  {match.score_sheet['totals'][0]}" in text


@missing
def test_the_archive_holds_it_whole(whist, both, users, versions):
    Seat.objects.filter(match__code=both[1].code, place=0).update(user=users[0], bot="")
    whist.hold(*versions)

    assert match_document(row(both[1])) == export_match(row(both[1]))
    assert b"".join(pieces(users[0], "valat.example"))


@missing
def test_it_is_skipped_by_the_check_and_not_verified(whist, both, capsys, versions):
    whist.hold(*versions)

    call_command("replay_check", both[1].code)

    assert f"skipped. This match is {SENTENCE}" in capsys.readouterr().out
    with pytest.raises(Unreadable):
        verify(row(both[1]))


@missing
def test_its_record_is_refused_with_a_sentence(whist, both, versions):
    record = export_match(row(both[1]))
    whist.hold(*versions)

    with pytest.raises(BadRecord, match=r"not here|have that game"):
        import_match(record)
