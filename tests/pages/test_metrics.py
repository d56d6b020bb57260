"""The figures of a process: what is counted, and who may read it."""

import re

import pytest

from accounts.people import ties
from games.chat import posting, reporting
from games.history import lists
from games.live.threads import DatabaseThread
from games.play import metrics
from games.play.moves import play_move
from tests.live.pages import first_move


def figure(client, name):
    """A figure as /metrics tells it."""
    text = client.get("/metrics").content.decode()
    found = re.search(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE)
    assert found, f"{name} is not among:\n{text}"
    return float(found[1])


def test_moves_and_commits_are_counted(client, started):
    names = ("valat_moves_total", "valat_commits_total", "valat_batch_requests_count", "valat_move_seconds_count")
    before = [figure(client, name) for name in names]

    play_move(started.code, started.to_act, first_move(started), seen_count=1)

    assert [figure(client, name) for name in names] == [count + 1 for count in before]


def test_pages_that_break_are_counted(client, started, monkeypatch):
    client.raise_request_exception = False
    metrics.ERRORS.labels("page")
    before = figure(client, 'valat_errors_total{where="page"}')
    monkeypatch.setattr(lists, "option_words", None)

    assert client.get(f"/matches/{started.code}/").status_code == 500
    assert figure(client, 'valat_errors_total{where="page"}') == before + 1


@pytest.mark.parametrize(
    "name",
    [
        *('valat_sockets{kind="match"}', 'valat_sockets{kind="lobby"}', "valat_tables", "valat_writer_queue"),
        *("valat_bots_waiting", "valat_bot_seconds_count", "valat_bot_cpu_seconds_total", "valat_refusals_total"),
        *('valat_thread_queue{thread="test"}', 'valat_errors_total{where="test"}', "process_cpu_seconds_total"),
    ],
)
def test_all_that_a_host_may_watch_is_there(client, name):
    metrics.ERRORS.labels("test")
    metrics.SOCKETS.labels("match")
    metrics.SOCKETS.labels("lobby")
    DatabaseThread("test").close()

    assert figure(client, name) >= 0


@pytest.mark.parametrize(
    "address, allowed",
    [
        *(("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("127.0.0.2", False), ("::2", False)),
        *(("::ffff:203.0.113.5", False), ("10.1.2.3", True), ("10.2.2.3", False), ("a-unix-socket", False)),
        ("", False),
    ],
)
def test_figures_are_for_the_addresses_that_are_named(client, settings, address, allowed):
    settings.METRICS_ALLOWED = ["127.0.0.1", "::1", "10.1.0.0/16"]

    assert client.get("/metrics", REMOTE_ADDR=address).status_code == (200 if allowed else 404)


@pytest.mark.parametrize(
    "proxies, forwarded, allowed",
    [(0, "127.0.0.1", False), (1, "127.0.0.1", True), (1, "203.0.113.5", False), (2, "127.0.0.1", False)],
)
def test_behind_a_proxy_the_address_is_that_of_the_visitor(client, settings, proxies, forwarded, allowed):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies

    answer = client.get("/metrics", REMOTE_ADDR="127.0.0.1", headers={"X-Forwarded-For": forwarded})

    assert answer.status_code == (200 if allowed else 404)


def test_what_is_said_is_counted_and_nothing_else_told_of_it(client, started, users):
    ana, boris = users[:2]
    ties.ask(ana, boris)
    ties.accept(boris, ana)
    metrics.LINES.labels("phrase")
    names = ('valat_lines_total{kind="phrase"}', "valat_messages_total", "valat_reports_total")
    before = [figure(client, name) for name in names]

    posting.post(ana.pk, started.code, phrase="hello")
    message = posting.write(ana, boris, "Swordfish")
    reporting.report_message(boris, message, "rude")

    assert [figure(client, name) for name in names] == [count + 1 for count in before]
    told = client.get("/metrics").text
    assert "Swordfish" not in told
    assert "Ana" not in told
