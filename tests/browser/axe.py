"""What axe finds on a page that would keep people out."""

from axe_playwright_python.sync_playwright import Axe

IMPACTS = ("minor", "moderate", "serious", "critical")
# A colour that fades is no contrast to measure. What is repeated for ever has no end to wait for.
AT_REST = """() => Promise.all(
    document.getAnimations()
        .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
        .map((each) => each.finished.catch(() => {})))"""


def violations(page, impacts=IMPACTS, **options):
    """What axe finds on a page, in its theme, once what moves or fades has come to its end. options: of axe."""
    page.evaluate(AT_REST)
    return [
        f"{violation['id']} at {page.url}: {node['html'][:160]}"
        for violation in Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
        if violation["impact"] in impacts
        for node in violation["nodes"]
    ]


def violations_in_both_themes(page):
    """The same, in either theme; the dark one differs in its colours alone."""
    found = []
    for theme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.evaluate("theme => document.documentElement.setAttribute('data-theme', theme)", theme)
        found += [f"{theme}: {each}" for each in violations(page, **options)]
    return found
