"""A bot for Valat that plays any of its games, badly.

pip install websockets
python example_bot.py wss://valat.example/ws/bot/ TOKEN
"""

import json
import random
import sys
import time

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

UNKNOWN_TOKEN = 4401


def choose(game, view, moves):
    """One of `moves`. game: "oh-hell", say. view: what the bot may see, as the rules page of the game says."""
    return random.choice(moves)


def play(url, token):
    """Answer every question until the connection ends."""
    with connect(url, additional_headers={"Authorization": f"Bearer {token}"}) as site:
        print("Connected.")
        for message in map(json.loads, site):
            if "refused" in message:
                print("Refused:", message["refused"])
            else:
                move = choose(message["game"], message["view"], message["moves"])
                site.send(json.dumps({"match": message["match"], "seen": message["seen"], "move": move}))


def main(url, token):
    while True:
        try:
            play(url, token)
        except (OSError, ConnectionClosed, InvalidStatus) as error:
            print("No connection:", error)
            if isinstance(error, ConnectionClosed) and error.rcvd and error.rcvd.code == UNKNOWN_TOKEN:
                sys.exit("This token is not known there.")
        time.sleep(5)  # then try again


if __name__ == "__main__":
    main(*sys.argv[1:])
