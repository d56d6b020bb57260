"""The process that sends messages is killed while it does: nobody is told twice, and only what it held is lost."""

import time

import pytest

from games.live import clock
from tests.notifications.servers import Server
from tests.processes import Installation, wait_until

pytestmark = pytest.mark.faults

PEOPLE = 40
SENDERS = len(clock.SENDERS)
WRITE = f"""
from accounts.models import User
from accounts.people import ties
from games.notifications import delivery_methods
host = User.objects.create(username="Goran")
for number in range({PEOPLE}):
    user = User.objects.create(username=f"user-{{number}}")
    delivery_methods.set_webhook(user, f"{{URL}}/{{number}}", "json", "https://valat.example")
    ties.ask(User.objects.create(username=f"friend-{{number}}"), user)
"""


@pytest.fixture
def server():
    server = Server()
    server.before_answer = lambda connection: time.sleep(0.1)
    yield server
    server.close()


def test_who_is_killed_while_sending_doubles_nothing_and_leaves_the_rest_to_the_next(server, tmp_path):
    installation = Installation(tmp_path, f"sqlite:///{tmp_path / 'site.sqlite3'}", NOTICES_INSIDE="127.0.0.1")
    installation.command("migrate")
    installation.command("shell", "--no-imports", "-c", f"URL = {server.url!r}\n{WRITE}")
    first, second = installation.serve(), installation.serve()
    try:
        first.start()
        wait_until(lambda: len(server.posts) >= PEOPLE // 4, 120, "messages are sent")
        first.kill()
        told = len(server.posts)
        second.start()
        wait_until(lambda: len(server.posts) >= PEOPLE - SENDERS, 120, "the rest is sent")
        time.sleep(3)  # in which anything that were sent twice would come
    finally:
        first.kill()
        second.kill()

    paths = [path for path, *_ in server.posts]
    assert told < PEOPLE
    assert len(set(paths)) == len(paths)
    assert PEOPLE - SENDERS <= len(paths) <= PEOPLE
