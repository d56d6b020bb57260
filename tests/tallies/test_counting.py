"""The device counts as the server does: the scripts of the four games agree with Python, sentence by sentence."""

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from games.kit.tallies import NOBODY, CannotBe, add_deal, as_data, read
from games.tallies.folding import Entry, Setting, fold
from tests.tallies.conftest import NAMES
from tests.tallies.recorded import GAMES, bodies, played

pytestmark = pytest.mark.whole

SLUGS = ("oh-hell", "belot", "bids", "bleven")
RANDOM_ENTRIES = int(os.environ.get("ENTRIES", 100_000 if os.environ.get("STRICT") else 5_000))
FIELDS_EVERY = 40  # The fields of one deal in so many are compared too: they are most of the data.
VARIANTS = 12  # entries that differ in an answer from the one before: to ask all questions takes most of the time
SCRIPT = Path(__file__).with_name("counting.mjs")


class Device:
    """Node with the scripts, which compares each line that it reads with what they count."""

    def __init__(self):
        if not shutil.which("node"):
            if os.environ.get("STRICT"):
                pytest.fail("Node is missing: install it (Debian: apt-get install nodejs).", pytrace=False)
            pytest.skip("Node is missing, which the scripts run on.")
        self._lines = 0
        self._node = subprocess.Popen(
            ["node", SCRIPT], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def send(self, counted=1, **line):
        try:
            self._node.stdin.write(json.dumps(line, default=str) + "\n")
        except BrokenPipeError:
            raise AssertionError(self._node.stderr.read()) from None
        self._lines += counted

    def close(self):
        out, err = self._node.communicate()
        assert self._node.returncode == 0, err[-4000:]
        assert int(out) == self._lines


@pytest.fixture
def device():
    device = Device()
    yield device
    device.close()


def facts(scorer, state):
    return {
        "totals": list(scorer.totals(state)),
        "over": scorer.rules.to_act(state) is None,
        "heading": scorer.heading(state),
    }


def plain(field):
    """A field as JSON, without the words of options: some are signs of suits."""
    options = [{name: str(getattr(option, name)) for name in ("title", "closed", "row")} for option in field.options]
    for option, source in zip(options, field.options, strict=True):
        option["value"] = source.value
        option["row"] = str(source.row) if source.row else ""
        option["closed"] = str(source.closed) if source.closed else ""
    texts = {name: str(getattr(field, name)) for name in ("label", "group", "note")}
    return field._asdict() | texts | {"options": options}


class Match:
    """A match at a real table that Python and the device count side by side."""

    def __init__(self, device, slug, seats, options):
        rules = GAMES[slug].newest
        self.device, self.scorer, self.names = device, GAMES[slug].scorer(rules), NAMES[:seats]
        self.options = rules.clean_options(seats, options)
        self.state = rules.new_match(seats, self.options)
        after = facts(self.scorer, self.state)
        device.send(0, game=slug, seats=seats, options=self.options, after=after)

    @property
    def is_over(self):
        return self.scorer.rules.to_act(self.state) is None

    def fields(self, body):
        return self.scorer.fields(self.state, body, self.names)

    def enter(self, body, *, with_fields=False, is_spoiled=False):
        """Enter a deal on both sides. Return whether it can be. is_spoiled: whether no form has such answers."""
        line = {"body": body}
        if with_fields:
            data = {name: list(texts) for name, texts in as_data(body).items()}
            reading = read(self.scorer, self.state, data, self.names)
            line |= {
                "fields": [plain(field) for field in self.fields(body)],
                "data": data,
                "reading": {
                    "answers": reading.answers,
                    "missing": [field.name for field in reading.missing],
                    "refusals": [str(refusal) for refusal in reading.refusals],
                },
            }
        try:
            self.state = add_deal(self.scorer, self.state, body, self.names)
            line["after"] = facts(self.scorer, self.state)
        except CannotBe as refusal:
            line["after"] = {"refusal": "" if is_spoiled else str(refusal)}
        self.device.send(**line)
        return "refusal" not in line["after"]


def some_options(rng, rules, seats):
    return {field.name: rng.choice(field.choices).value for field in rules.option_fields(seats)}


def some_answer(rng, field):
    """An answer, now and then one that cannot be."""
    values = [option.value for option in field.options]
    if field.kind == "many":
        return [str(value) for value in values if rng.random() < 0.3]
    if values:
        open_values = [option.value for option in field.options if not option.closed]
        return rng.choice(open_values if open_values and rng.random() < 0.97 else values)
    if str(field.label) == "Black cards":
        return rng.choice(
            [1, 1, 1, 1, 2, 2, 3] + ([0] * 4 if not field.least else []) + ([field.most] * (rng.random() < 0.2))
        )
    if str(field.label) in ("Their points", "Points", "Points that it added"):
        return rng.choice(
            [5, 6, 7, 8, 9, 10, rng.randint(1, 14)] * 3 + [0, field.least, rng.randint(field.least, field.most)]
        )
    return rng.choice([field.least, field.most, *[rng.randint(field.least, field.most) for _ in range(8)]])


def some_body(rng, match):
    """Random answers to all questions."""
    body, way = {}, rng.choices(["totals", "tricks"], [8, 2])[0]
    while True:
        left = [field for field in match.fields(body) if field.name and field.name not in body]
        if not left:
            return body
        tricks = len(left[0].options) - 1 if left[0].name.startswith("took") else 0
        for field in left:
            body[field.name] = some_answer(rng, field)
            if field.name == "way":
                body["way"] = way
            if field.name == "doubled" and rng.random() < 0.7:
                body["doubled"] = NOBODY
            if field.name.startswith("points") and body.get(f"black{field.name[6:]}") == 0 and rng.random() < 0.9:
                body[field.name] = 0
            if field.name.startswith("took") and rng.random() < 0.98:
                body[field.name] = rng.randint(0, tricks)
                tricks -= body[field.name]


def variant(rng, fields, body):
    """The same answers with another one of those that lead to no other questions."""
    names = (
        "points",
        "took",
        "bid",
        "black",
        "last",
        "worth",
        "cards",
        "bet",
        "side",
        "short",
        "won",
        "answer",
        "level",
    )
    changed = [field for field in fields if field.name in body and field.name.startswith(names) and field.name != "bid"]
    field = rng.choice(changed) if changed else None
    return body | {field.name: some_answer(rng, field)} if field else body


def spoilt(rng, fields, body):
    """The same with an answer that is missing, foreign, beyond its bounds or of another type."""
    field = rng.choice([field for field in fields if field.name in body])
    others = {name: answer for name, answer in body.items() if name != field.name}
    beyond = "no" if field.options else rng.choice([field.least - 1, field.most + 1, 99_999])
    return rng.choice(
        [others, body | {"unknown": 1}, body | {field.name: beyond}, body | {field.name: str(body[field.name])}]
    )


@pytest.mark.parametrize("slug", SLUGS)
def test_the_device_counts_random_entries_as_the_server_does(slug, device):
    rng, rules, number = random.Random(slug), GAMES[slug].newest, 0
    results = {True: 0, False: 0}
    while number < RANDOM_ENTRIES:
        seats = rng.choice(rules.seat_counts)
        match = Match(device, slug, seats, some_options(rng, rules, seats))
        body, fields = {}, []
        for place in range(90):
            number += 1
            if place % VARIANTS:
                body = variant(rng, fields, body)
            else:
                body = some_body(rng, match)
                fields = match.fields(body)
            is_spoiled = rng.random() < 0.03
            entered = spoilt(rng, fields, body) if is_spoiled else body
            with_fields = number % FIELDS_EVERY == 0 and not is_spoiled
            results[match.enter(entered, with_fields=with_fields, is_spoiled=is_spoiled)] += 1
            if match.is_over and rng.random() < 0.8:
                break
    assert min(results.values()) > RANDOM_ENTRIES / 20, results


@pytest.mark.parametrize("slug", SLUGS)
def test_the_device_counts_matches_of_bots_as_the_server_does(slug, device):
    for seed in range(12):
        seats, options, deals = played(slug, seed)
        match = Match(device, slug, seats, options)
        for body in bodies(slug, seats, deals):
            assert match.enter(body, with_fields=True)
        assert match.is_over


@pytest.mark.parametrize("level", [1, 2, 4, 8])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_number_of_points_of_belot_is_counted_alike(seats, level, device):
    """Every rounding limit, every tie, hanging, kirtik and valat, in each contract and by each bidder."""
    for hanging, kirtik, ten in [(True, False, True), (False, True, True), (True, True, False), (False, False, False)]:
        options = {"third_double": True, "hanging": hanging, "kirtik": kirtik, "last_trick_ten": ten}
        for contract in ("H", "NT", "AT"):
            match = Match(device, "belot", seats, options)
            for points in range(270):
                bidder = points % seats
                body = {"bid": f"{bidder}{contract}", "level": level, "last": points // 2 % 2}
                if contract != "NT":
                    body |= {f"declared{side}": ["belot"] if side == points % 3 else [] for side in range(3)}
                    body = {name: answer for name, answer in body.items() if seats == 3 or name != "declared2"}
                if seats == 4:
                    body |= {"counted": str(points // 4 % 2), "points": points}
                else:
                    body |= {"counted": "all", "points0": points, "points1": max(0, 150 - points)}
                match.enter(body)
            body = {"bid": f"0{contract}", "level": level, "counted": "v1", "last": 1}
            body |= {f"declared{side}": [] for side in range(3 if seats == 3 else 2) if contract != "NT"}
            body |= {"points1": 150} if seats == 2 else {}
            match.enter(body, with_fields=True)


def test_the_device_folds_entries_as_the_server_does(device):
    """Corrections, deletions, undos, double sends and writers who have not seen each other, in random lists."""
    rng = random.Random(4)
    match = Match(device, "oh-hell", 4, {"game_style": "short-up"})
    setting = Setting(match.scorer, 4, match.options)
    for _ in range(3_000):
        entries = some_entries(rng)
        try:
            ledger = fold(setting, match.names, entries)
            after = {
                "keys": [deal.key for deal in ledger.deals],
                "open": ledger.open and ledger.open.key,
                "last": [deal.last.id for deal in ledger.deals],
                "waiting": [entry.id for entry in ledger.waiting],
                "next": ledger.next_key,
                "ended": ledger.is_ended,
                "dealer": ledger.dealer,
            } | facts(match.scorer, ledger.state)
        except CannotBe as refusal:
            after = {"refusal": str(refusal)}
        device.send(entries=[entry._asdict() for entry in entries], after=after)


def some_entries(rng):
    """Entries of two writers about up to three deals of Oh Hell: hands of one, two and three cards."""
    entries = []
    for number in range(rng.randint(1, 9)):
        ids = [entry.id for entry in entries]
        kind = rng.choice(["result"] * 5 + ["bid", "correct", "delete", "undo", "choose", "finish", "reopen"])
        deal = rng.choice([1000, 1000, 2000, 3000])
        seen = rng.choice([*ids, ""])
        body = {}
        if kind in ("undo", "choose"):
            body = {"entry": rng.choice([*ids, "none"])} | ({"take": rng.random() < 0.5} if kind == "choose" else {})
        elif kind in ("result", "bid", "correct"):
            bids = [1, 1, 0, 0] if rng.random() < 0.9 else [1, 0, 0, 0]
            body = {"trump": "", **{f"bid{seat}": bid for seat, bid in enumerate(bids)}}
            dealer = (deal // 1000 + 2) % 4
            took = {f"took{seat}": int(seat == (dealer + 1) % 4) for seat in range(4) if seat != dealer}
            body |= took if kind != "bid" else {}
        again = rng.choice(ids) if ids and rng.random() < 0.1 else str(number)
        entries.append(
            Entry(again, kind, 0 if kind in ("undo", "finish", "reopen") else deal, body, seen, rng.choice([1, 2]))
        )
    return entries
