"""Recorded matches as text."""

import json


def record_of(name, seats, options, moves, match):
    """The record of a match at the game called `name` that its plain implementation has played."""
    slug = name.lower().replace(" ", "-")
    return {
        "game": slug,
        "rules_version": 1,
        "seats": seats,
        "options": options,
        "worked_out_by": f"tests/{slug.replace('-', '_')}/plain.py, from the rules page of {name}",
        "moves": moves,
        "score_sheet": match.score_sheet(),
        "standings": match.standings(),
    }


def written(record):
    """The record as JSON text with a line for each move and each row of the sheet."""
    sheet = record["score_sheet"]
    rows = next(key for key in ("hands", "rounds", "rows", "deals") if isinstance(sheet.get(key), list))
    texts = {key: json.dumps(value) for key, value in record.items()}
    texts |= {key: _lines(record[key]) for key in ("moves", "standings")}
    texts["score_sheet"] = json.dumps(sheet | {rows: "ROWS"}).replace('"ROWS"', _lines(sheet[rows]))
    return "{\n  " + ",\n  ".join(f'"{key}": {text}' for key, text in texts.items()) + "\n}\n"


def _lines(items):
    return "[\n    " + ",\n    ".join(map(json.dumps, items)) + "\n  ]"
