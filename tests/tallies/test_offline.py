"""What devices send that have kept score without a network: each entry counts once, in every order."""

import gzip
import io
import json
import os
import re
from pathlib import Path
from uuid import uuid4

import pytest
from django.contrib.staticfiles import finders
from django.core.cache import cache
from django.test import Client
from PIL import Image

from accounts.site.models import SiteSettings
from games.pages.offline import BATCH, PROTOCOL, texts
from games.tallies import keeping, sharing
from games.tallies.models import Tally, TallyEntry
from tests.tallies.conftest import NAMES, ledger
from tests.tallies.test_folding import DEAL
from tools.messages import ROOT, of_script

pytestmark = pytest.mark.django_db
MOST = 100_000  # bytes


@pytest.fixture
def device(ana):
    return Device(ana)


class Device:
    """A browser that keeps entries, and sends them when it likes."""

    def __init__(self, user=None):
        self.client, self.unsent, self.answer = Client(), [], None
        if user:
            self.client.force_login(user)

    def post(self, path, **message):
        message = {"protocol": PROTOCOL} | message
        return self.client.post(path, json.dumps(message), content_type="application/json")

    def begin(self, **changes):
        message = {
            "game": "belot",
            "options": {},
            "names": list(NAMES[:4]),
            "key": uuid4().hex,
            "guest": False,
        } | changes
        return self.post("/tallies/device/begin/", **message)

    def enter(self, kind="result", deal=1000, seen="", body=DEAL):
        self.unsent.append({"id": str(uuid4()), "kind": kind, "deal": deal, "body": body, "seen": seen})
        return self.unsent[-1]["id"]

    def send(self, tally):
        """Send what waits, and drop what the site knows."""
        response = self.post(f"/tallies/{tally.code}/device/", entries=self.unsent)
        self.answer = response.json()
        self.unsent = [entry for entry in self.unsent if entry["id"] not in self.answer.get("known", ())]
        return response.status_code


def points(tally):
    return [deal.body["points"] for deal in ledger(tally).deals]


def test_a_tally_begun_on_a_device_is_begun_once(device, ana):
    key = uuid4().hex
    first, second = (device.begin(key=key, options={"target": 101}) for _ in range(2))
    tally = Tally.objects.get()
    assert first.json()["state"]["code"] == second.json()["state"]["code"] == tally.code
    assert (tally.keeper, tally.options["target"], first.json()["reader"]) == (ana, 101, ana.pk)
    assert first["Cache-Control"] == "private, no-store"


def test_without_a_session_it_waits_unless_a_guest_is_wanted(device):
    visitor = Device()
    refused = visitor.begin()
    assert (refused.status_code, refused.json()["reader"]) == (403, None)
    assert not Tally.objects.exists()
    assert visitor.begin(guest=True).json()["reader"] == Tally.objects.get().keeper_id


def test_entries_count_once_however_often_they_come(device, begin):
    tally = begin("belot", 4)
    for number in range(1, 31):
        device.enter(deal=1000 * number, body={"bid": "pass"} if number % 4 else DEAL)
    first = list(device.unsent)
    assert device.send(tally) == 200
    device.unsent = first  # The answer was lost.
    assert device.send(tally) == 200
    assert (device.unsent, len(ledger(tally).deals), TallyEntry.objects.count()) == ([], 30, 30)
    assert device.answer["state"]["totals"] == list(ledger(tally).state.deal.totals)


def test_a_chain_of_bid_result_correction_and_undo_arrives_in_order(device, begin):
    tally = begin("belot", 4)
    bid = device.enter("bid", body={"bid": "0H", "level": 1})
    result = device.enter(seen=bid)
    correction = device.enter("correct", seen=result, body=DEAL | {"points": 70})
    device.enter("undo", deal=0, body={"entry": correction})
    device.enter("finish", deal=0, body={})
    assert device.send(tally) == 200
    assert (points(tally), ledger(tally).is_ended) == ([60], True)


@pytest.mark.parametrize("is_first", [True, False])
def test_two_devices_of_two_people_wait_for_a_decision(is_first, device, begin, boris):
    tally = begin("belot", 4)
    sharing.set_link(tally.keeper, tally.code, "write", on=True)
    sharing.let_write(boris, tally.code, Tally.objects.get().write_key)
    other = Device(boris)
    device.enter(body=DEAL | {"points": 60})
    other.enter(body=DEAL | {"points": 70})
    for each in (device, other) if is_first else (other, device):
        assert each.send(tally) == 200
    assert points(tally) == [60 if is_first else 70]
    assert [entry.body["points"] for entry in ledger(tally).waiting] == [70 if is_first else 60]
    assert device.unsent == other.unsent == []


def test_two_devices_of_one_person_keep_the_second_entry_until_they_decide(device, begin, ana):
    tally, other = begin("belot", 4), Device(ana)
    there = device.enter(body=DEAL | {"points": 60})
    other.enter(body=DEAL | {"points": 70})
    later = other.enter(deal=2000)
    assert device.send(tally) == other.send(tally) == 200
    assert (points(tally), [entry["id"] for entry in other.unsent][1]) == ([60], later)
    assert other.answer["problem"]["stale"] is True
    other.unsent[0]["seen"] = there  # "Take that of this device"
    assert other.send(tally) == 200
    assert (points(tally), other.unsent) == ([70, 60], [])


def test_a_refused_entry_stays_on_the_device_with_those_after_it(device, begin):
    tally = begin("belot", 4)
    device.enter(body=DEAL | {"points": 1})
    device.enter(deal=2000)
    assert device.send(tally) == 200
    assert device.answer["problem"]["refusal"] == "No cards are worth 151 points together. Count again."
    assert (points(tally), len(device.unsent)) == ([], 2)


def test_only_an_own_entry_can_be_taken_back(device, begin, boris):
    tally = begin("belot", 4)
    own = device.enter()
    device.send(tally)
    sharing.set_link(tally.keeper, tally.code, "write", on=True)
    sharing.let_write(boris, tally.code, Tally.objects.get().write_key)
    other = Device(boris)
    other.enter("undo", deal=0, body={"entry": own})
    assert (other.send(tally), len(other.unsent), points(tally)) == (200, 1, [60])


@pytest.mark.parametrize(
    "entry",
    [
        {"kind": "result", "body": {"bid": "x"}},
        {"kind": "result", "body": {"bid": 5}},
        {"kind": "result", "body": {"bid": ["0H"]}},
        {"kind": "result", "body": {**DEAL, "declared0": [1]}},
        {"kind": "result", "body": {**DEAL, "level": 3}},
        {"kind": "result", "body": []},
        {"kind": "result", "deal": 1.5},
        {"kind": "result", "deal": "1000"},
        {"kind": "other"},
        {"kind": "undo", "body": {}},
        {"seen": 4},
        {"id": "1"},
    ],
)
def test_an_entry_that_no_page_makes_is_refused(entry, device, begin):
    tally = begin("belot", 4)
    device.enter()
    device.unsent[0] |= entry
    status = device.send(tally)
    assert (status == 400 or "problem" in device.answer, TallyEntry.objects.count()) == (True, 0)
    assert device.answer["protocol"] == PROTOCOL


@pytest.mark.parametrize("message", [{"entries": 1}, {"entries": [1]}, {"entries": [{}] * (BATCH + 1)}, {}])
def test_a_message_that_no_page_sends_is_refused(message, device, begin):
    assert device.post(f"/tallies/{begin('belot', 4).code}/device/", **message).status_code == 400


def test_text_that_is_no_message_is_refused(device):
    path = "/tallies/device/begin/"
    for text in ("", "[]", "nothing", "[" * 5000):
        assert device.client.post(path, text, content_type="application/json").status_code == 400
    for change in ({"names": "Ana"}, {"options": []}, {"key": ""}, {"key": "*"}, {"game": "chess"}, {"names": [1, 2]}):
        assert device.begin(**change).status_code == 400
    assert not Tally.objects.exists()


def test_an_old_page_is_asked_to_load_again(device, begin):
    response = device.post(f"/tallies/{begin('belot', 4).code}/device/", protocol=PROTOCOL - 1, entries=[])
    assert (response.status_code, response.json()["protocol"]) == (409, PROTOCOL)


def test_readers_and_strangers_get_no_copy(device, begin, boris):
    tally = begin("belot", 4)
    for client in (Client(), Device(boris).client):
        response = client.get(f"/tallies/{tally.code}/device/")
        assert (response.status_code, "state" in response.json()) == (404, False)
    state = device.client.get(f"/tallies/{tally.code}/device/").json()["state"]
    assert (state["names"], state["writers"], state["totals"]) == (list(NAMES[:4]), ["Ana"], [0, 0])


def test_a_copy_costs_as_many_queries_for_one_deal_as_for_twelve(device, begin, django_assert_num_queries):
    tally = begin("belot", 4)
    counts = []
    for number in range(1, 13):
        keeping.write(tally.keeper, tally.code, keeping.Entry(str(uuid4()), "result", 1000 * number, DEAL))
        cache.clear()
        if number in (1, 12):
            with django_assert_num_queries(7):
                counts.append(len(device.client.get(f"/tallies/{tally.code}/device/").json()["state"]["entries"]))
    assert counts == [1, 12]


def test_the_page_is_the_same_for_everybody(device, client):
    own, others = device.client.get("/tallies/offline/"), client.get("/tallies/offline/")
    assert own.content == others.content
    assert b"csrf" not in own.content
    assert b"Ana" not in own.content


def test_the_worker_changes_with_the_language(client):
    english, german = (
        client.get("/service-worker.js", headers={"Accept-Language": code}).text for code in ("en", "de")
    )
    assert english != german
    assert "/tallies/offline/" in english
    assert "Punkte" in client.get("/tallies/offline/", headers={"Accept-Language": "de"}).text


@pytest.mark.parametrize("code", ["en", "bg", "hr", "de", "fr"])
def test_the_page_is_small(code, client):
    """The page with the largest logo, its scripts for all four games, its styles and its fonts, compressed."""
    logo = io.BytesIO()
    Image.frombytes("RGBA", (160, 160), os.urandom(4 * 160 * 160)).save(logo, "PNG")
    SiteSettings.objects.create(pk=1, logo=logo.getvalue())
    worker = client.get("/service-worker.js", headers={"Accept-Language": code}).text
    shell = json.loads(re.match(r"const SHELL = (.*);\n", worker)[1])
    paths = [re.sub(r"\.[0-9a-f]{12}(?=\.)", "", path.removeprefix("/static/")) for path in shell["files"]]
    page = client.get(shell["page"], headers={"Accept-Language": code}).content
    sizes = [
        len(gzip.compress(content)) for content in (page, *(Path(finders.find(path)).read_bytes() for path in paths))
    ]
    assert len(sizes) > 20
    assert b"data:image/webp" in page
    assert sum(sizes) < MOST
    fonts = {Path(path).stem for path in paths if path.endswith("woff2")}
    bulgarian = {"inter-bulgarian", "vollkorn-bulgarian"} if code == "bg" else set()
    assert fonts == {"inter-basic"} | bulgarian


def test_every_text_of_the_scripts_is_in_the_page():
    """The page finds texts by patterns, tools/messages.py by a parser of JavaScript."""
    scripts = [path.read_text() for path in (ROOT / "static").rglob("*.js") if "words.js" in path.read_text()]
    words = (ROOT / "static/tallies/words.js").read_text()
    messages = {(each.context or "", each.forms) for text in [words, *scripts] for each in of_script(text, "")}
    assert messages == set(texts())


def test_the_manifest_has_shortcuts(client):
    shortcuts = client.get("/manifest.webmanifest").json()["shortcuts"]
    assert [shortcut["name"] for shortcut in shortcuts] == ["Keep score", "Play", "My matches"]
    for shortcut in shortcuts:
        assert client.get(shortcut["url"], follow=True).status_code == 200


def test_each_entry_of_a_message_counts_for_the_limit_and_the_others_come_later(device, ana, settings):
    settings.RATE_LIMITS = settings.RATE_LIMITS | {"entry": "3/m/user"}
    device.begin()
    tally = Tally.objects.get()
    for number in range(1, 6):
        device.enter(deal=1000 * number)

    assert device.send(tally) == 200
    assert (len(device.unsent), tally.entries.count()) == (2, 3)
    assert device.post(f"/tallies/{tally.code}/device/", entries=device.unsent).status_code == 429
    cache.clear()
    assert device.send(tally) == 200
    assert (device.unsent, tally.entries.count()) == ([], 5)
