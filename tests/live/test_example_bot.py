"""The example that members download, in a process of its own, at the real site's table."""

import re
import subprocess
import sys

import pytest

from tests.faults.players import Ledger, Player
from tests.processes import ROOT, Installation, running

pytestmark = [pytest.mark.whole, pytest.mark.thorough]
EXAMPLE = ROOT / "static" / "bots" / "example_bot.py"
ACTORS = """
from games.models import Move
moves = Move.objects.exclude(actor="claimed").order_by()  # as bots may do
print(*sorted(actor for _, actor in moves.values_list("seat", "actor").distinct()))
"""


async def test_it_plays_a_match_with_its_owner(tmp_path):
    installation = Installation(tmp_path, f"sqlite:///{tmp_path / 'site.sqlite3'}", PACE="0.1")
    site = installation.serve()
    with running(site):
        async with Player([site], Ledger()) as ana:
            await ana.get("/")
            await ana.post("/accounts/signup/", username="Ana", password1="a heron on the felt")
            await ana.post("/accounts/reauthenticate/", password="a heron on the felt")
            page = await ana.post("/accounts/bots/", name="Clockwork")
            token = re.search(r'class="token">(.+?)<', page.text)[1]
            command = [sys.executable, str(EXAMPLE), site.url.replace("http", "ws", 1) + "/ws/bot/", token]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bot:
                try:
                    code = await ana.open_table(seats=3, bots=1, game_style="short-up")
                    page = await ana.get(f"/matches/{code}/")
                    key = re.search(r'<option value="(\d+)"[^>]*>Clockwork', page.text)[1]
                    await ana.post(f"/matches/{code}/program/", program=key)
                    await ana.play(code)
                finally:
                    bot.kill()
                printed = bot.stdout.read()

    assert "Refused" not in printed
    assert installation.command("shell", "-v0", "-c", ACTORS).split() == ["bot", "chance", "player", "player"]
