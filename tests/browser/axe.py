"""What axe finds on a page that would keep people out."""

from axe_playwright_python.sync_playwright import Axe


def violations(page, **options):
    """What axe finds on a page, of any weight, in its theme. options: of axe."""
    return [
        f"{violation['id']} at {page.url}: {node['html'][:160]}"
        for violation in Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
        for node in violation["nodes"]
    ]


def violations_in_both_themes(page):
    """The same, in either theme; the dark one differs in its colours alone."""
    found = []
    for theme, options in (("light", {}), ("dark", {"runOnly": ["color-contrast"]})):
        page.evaluate("theme => document.documentElement.setAttribute('data-theme', theme)", theme)
        found += [f"{theme}: {each}" for each in violations(page, **options)]
    return found
