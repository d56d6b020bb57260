"""What docs/hosting.md says of settings is what there is."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HOSTING = (ROOT / "docs" / "hosting.md").read_text()


def test_every_setting_is_listed():
    asked = {name for path in ROOT.glob("config/*.py") for name in re.findall(r'env\.\w+\("(\w+)"', path.read_text())}
    listed = set(re.findall(r"`(\w+)`", "".join(re.findall(r"^\| `.*? \|", HOSTING, re.MULTILINE))))

    assert asked - listed == set()
