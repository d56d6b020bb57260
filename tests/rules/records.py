"""Recorded matches as text."""

import json


def written(record, rows):
    """The record as JSON text with a line for each move and each row of the sheet, which are under the key `rows`."""

    def lines(items):
        return "[\n    " + ",\n    ".join(map(json.dumps, items)) + "\n  ]"

    sheet = record["score_sheet"]
    texts = {key: json.dumps(value) for key, value in record.items()}
    texts |= {"moves": lines(record["moves"]), "standings": lines(record["standings"])}
    texts["score_sheet"] = json.dumps(sheet | {rows: "ROWS"}).replace('"ROWS"', lines(sheet[rows]))
    return "{\n  " + ",\n  ".join(f'"{key}": {text}' for key, text in texts.items()) + "\n}\n"
