"""People who play on while the site is broken around them, and a ledger of everything the site has told them.

They do what browsers do: pages and forms by HTTP, sockets that connect again, at whichever process is there. What may
be played they read out of the frames.
"""

import asyncio
import json
import random
import re
from collections import Counter, defaultdict
from contextlib import asynccontextmanager, suppress

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

ANSWER_LIMIT = 8  # seconds without an answer, until a browser gives a socket up: see static/match/link.js
SILENCE_LIMIT = 30  # seconds without a word, until it asks for the table
TRY_AGAIN_AFTER = 0.1  # seconds

LOST = (OSError, TimeoutError, WebSocketException, httpx.TransportError)

BUTTON = re.compile(r"""<button form="play" name="move" value='([^']*)'([^>]*)>""")
CARD = re.compile(r'data-card="(\w+)"')


class Table:
    """What a frame shows."""

    def __init__(self, html):
        self.html = html
        self.moves = self._number("moves")
        self.viewer = self._number("viewer")
        self.is_over = 'data-status="over"' in html
        self.is_last = self.is_over or 'data-status="closed"' in html
        self.is_my_turn = 'data-turn="1"' in html
        self.asks_whether_ready = 'id="ready-button"' in html
        self.bot_plays_for_me = 'id="resume-button"' in html

    def _number(self, name):
        found = re.search(rf'data-{name}="(\d+)"', self.html)
        return int(found[1]) if found else None

    @property
    def legal(self):
        """Moves that may be made, as JSON: calls before cards, none for which a number has to be chosen."""
        moves = [value for value, attributes in BUTTON.findall(self.html) if "aria-disabled" not in attributes]
        moves = [move for move in moves if '"field"' not in move]
        return [move for move in moves if '"play"' not in move] or moves

    @property
    def cards(self):
        return CARD.findall(self.html)


class Ledger:
    """What the site has acknowledged, and what it must therefore still know when all is over."""

    def __init__(self):
        self.tables = set()  # codes
        self.timed = set()  # codes of those at which a bot may move for a player
        self.shown = defaultdict(int)  # code -> the most moves that a frame stood for
        self.asked = defaultdict(set)  # (code, index) -> moves that a player wanted to be the one with that index
        self.accepted = {}  # (code, index) -> the move that a form post was told is played
        self.finished = set()  # codes
        self.frames = 0
        self.answers = Counter()  # to requests of pages and forms, by status
        self.unanswered = 0
        self.refusals = set()  # sentences
        self.silences = 0  # messages that had no answer for ANSWER_LIMIT
        self.contradictions = []
        self._cards = {}

    def note_table(self, code, table):
        """A page was shown a table."""
        self.frames += 1
        if table.moves is None:
            return
        self.shown[code] = max(self.shown[code], table.moves)
        if table.is_over:
            self.finished.add(code)
        before = self._cards.setdefault((code, table.moves, table.viewer), table.cards)
        if before != table.cards:
            self.contradictions.append(f"{code} after {table.moves} moves to seat {table.viewer}")

    @property
    def acknowledged(self):
        """(code, index) -> the moves one of which must be stored there: those that a later table has confirmed."""
        confirmed = {key: moves for key, moves in self.asked.items() if key[1] < self.shown[key[0]]}
        return confirmed | {key: {move} for key, move in self.accepted.items()}

    def counts(self):
        """How much has been noted."""
        return {
            "tables": len(self.tables),
            "finished": len(self.finished),
            "acknowledged": len(self.acknowledged),
            "frames": self.frames,
            "unanswered": self.silences,
        }

    def lost(self, stored, codes):
        """What the site has forgotten.

        stored: code -> [(seat, move, actor)] of all moves, in order. codes: of all tables.
        """
        lost = [f"table {code}" for code in sorted(self.tables - codes)]
        for code, moves in self.shown.items():
            if len(stored.get(code, ())) < moves:
                lost.append(f"{code}: {moves} moves were shown, {len(stored.get(code, ()))} are stored")
        for (code, index), asked in self.acknowledged.items():
            moves = stored.get(code, ())
            if index >= len(moves):
                lost.append(f"{code}: move {index}, {asked}")
            elif moves[index][2] != "player" and code in self.timed and (code, index) not in self.accepted:
                continue
            elif json.dumps(moves[index][1], sort_keys=True) not in {_sorted(move) for move in asked}:
                lost.append(f"{code}: move {index} is {moves[index]}, asked for was {asked}")
        return lost


def _sorted(move):
    return json.dumps(json.loads(move), sort_keys=True)


class Player:
    """Somebody with a browser: cookies, and as many pages as they like, each at any of the web processes."""

    def __init__(self, webs, ledger, rng=None):
        self.webs = webs
        self.ledger = ledger
        self.rng = rng or random.Random()
        self.thinks_for = 0.0  # seconds, before each move
        address = ".".join(str(self.rng.randrange(1, 255)) for _ in range(4))
        self.headers = {"X-Forwarded-For": address}  # their own, for limits count by address
        # A new connection for each request: one that is kept may be closed at the moment of the next.
        limits = httpx.Limits(max_keepalive_connections=0)
        self.client = httpx.AsyncClient(timeout=30, headers=self.headers, limits=limits)

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_):
        await self.client.aclose()

    def any_web(self):
        return self.rng.choice([web for web in self.webs if web.is_running] or self.webs)

    # Pages and forms

    async def get(self, path="/", web=None):
        return await self._ask("GET", f"{(web or self.any_web()).url}{path}")

    async def post(self, path, web=None, **fields):
        """Send a form, with the token that the page before it gave."""
        web = web or self.any_web()
        if "csrftoken" not in self.client.cookies:
            await self.get("/rules/", web)
            await self.get("/", web)
        headers = {"X-CSRFToken": self.client.cookies.get("csrftoken", ""), "Referer": f"{web.url}/"}
        return await self._ask("POST", f"{web.url}{path}", data=fields, headers=headers)

    async def _ask(self, method, address, **options):
        try:
            response = await self.client.request(method, address, **options)
        except httpx.TransportError:
            self.ledger.unanswered += 1
            raise
        self.ledger.answers[response.status_code] += 1
        return response

    async def _persist(self, request, *arguments, **fields):
        """What `request` answers, asked again until a process does so with less than 500. A 4xx or 429 is an answer."""
        while True:
            try:
                response = await request(*arguments, **fields)
            except LOST:
                pass
            else:
                if response.status_code < 500:
                    return response
            await asyncio.sleep(TRY_AGAIN_AFTER)

    async def open_table(self, game="oh-hell", *, seats=4, bots=0, speed="untimed", **options):
        """Open a table by its form. Returns its code."""
        usual = {"oh-hell": {"game_style": "short-up"}}.get(game, {})
        form = await self._persist(self.get, f"/tables/new/?game={game}")
        fields = _defaults(form.text)
        fields |= {f"option_{name}": value for name, value in (usual | options).items()}
        fields |= {"seats": seats, "bots": bots, "speed": speed, "listed": "no"}
        response = await self._persist(self.post, f"/tables/new/?game={game}", **fields)
        return self._opened(response)

    async def arrive(self):
        """Become a guest, who is the same on all pages from then on: by playing, as everybody does."""
        return await self.quick_play()

    async def quick_play(self, game="oh-hell"):
        return self._opened(await self._persist(self.post, f"/play/{game}/"))

    def _opened(self, response):
        assert response.status_code == 302, (response.status_code, response.text[-2000:])
        code = response.headers["location"].strip("/").split("/")[-1]
        self.ledger.tables.add(code)
        return code

    async def sit_down(self, code):
        """Returns whether there was a seat: whose first answer got lost may be somebody else by the second."""
        return (await self._persist(self.post, f"/matches/{code}/sit/")).status_code == 302

    # Sockets

    @asynccontextmanager
    async def socket(self, code, web=None):
        """A socket of this player's at a match."""
        web = web or self.any_web()
        cookies = "; ".join(f"{name}={value}" for name, value in self.client.cookies.items())
        async with connect(
            f"{web.url.replace('http', 'ws')}/ws/matches/{code}/",
            additional_headers={"Cookie": cookies, **self.headers},
            origin=web.url,
            open_timeout=ANSWER_LIMIT,
            close_timeout=1,
            max_queue=None,
        ) as socket:
            yield Page(self, code, web, socket)

    async def play(self, code, *, web=None, by_form=0.0):
        """Play at random at a match to its end: connect again whenever the socket is lost.

        web: the process to connect to. by_form: the share of moves that are posted by a form.
        """
        while True:
            try:
                async with self.socket(code, web) as page:
                    await page.play(by_form)
                    return
            except LOST:
                await asyncio.sleep(TRY_AGAIN_AFTER)


class Page:
    """A socket at a match, and the table that it has shown last."""

    def __init__(self, player, code, web, socket):
        self.player = player
        self.ledger = player.ledger
        self.code = code
        self.web = web
        self.table = None
        self._socket = socket

    async def receive(self, limit=SILENCE_LIMIT):
        """The next that comes down: a Table, or the dict of a message. Raises TimeoutError."""
        text = await asyncio.wait_for(self._socket.recv(), limit)
        if text.startswith("{"):
            message = json.loads(text)
            if "refused" not in message:  # talk, or how many tables wait for the player
                return await self.receive(limit)
            self.ledger.refusals.add(message["refused"])
            return message
        self.table = Table(text)
        self.ledger.note_table(self.code, self.table)
        return self.table

    async def send(self, **message):
        await self._socket.send(json.dumps(message))

    async def drain(self):
        """Take in what has come already."""
        with suppress(TimeoutError):
            while True:
                await self.receive(0.05)

    async def ask_to_play(self, by_form=0.0):
        """Send one of the moves that may be made now, as the table shows; by_form: how likely as a form."""
        place, move = (self.code, self.table.moves), self.player.rng.choice(self.table.legal)
        self.ledger.asked[place].add(move)
        if self.player.rng.random() >= by_form:
            await self.send(move=move, seen=str(self.table.moves))
            return
        response = await self.player.post(f"/matches/{self.code}/move/", move=move, seen=self.table.moves)
        if response.headers.get("location", "").startswith("/matches/"):
            self.ledger.accepted[place] = move

    async def table_with(self, question, limit=10):
        """The next table, this one included, for which `question` is true. Raises TimeoutError."""
        async with asyncio.timeout(limit):
            while self.table is None or not question(self.table):
                await self.receive(limit)
        return self.table

    async def play(self, by_form=0.0):
        """Play on until the match is over or closed. Raises one of LOST where the socket is, or does not answer."""
        is_asked = True  # whether an answer is due: the first table is
        while not (self.table and self.table.is_last):
            try:
                heard = await self.receive(ANSWER_LIMIT if is_asked else SILENCE_LIMIT)
            except TimeoutError:
                if is_asked:
                    self.ledger.silences += 1
                    raise
                heard = None
            if isinstance(heard, Table):
                is_asked = await self._act(by_form)
            else:
                await asyncio.sleep(TRY_AGAIN_AFTER)
                await self.send(sync=1)
                is_asked = True

    async def _act(self, by_form):
        """Do what the table asks for, if anything. Returns whether an answer will come."""
        if self.table.is_my_turn and self.table.legal:
            await asyncio.sleep(self.player.thinks_for)
            await self.ask_to_play(by_form)
        elif self.table.asks_whether_ready:
            await self.send(ready="1")
        elif self.table.bot_plays_for_me:
            await self.send(resume="1")
        else:
            return False
        return True


def _defaults(form):
    """The fields of a page's form as they stand: hidden ones, and what is chosen."""
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form))
    for name, value in re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)"[^>]* checked', form):
        fields[name] = value
    for name, inside in re.findall(r'<select name="(\w+)"[^>]*>(.*?)</select>', form, re.DOTALL):
        if chosen := re.search(r'<option value="([^"]*)" selected', inside):
            fields[name] = chosen[1]
    return fields
