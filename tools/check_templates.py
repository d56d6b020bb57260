"""Compile every template, and check that the templates, static files and icons in it exist.

.venv/bin/python tools/check_templates.py
"""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMES = re.compile(r"""{% (include|extends|static) ["']([^"']+)["'](?: with name="([\w-]+)" %})?""")


def faults() -> Iterator[str]:
    """Yield a sentence for each template, static file or icon that is missing. Raises TemplateSyntaxError."""
    from django.contrib.staticfiles.finders import find
    from django.template.loader import get_template

    icons = Path(find("img/icons.svg")).read_text()
    for path in sorted((ROOT / "templates").rglob("*.html")):
        get_template(str(path.relative_to(ROOT / "templates")))
        for kind, name, icon in NAMES.findall(path.read_text()):
            if kind == "static" and not find(name):
                yield f"{path}: {name} is missing"
            elif kind != "static":
                get_template(name)
            if name == "site/icon.html" and icon and f'id="{icon}"' not in icons:
                yield f"{path}: icons.svg has no {icon}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.path.insert(0, str(ROOT))
    import django

    django.setup()
    raise SystemExit("\n".join(faults()) or None)
