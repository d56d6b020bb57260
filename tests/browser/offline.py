"""What tests of tallies without a network share: scripts for pages in any browser, and questions to the site.

The network is away while the site does not run: its port then answers nobody.
"""

import json

LIMIT = 60  # seconds until a page has noticed that the site is back

CONTROLLED = """async () => {
    if (navigator.serviceWorker.controller) return;
    await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}"""
ROWS = """async () => {
    const database = await new Promise((done) => {
        indexedDB.open("valat.tallies").addEventListener("success", ({ target }) => done(target.result));
    });
    const count = (store) => new Promise((done) => {
        const request = database.transaction(store).objectStore(store).count();
        request.addEventListener("success", () => done(request.result));
    });
    const rows = [await count("tallies"), await count("entries")];
    database.close();
    return rows;
}"""
DEALS = """
from games.tallies.keeping import ledger_of
from games.tallies.models import Tally

for tally in Tally.objects.filter(keeper__username="{name}"):
    print(len(ledger_of(tally)[1].deals), tally.entries.count())
"""
POINTS = """
from games.tallies.keeping import ledger_of
from games.tallies.models import Tally

print([deal.body.get("points") for deal in ledger_of(Tally.objects.get(keeper__username="{name}"))[1].deals])
"""
WHEN = """
    const when = (find) => new Promise((done, fail) => {
        const observer = new MutationObserver(() => look());
        const limit = setTimeout(() => fail(`After a minute still not: ${find}`), 60_000);
        const look = () => find() && (observer.disconnect(), clearTimeout(limit), done(find()));
        observer.observe(document.documentElement, { subtree: true, childList: true, attributes: true });
        look();
    });
    const $ = (selector) => document.querySelector(selector);
    const rows = () => document.querySelectorAll("#tally-sheet tbody tr").length;
    const totals = () => [...document.querySelectorAll(".standing b")].map((each) => each.textContent).join(" ");
    const says = (words) => when(() => $("main").textContent.includes(words));
    const scored = (number) => when(() => rows() === number);
    const choose = async (name, value) => {
        (await when(() => $(`[name="${name}"][value="${value}"]`))).click();
        await when(() => $(`[name="${name}"][value="${value}"]`).checked);
    };
    const press = async (words) => {
        const isIt = (button) => button.ariaLabel === words || button.textContent.trim() === words;
        (await when(() => [...document.querySelectorAll("main button")].find(isIt))).click();
    };
    const begin = async (game, options = {}) => {
        location.hash = "#new";
        (await when(() => $("#new-game"))).value = game;
        $("#new-game").dispatchEvent(new Event("change", { bubbles: true }));
        [..."ABCD"].forEach((name, seat) => ($(`#name${seat}`).value = name));
        for (const [name, value] of Object.entries(options)) $(`[name=option_${name}]`).value = value;
        $("main form .primary").click();
        await when(() => $("#tally-entry"));
    };
    // A hand of Oh Hell: the tricks of the dealer follow from the others.
    const fill = async (bids, tricks) => {
        for (const [seat, bid] of bids.entries()) await choose(`bid${seat}`, bid);
        for (const [seat, count] of Object.entries(tricks)) await choose(`took${seat}`, count);
    };
    const enterFirst = async () => {
        await fill([1, 0, 0, 1], { 0: 1, 1: 0, 2: 0 });
        await press("Save");
        await scored(1);
    };
    // Deals of Belot
    const pass = async (number) => {
        await choose("bid", "pass");
        await press("Save");
        await scored(number);
    };
    const end = (points, last) => {
        $("#entry-points").value = points;
        $(`.ends [name="last"][value="${last}"]`).click();
    };
    const play = async (number, points = 60) => {
        await choose("bid", "0H");
        end(points, 0);
        await scored(number);
    };
"""
BEGIN_AND_ENTER = """
    await begin("oh-hell", { game_style: "short-up" });
    await enterFirst();
    return totals();
"""
# On the list, and on a tally
LIST_SENT = "await when(() => $('main li a') && !$('main li .badge') && !$('#sending').textContent);"
SENT = "await when(() => $(`main a.quiet[href^='/tallies/']:not([href*='offline'])`));"


def run(browser, script):
    """What a script returns on the page of a browser: a string, a number or a truth value."""
    return browser.evaluate(f"(async () => {{ {WHEN} {script} }})()")


def rows_of(browser):
    """The number of tallies that a device keeps, and of entries that it has not sent."""
    return json.loads(browser.evaluate(f"({ROWS})().then(JSON.stringify)"))


def deals_of(site, name):
    """The number of deals and of entries of each tally of a member, as the site counts them."""
    return [tuple(map(int, line.split())) for line in site.shell(DEALS.format(name=name)).splitlines()]
