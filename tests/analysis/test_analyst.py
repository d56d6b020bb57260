"""Analyses of stored matches: asked for, worked on in pieces, called off, taken up again, read."""

import os
import re
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from random import Random

import pytest
from django.db import connection, connections, transaction
from django.urls import reverse
from django.utils import timezone

from games.analysis import asking, reading, working
from games.analysis.accuracies import accuracies_in
from games.analysis.models import Analysis, Verdict
from games.bot_process import Judgement, judge_decision
from games.catalog import CHANCE, all_games, get_game
from games.history import marks
from games.history.records import export_match, import_match
from games.history.replay import Replay
from games.kit.analysis import BLUNDER, SIGNS, Effort
from games.live import analyst
from games.models import Match
from games.oh_hell.coach import ANALYST
from games.play.errors import NotAllowed, Refused
from tests import opening
from tests.matches import play_on
from tests.processes import wait_until

pytestmark = [pytest.mark.django_db, pytest.mark.whole]


class HereAndNow:
    """Judges in this process. stop: after so many decisions it does what `then` says."""

    def __init__(self, stop=None, then=None):
        self.count, self.stop, self.then = 0, stop, then

    async def judge(self, decision):
        if self.count == self.stop:
            return self.then()
        self.count += 1
        return judge_decision(decision)

    async def close(self):
        pass


class Inline:
    """A DatabaseThread that is the test's own thread, and so in its transaction."""

    async def run(self, function, *args):
        return function(*args)


def ended():
    raise EOFError


@pytest.fixture(autouse=True)
def _little_effort(monkeypatch):
    monkeypatch.setattr(type(ANALYST), "effort", Effort(match=4000, most=60, open=8, first=10))
    monkeypatch.setattr(analyst, "STORE_EVERY", 0.0)


@pytest.fixture
def match(finished):
    return Match.objects.get(pk=finished.pk)


@pytest.fixture
def random_match(ana):
    """One that was played by chance."""
    rng = Random(5)
    opened = opening.open_table(
        ana, "oh-hell", seats=4, bots=3, options={"game_style": "short-down"}, seed="ab" * 32, speed="untimed"
    )

    def any_move(snapshot):
        return rng.choice(snapshot.rules.legal_moves(snapshot.state))

    return Match.objects.get(pk=play_on(opened, any_move).pk)


def work_on(worker="w", judge=None):
    """Do the next task to its end. Nothing in it waits, so that it needs no event loop."""
    task = working.take_next(worker)
    with pytest.raises(StopIteration):
        analyst.analyse_match(task, judge or HereAndNow(), Inline()).send(None)


def analysed(match):
    return Analysis.objects.get(match=match)


def verdicts_of(match):
    rows = Verdict.objects.filter(analysis__match=match).order_by("move")
    return list(rows.values_list("move", "seat", "mark", "lost", "known", "opened", "exact"))


# Asking


def test_asked_again_by_anybody_it_stays_one_analysis(match, ana, boris):
    assert asking.ask(ana, match) == asking.ask(ana, match) == asking.ask(boris, match)


def test_a_match_that_goes_on_is_not_analysed(started, ana):
    with pytest.raises(NotAllowed, match="once it is over"):
        asking.ask(ana, Match.objects.get(pk=started.pk))

    assert not Analysis.objects.exists()


def test_one_at_a_time_for_each_user(match, random_match, ana, boris):
    asking.ask(ana, match)

    with pytest.raises(Refused, match="another match"):
        asking.ask(ana, random_match)
    asking.ask(boris, random_match)

    assert Analysis.objects.count() == 2


def test_guests_ask_for_what_they_have_played(match, random_match, ana):
    ana.is_guest = True
    ana.save()

    with pytest.raises(NotAllowed, match="As a guest"):
        asking.ask(ana, match)
    assert asking.ask(ana, random_match)


def test_a_host_may_have_none_at_all(match, ana, settings):
    settings.ANALYSES = 0

    with pytest.raises(NotAllowed, match="This site"):
        asking.ask(ana, match)


def test_a_game_without_an_analyst_says_so(match, whist):
    match.game = "whist"

    assert "Whist can’t be analysed" in asking.objection(match)


@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_every_game_of_the_site_is_analysed(match, slug):
    match.game = slug

    assert asking.objection(match) == ""


def test_only_who_asked_calls_it_off_and_may_ask_again(match, ana, boris):
    asking.ask(ana, match)

    with pytest.raises(NotAllowed):
        asking.cancel(boris, match)
    asking.cancel(ana, match)
    asking.cancel(ana, match)

    assert not Analysis.objects.exists()
    assert asking.ask(ana, match)


# Working


def test_every_decision_of_every_seat_is_judged(match, ana):
    asking.ask(ana, match)
    replay = Replay(match)
    befores = [(step.index + 1, step.state) for step in replay.steps[:-1]]
    choices = {
        index
        for index, state in befores
        if replay.rules.to_act(state) != CHANCE and len(replay.rules.legal_moves(state)) > 1
    }

    work_on()

    analysis = analysed(match)
    assert (analysis.status, analysis.decisions, analysis.judged) == ("done", len(choices), len(choices))
    assert {move for move, *_ in verdicts_of(match)} <= choices
    assert {seat for _, seat, *_ in verdicts_of(match)} == {0, 1, 2}
    assert working.take_next("w") is None


def test_what_was_played_out_after_a_claim_is_nobodys_decision(match, ana):
    asking.ask(ana, match)
    last = list(match.moves.exclude(seat=None).order_by("-index").values_list("index", flat=True)[:40])
    match.moves.filter(index__in=last).update(actor="claimed")

    decisions = working.take_next("w").decisions

    assert decisions
    assert not {index for index, _, _ in decisions} & set(last)


def test_what_was_stored_before_a_crash_is_not_done_again(match, ana):
    asking.ask(ana, match)
    work_on()
    whole = verdicts_of(match)
    Analysis.objects.all().delete()
    asking.ask(ana, match)

    task = working.take_next("one")
    half = [(index, seat, judge_decision(decision)) for index, seat, decision in working.first_look(task)[:9]]
    assert working.store(task, half)
    assert working.take_next("two") is None  # it is being done
    Analysis.objects.update(taken_until=timezone.now() - timedelta(seconds=1))
    rest = HereAndNow()
    work_on("two", rest)

    of_half = sum(judgement.verdict is not None for _, _, judgement in half)
    assert rest.count == len(task.decisions) - of_half + analysed(match).unsure
    assert verdicts_of(match) == whole
    assert not working.store(task, half)  # the first comes too late


def test_an_imported_match_gets_the_same_verdicts(random_match, ana, boris):
    asking.ask(ana, random_match)
    work_on()
    record = export_match(random_match)
    whole = verdicts_of(random_match)
    random_match.delete()
    other = import_match(record)

    asking.ask(boris, other)
    work_on()

    assert verdicts_of(other) == whole


def test_cancelled_meanwhile_nothing_is_left(match, ana):
    asking.ask(ana, match)

    def cancel():
        asking.cancel(ana, match)
        return Judgement(None)

    work_on(judge=HereAndNow(20, cancel))

    assert not Analysis.objects.exists()
    assert not Verdict.objects.exists()


def test_one_that_fails_says_so_and_may_be_asked_for_again(match, ana):
    asking.ask(ana, match)

    work_on(judge=HereAndNow(3, ended))

    assert analysed(match).status == "failed"
    asking.ask(ana, match)
    work_on()
    assert analysed(match).status == "done"


def test_who_asked_first_is_served_first(match, random_match, ana, boris):
    asking.ask(boris, random_match)
    asking.ask(ana, match)

    tasks = [working.take_next(worker) for worker in ("one", "two", "three")]

    assert [task and task.analysis for task in tasks] == [analysed(random_match).pk, analysed(match).pk, None]


# Ahead


@pytest.fixture
def load(monkeypatch, settings):
    """Sets the load of the machine, in one process for each core."""
    settings.ANALYSES_AHEAD = 1
    return lambda each: monkeypatch.setattr(os, "getloadavg", lambda: (each * os.cpu_count(), 0.0, 0.0))


def test_idle_machine_analyses_the_matches_of_people_up_to_a_limit(match, random_match, load):
    load(0.1)

    task = working.take_next("one")

    assert task.analysis == analysed(random_match).pk  # which ended last
    assert analysed(random_match).asked_by is None
    assert working.take_next("two") is None
    assert working.take_next("three") is None


def test_busy_machine_analyses_only_what_somebody_asked_for(match, random_match, ana, load):
    load(0.6)
    assert working.take_next("w") is None

    asking.ask(ana, match)

    assert working.take_next("w").analysis == analysed(match).pk


def test_nobody_waits_for_an_analysis_that_nobody_asked_for(match, random_match, ana, load):
    load(0.1)

    def judge_while_somebody_asks():
        asking.ask(ana, match)
        return Judgement(None)

    work_on(judge=HereAndNow(3, judge_while_somebody_asks))
    assert analysed(random_match).is_unfinished
    work_on()
    assert analysed(match).status == "done"
    work_on()
    assert analysed(random_match).status == "done"


def test_who_asks_for_an_analysis_that_nobody_asked_for_gets_it_on_a_busy_machine(random_match, ana, load):
    load(0.1)
    working.give_back(working.take_next("one"))
    load(0.6)
    assert working.take_next("two") is None

    asking.ask(ana, random_match)

    assert working.take_next("two").analysis == analysed(random_match).pk
    assert analysed(random_match).asked_by == ana


# Reading


@pytest.fixture
def read(random_match, ana, client):
    """The random match, analysed."""
    asking.ask(ana, random_match)
    work_on()
    return random_match


def test_mistakes_are_marks_of_the_timeline(read, ana):
    replay = Replay(read)

    found = marks.marks_of(replay, ana)

    wrong = [(mark.move, mark.kind) for mark in found if mark.kind == "mistake"]
    lost = Verdict.objects.filter(analysis__match=read, lost__gt=0).exclude(mark="").order_by("move")
    assert wrong == [(verdict.move, "mistake") for verdict in lost]
    assert len(wrong) > 10


def test_a_page_that_was_kept_is_told_of_the_analysis(random_match, ana, client):
    address = reverse("replay", args=[random_match.code])
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    asking.ask(ana, random_match)
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304

    work_on()

    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


def test_the_page_shows_accuracy_and_moments(read, client):
    page = client.get(reverse("analysis", args=[read.code])).text

    assert page.count("<dt>Points lost</dt>") == 4
    accuracies = [line["accuracy"] for line in reading.losses_by_seat(reading.moments(read).values(), 4)]
    assert re.findall(r'<p class="accuracy">(\d+)</p>', page) == list(map(str, accuracies))
    assert page.count('class="blunder"') == sum(mark == BLUNDER for _, _, mark, *_ in verdicts_of(read))
    assert page.count("What was compared") == reading.MAX_COSTLY


def test_the_reader_comes_first_with_their_own_moments(read, ana, client):
    client.force_login(ana)
    found = list(reading.moments(read).values())
    worst = reading.costliest(moment for moment in found if moment.seat == 0)

    page = client.get(reverse("analysis", args=[read.code])).text

    assert re.findall(r"<h3>(.*?)</h3>", page)[0] == "You"
    own, others = page.split("The costliest moments of the others")
    assert "Your costliest moments" in own
    assert re.findall(r"replay/\?move=(\d+)&amp;seat=0", own) == [str(moment.move) for moment in worst]
    assert own.count("<b>You ") == len(worst)
    assert "&amp;seat=0" not in others.split("Where it was lost")[0]


def test_a_moment_shows_the_trick_the_hand_and_the_better_card(read):
    replay = Replay(read, read.seats.get(number=0).user_id)
    rows = [row for row in Verdict.objects.filter(analysis__match=read, lost__gt=1) if "card" in row.known[0][0]]
    assert rows
    for row in rows:
        state = replay.steps[row.move - 1].state

        scene = reading.scene_of(replay, row)

        assert len(scene["trick"]) == len(state.trick)
        assert len(scene["hand"]) == len(state.hands[row.seat])
        assert [card["made"] for card in scene["hand"]].count(True) == 1
        assert [card["better"] for card in scene["hand"]].count(True) == 1
        assert scene["better"].startswith("the ")
        assert ("You" in [name for name, _ in scene["trick"]]) == (
            row.seat != 0 and (0 - state.leader) % 4 < len(state.trick)
        )


def test_points_lost_add_up(read):
    replay, found = Replay(read), list(reading.moments(read).values())
    lost = [line["lost"] for line in reading.losses_by_seat(found, 4)]
    of_deals = reading.losses_by_deal(found, replay.deals, 4)

    assert sum(lost) == pytest.approx(sum(each for _, _, _, each, *_ in verdicts_of(read)))
    assert lost == pytest.approx([sum(deal["lost"][seat] for deal in of_deals) for seat in range(4)])
    assert len(of_deals) == len(replay.deals)


def test_accuracy_is_the_average_of_the_marks(read, ana):
    marks = list(Verdict.objects.filter(analysis__match=read, seat=0).values_list("mark", flat=True))
    worth = {"": 100, "good": 100, "inaccuracy": 90, "mistake": 75, "blunder": 50}

    line = reading.losses_by_seat(reading.moments(read).values(), 4)[0]

    assert len(set(marks)) > 2
    assert line["accuracy"] == round(sum(worth[mark] for mark in marks) / len(marks))
    assert accuracies_in(ana, [read.code]) == {read.code: line["accuracy"]}


def test_a_move_has_its_verdict(read, client):
    worst = reading.costliest(reading.moments(read).values())[0]
    address = reverse("verdict", args=[read.code, worst.move])

    page, panel = client.get(address).text, client.get(address, headers={"HX-Request": "true"}).text

    assert "<h1>" in page
    assert "<h1>" not in panel
    for text in (page, panel):
        assert SIGNS[worst.mark] in text
        assert "With what was known" in text
        assert "In the hand" in text
        assert "Better: <b>" in text
        assert "±" not in text
        assert "As the cards lay" in text
    assert client.get(reverse("verdict", args=[read.code, 0])).status_code == 404


def test_the_replay_shows_the_mark_of_the_move(read, client):
    worst = reading.costliest(reading.moments(read).values())[0]

    page = client.get(f"{reverse('replay', args=[read.code])}?move={worst.move}").text

    assert f'<span class="sign {worst.mark}">{worst.sign}</span> {worst.words}' in page
    assert reverse("analysis", args=[read.code]) in page


def test_by_forms_it_is_asked_for_and_called_off(client, match, ana):
    address = reverse("analysis", args=[match.code])
    assert "Analyse this match" in client.get(address).text
    assert client.post(address).headers["Location"].startswith(reverse("account_login"))
    client.force_login(ana)

    client.post(address)
    assert "It begins in a moment" in client.get(address).text
    looked_again = client.get(address, headers={"HX-Request": "true"})
    assert 'hx-trigger="load delay:2s"' in looked_again.text
    assert "Cancel" not in looked_again.text  # a button that is swapped while it is pressed does nothing
    client.post(reverse("cancel_analysis", args=[match.code]))

    assert "Analyse this match" in client.get(address).text
    looked_again = client.get(address, headers={"HX-Request": "true"})
    assert looked_again.headers["HX-Retarget"] == "#analysis"
    assert "Analyse this match" in looked_again.text


def test_progress_is_told(client, match, ana):
    asking.ask(ana, match)
    task = working.take_next("w")
    half = [(index, seat, Judgement(None)) for index, seat, _ in task.decisions[:7]]
    working.store(task, half)

    page = client.get(reverse("analysis", args=[match.code])).text

    assert f"A first look: 7 of {len(task.decisions)} decisions" in page
    assert reverse("cancel_analysis", args=[match.code]) not in page  # to somebody else


def test_mistakes_of_the_first_look_are_shown_before_the_second(client, random_match, ana):
    asking.ask(ana, random_match)
    task = working.take_next("w")
    looks = [(index, seat, judge_decision(decision)) for index, seat, decision in working.first_look(task)]
    working.store(task, looks)
    unsure = working.second_look(task)
    worst = Verdict.objects.order_by("-lost")[0]
    address = reverse("analysis", args=[random_match.code])

    page = client.get(address).text

    assert f"A closer look: 0 of {len(unsure)} decisions" in page
    assert f"{reverse('replay', args=[random_match.code])}?move={worst.move}&amp;seat={worst.seat}" in page
    assert client.get(reverse("verdict", args=[random_match.code, worst.move])).status_code == 404  # It may change.


def test_second_look_begins_with_what_may_have_lost_most(match, ana):
    asking.ask(ana, match)
    task = working.take_next("w")
    looks = [(index, seat, judge_decision(decision)) for index, seat, decision in working.first_look(task)]
    working.store(task, looks)

    unsure = [index for index, *_ in working.second_look(task)]

    most_lost = {row.move: row.as_kit().most_lost for row in Verdict.objects.filter(is_final=False)}
    assert len(unsure) > 3
    assert unsure == sorted(most_lost, key=lambda move: (-most_lost[move], move))


def test_who_waits_is_told_how_many_come_first_and_how_long(client, match, random_match, ana, boris):
    asking.ask(boris, random_match)
    work_on()
    Analysis.objects.update(seconds=40, finished_at=timezone.now())
    third = import_match(export_match(random_match))
    asking.ask(boris, third)
    asking.ask(ana, match)

    page = client.get(reverse("analysis", args=[match.code])).text

    assert "1 analysis comes first, so it begins in about 40 seconds." in page


def test_of_a_running_match_the_page_says_not_yet(client, started, ana):
    client.force_login(ana)
    address = reverse("analysis", args=[started.code])

    assert "once it is over" in client.get(address).text
    assert client.post(address).status_code == 403
    assert get_game("oh-hell").analyst is ANALYST


@pytest.mark.django_db(transaction=True)
def test_cancelled_while_a_piece_is_stored_nothing_stays(match, ana):
    asking.ask(ana, match)
    task = working.take_next("w")
    move, seat, decision = task.decisions[0]

    def cancel():
        try:
            asking.cancel(ana, match)
        finally:
            connections.close_all()

    def waits():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            return cursor.fetchone()[0]

    with ThreadPoolExecutor(1) as other:
        with transaction.atomic():
            assert working.store(task, [(move, seat, judge_decision(decision))])
            cancelled = other.submit(cancel)
            if connection.vendor == "postgresql":
                wait_until(waits, 30, "the other transaction waits")
        cancelled.result()

    assert not Analysis.objects.exists()
