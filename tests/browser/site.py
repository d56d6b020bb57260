"""The site in a process of its own, and people at browsers who play there."""

import json
import shutil
import time
from contextlib import suppress
from urllib.parse import urlencode

from playwright.sync_api import TimeoutError as Late
from playwright.sync_api import expect

from tests.browser import axe
from tests.processes import Installation, Interpreter, empty_database

MATCH_LIMIT = 300  # seconds; a match takes a tenth of that where nothing else runs
CLICKS = 8  # moves that a player makes by hand in a match that is played to its end; the others are posted
PASSWORD = "a heron on the felt"
SETTINGS = {
    "PACE": "0.15",  # bots think and results stay so much shorter than for people
    "SOCKETS_A_USER": "90",  # browsers walk from page to page faster than people
}

MY_TURN = '#mine[data-turn="1"]'
LEGAL = f'{MY_TURN} button[form="play"]:not([aria-disabled="true"])'
STATE = """() => ({
    moves: Number(document.getElementById("felt")?.dataset.moves ?? 0),
    turn: document.getElementById("mine")?.dataset.turn === "1",
    ready: Boolean(document.getElementById("ready-button")),
    over: document.querySelector("main").dataset.status === "over",
})"""
DRAWN = "() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))"
POST = """async (legal) => {
    const form = document.getElementById("play");
    const button = document.querySelector(legal); // found here: between two calls the page may be drawn anew
    if (!button) { return; }
    const move = new FormData(form);
    move.append("move", button.value);
    // not the whole page again
    const answer = await fetch(form.action, { method: "POST", body: move, redirect: "manual" });
    if (answer.status >= 400) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        console.error(`${JSON.stringify([...move])}: ${page.getElementById("refusal")?.textContent}`);
    }
    document.querySelector(".ring").click(); // and look at no finished trick
}"""


SIGN_IN = """
import json
from accounts.models import User
from django.test import Client

browser = Client()
browser.force_login(User.objects.create_user("{name}"))
print(json.dumps([{{"name": name, "value": cookie.value}} for name, cookie in browser.cookies.items()]))
"""


FREE_NAMES = """
from accounts.models import User

for user in User.objects.filter(is_guest=False):
    user.username = f"Formerly {user.pk}"
    user.save()
"""


class Site:
    """`manage.py serve`, as a host runs it, on a SQLite file of its own."""

    def __init__(self, folder, **settings):
        database = shutil.copy(empty_database(), folder)
        self._installation = Installation(folder, f"sqlite:///{database}", **SETTINGS | settings)
        self._process = self._installation.serve()
        self.url = self._process.url
        self.kill = self._process.kill
        self.log = self._process.log
        self._interpreter = Interpreter(self._installation)
        self.command = self._interpreter.command

    def start(self):
        self._process.start()
        self._process.wait()

    @property
    def is_running(self):
        return self._process.is_running

    def end(self):
        self.kill()
        self._interpreter.kill()

    def free_names(self):
        """Give all members other names, so that those who come can have any."""
        self.shell(FREE_NAMES)

    def played(self, game, *, seats, **options):
        """The code of a match that bots have played to its end."""
        figures = self.command("selfplay", game, "--seats", str(seats), "--options", json.dumps(options))
        return json.loads(figures)["codes"][0]

    def record(self, code):
        """The record of a match, as its players download it."""
        return json.loads(self.command("export_match", code))

    def shell(self, script):
        """What a few lines of Python print within the site."""
        return self.command("shell", "--verbosity", "0", "-c", script)


def entrances(site, matches):
    """The addresses where a walk over all pages begins. matches: the codes of finished ones, by game."""
    paths = ["/", "/accounts/signup/", "/accounts/login/", "/accounts/settings/", "/no-such-page/"]
    return [site.url + path for path in [*paths, f"/matches/{matches['belot']}/replay/"]]


def cards_of(page):
    """The codes of the cards in the hand that a page shows."""
    return page.locator("#hand [data-card]").evaluate_all("faces => faces.map(face => face.dataset.card)")


class Player:
    """A person at a browser: one page, whose every complaint is noted."""

    def __init__(self, context, site, *, fingers=False, has_scripts=True):
        self.site = site
        self.has_scripts = has_scripts
        self.context = context
        self.fingers = fingers
        self.page = context.new_page()
        self.problems = []
        self.played = 0
        self._note(self.page)

    def _note(self, page):
        page.on("console", self._note_message)  # reports of the content security policy too
        page.on("requestfailed", self._note_failure)
        page.on("pageerror", lambda error: self.problems.append(f"{page.url}: {error}"))
        page.on("response", self._note_response)

    def _note_message(self, message):
        # Where a style sheet is still loading, axe copies it into an inline style. Scripts of tests have no address.
        is_of_axe = message.text.startswith("Applying inline style") and not message.location["url"]
        # Where a page is redrawn, axe may not find its style sheets.
        is_of_axe |= message.text.startswith("Couldn't load preload assets")
        if message.type in ("error", "warning") and not is_of_axe:
            self.problems.append(f"{message.type} on {message.page.url}: {message.text}")

    def _note_failure(self, request):
        is_left = request.failure == "net::ERR_ABORTED"  # the page was left before
        is_script = request.failure == "csp" and not self.has_scripts  # Chromium calls it so where scripts are off.
        if not (is_left or is_script):
            self.problems.append(f"{request.failure} at {request.url}")

    def _note_response(self, response):
        if response.status >= 500:
            self.problems.append(f"{response.status} at {response.url}")

    # Pages

    def open(self, path="/"):
        self.page.goto(f"{self.site.url}{path}")

    def links(self):
        """The addresses that links of the page lead to."""
        return self.page.evaluate("[...document.links].map(link => link.href)")

    def second_tab(self):
        """Another page of the same browser."""
        tab = self.context.new_page()
        self._note(tab)
        tab.goto(self.page.url)
        return tab

    def sign_in(self, name):
        """Be a new member of that name, without the pages that lead there."""
        cookies = json.loads(self.site.shell(SIGN_IN.format(name=name)))
        self.context.add_cookies([cookie | {"url": self.site.url} for cookie in cookies])

    def open_confirmed(self, address):
        """Open a page, with the password where it is asked for once more."""
        self.page.goto(address)
        if "/reauthenticate/" in self.page.url:
            self.confirm()

    def confirm(self, password=PASSWORD):
        """Give the password on the page that asks whether it is you."""
        form = self.page.locator("main form")
        form.get_by_label("Password", exact=True).fill(password)
        form.get_by_role("button", name="Continue").click()
        self.page.wait_for_url(lambda url: "/reauthenticate/" not in url)

    def sign_up(self, name, password=PASSWORD):
        self.open("/accounts/signup/")
        form = self.page.locator("main form, #content form").first
        form.get_by_label("Name", exact=True).fill(name)
        form.get_by_label("Password", exact=True).fill(password)
        form.get_by_role("button", name="Sign up").click()
        self.page.get_by_text(name).first.wait_for()

    @property
    def code(self):
        """The code of the match whose page this is."""
        return self.page.locator("main[data-match]").get_attribute("data-match")

    def open_table(self, game="oh-hell", *, seats=4, bots=0, speed="untimed", listed="yes", **options):
        """Open a table by a link to its form, which says all that is chosen there. Returns the code of the match.

        If nothing else is asked it is a short one of Oh Hell.
        """
        if game == "oh-hell":
            options = {"game_style": "short-up"} | options
        asked = {"game": game, "seats": seats, "bots": bots, "speed": speed, "listed": listed}
        asked |= {f"option_{name}": value for name, value in options.items()}
        self.open(f"/tables/new/?{urlencode(asked)}")
        self.page.get_by_role("button", name="Open the table").click()
        return self.code

    def at_table(self, **options):
        """Open a table against two bots, and wait until the scripts run at a hand of ten cards. Returns this player."""
        self.open_table(**{"seats": 3, "bots": 2, "game_style": "short-down"} | options)
        self.wait_for_scripts()
        if self.fingers:
            self.wait_for_next_tap()
        return self

    def prefer(self, **settings):
        """Choose preferences in the menu of the table: taps="one"."""
        menu = self.page.locator("#match-menu > summary")
        for name, value in settings.items():
            field = self.page.locator(f"#match-menu [data-setting={name}]")
            while not field.is_visible():  # once more, if the frame that began the match has closed the menu
                menu.click()
                with suppress(Late):
                    field.select_option(value, timeout=2000)
            field.select_option(value)
        menu.click()

    def is_accessible(self):
        """No serious violation of accessibility on this page, once what moves or fades has come to its end."""
        found = axe.violations(self.page, impacts=("serious", "critical"))
        if found:  # perhaps only because the page was redrawn while axe looked, and half faded
            found = axe.violations(self.page, impacts=("serious", "critical"))
        assert not found, "\n".join(found)

    def fits(self):
        """Whether the page is no wider than its window. `innerWidth` would not tell: a phone's grows with the page."""
        return self.page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")

    def shows_what_the_address_says(self):
        """The position of a replay, which scripts have stepped to, is that which the server shows at its address."""
        tab = self.second_tab()
        expect(self.page.locator("#sentence")).to_have_text(tab.locator("#sentence").text_content())
        tab.close()

    # The table

    @property
    def moves(self):
        """How many moves the table on the page stands for; 0 before the match."""
        return self.state()["moves"]

    def state(self):
        """What the page shows, in one look: {"moves", "turn", "ready", "over"}."""
        return self.page.evaluate(STATE)

    @property
    def legal(self):
        """The buttons of the moves that may be made now."""
        return self.page.locator(LEGAL)

    @property
    def cards(self):
        """The codes of the cards in hand."""
        return cards_of(self.page)

    def wait_for_scripts(self):
        """Until the table is there and its scripts run: one of the first things they do is to order the tab stops."""
        self.page.locator("#hand [tabindex='0']").wait_for()

    def open_replay(self, code, query=""):
        """Open a replay and wait until its scripts run. Returns the page."""
        self.open(f"/matches/{code}/replay/{query}")
        self.wait_for_replay()
        return self.page

    def wait_for_replay(self):
        """Until the replay is there and its scripts run: the last thing they do is to show what they need."""
        self.page.locator("#play").wait_for()

    def wait_until_drawn(self):
        """Until the page has drawn what has come to it."""
        self.page.evaluate(DRAWN)

    def wait_until_at_rest(self):
        """Until nothing on the page moves or fades any more."""
        self.wait_until_drawn()
        self.page.evaluate(axe.AT_REST)

    def wait_for_next_tap(self):
        """Until a tap or a key counts again: static/match/intent.js, static/site/guard.js."""
        self.wait_for_clock(620)

    def wait_for_clock(self, milliseconds):
        """Until the page's own clock, by which its scripts measure, has gone on so far."""
        end = self.page.evaluate("performance.now()") + milliseconds
        self.page.wait_for_function("(end) => performance.now() > end", arg=end)

    def wait_for_turn(self, timeout=60_000):  # a table that got lost is asked for after 30 seconds of silence
        self.page.locator(MY_TURN).wait_for(state="attached", timeout=timeout)

    def wait_for_moves_after(self, moves, timeout=10_000):
        """Until the page shows a table with more moves than that."""
        self.page.locator(f"#felt:not([data-moves='{moves}'])").wait_for(state="attached", timeout=timeout)

    def press(self, button, timeout=20_000):
        """Click, or tap with a finger, which what has just come ignores."""
        if self.fingers:
            self.wait_for_next_tap()
            button.tap(timeout=timeout)
        else:
            button.click(timeout=timeout)

    def play(self, pick=None):
        """Make a legal move, if it is this player's turn. Returns whether it was.

        pick: a function that chooses one of the buttons in `legal`, to be pressed; without it the first one is, or
        what it stands for is posted once this player has pressed CLICKS of them.
        """
        state = self.state()
        if not state["turn"]:
            return False
        self.played += 1
        for _ in range(20):
            try:
                if self.played > CLICKS and not pick:
                    self.page.evaluate(POST, LEGAL)
                else:
                    self.press(pick(self) if pick else self.legal.first, timeout=2000)
                self.wait_for_moves_after(state["moves"], timeout=650)  # within half a second a tap would not count
            except Late:
                if self.moves == state["moves"]:
                    continue
            return True
        raise AssertionError(f"Nothing can be played: {self.page.locator('#refusal').text_content()}")

    def go_on(self, pick=None):
        """Play as `pick` says, or ask for the next deal, if that can be done now. Returns whether the match is over."""
        state = self.state()
        if state["turn"]:
            self.play(pick)
        elif state["ready"]:
            with suppress(Late):  # it goes by itself after a while
                self.press(self.page.locator("#ready-button"), timeout=2000)
                self.page.locator("#ready-button").wait_for(state="detached", timeout=700)  # dead for 600 ms
        return state["over"]


def at_one_table(host, *others, bots=0, **options):
    """Seat these players, and bots, at a table of the host's. Returns the match's code."""
    code = host.open_table(seats=1 + len(others) + bots, bots=bots, **options)
    for player in others:
        player.open(f"/matches/{code}/")
        player.press(player.page.locator("#sit-button").first)
    host.page.locator("#mine").wait_for()
    return code


def befriend(one, other, names):
    """Make friends of two players who have these names."""
    one.open(f"/players/{names[1]}/")
    one.page.get_by_role("button", name="Add friend").click()
    other.open("/friends/")
    other.page.get_by_role("button", name="Accept").click()
    expect(other.page.get_by_text(f"{names[0]} is your friend now.")).to_be_visible()


def sit_down_together(host, guest, game="oh-hell", **table):
    """The host opens a table, the guest finds it in the lobby, bots take the other seats. Returns the match's code."""
    guest.open("/")
    guest.is_accessible()
    code = host.open_table(game, **table)
    # It came by itself. By a script, because other tables may come and go under the finger.
    guest.page.locator(f"#table-{code} a").evaluate("(link) => link.click()")
    guest.page.wait_for_url(f"**/matches/{code}/")
    guest.press(guest.page.get_by_role("button", name="Join").first)
    host.page.locator("#table .name, #table li", has_text="Boris").first.wait_for()  # so did he
    host.is_accessible()
    host.page.get_by_role("button", name="Start with bots").click()
    return code


def play_to_the_end(*players):
    for player in players:
        player.page.locator("#hand").wait_for()
        player.is_accessible()
        player.prefer(hold="fast", taps="one")
        player.page.locator("#bar-sheet").click()
        player.page.locator("dialog#sheet[open] table").wait_for()
        player.is_accessible()
        player.page.keyboard.press("Escape")
    finish(*players)


def finish(*players, pick=None, look=None):
    """Play on, as `pick` says, until the match is over. look: called at each step."""
    for player in players:
        player.wait_for_scripts()
    deadline = time.monotonic() + MATCH_LIMIT
    while [player.go_on(pick) for player in players].count(True) < len(players):
        assert time.monotonic() < deadline, f"Not over after {[player.moves for player in players]} moves."
        if look:
            look()
        players[0].wait_until_drawn()
    for player in players:  # The result has just come: see static/site/guard.js.
        player.wait_for_next_tap()
