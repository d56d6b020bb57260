"""The deal of the day: one for each game, the same for everybody, of a seed that is promised the day before.

The hash of a day's seed can be read from the day before on, the seed itself when the day is over. The seed of a game's
deal is the HMAC-SHA256 under it of the line "valat-day", the date and the game's slug, with single spaces between
them; the deck follows from that as in any match to which no browser gave anything (games.kit.shuffle, scheme 2).
"""

import hmac
from datetime import date, datetime, timedelta
from typing import NamedTuple

from accounts import time_zones
from games.catalog import all_games, get_rules, usual_bot
from games.challenges.challenges import OF_CHALLENGES
from games.challenges.models import Challenge, DailySeed
from games.kit import shuffle

FIRST = 1  # the deal that is played


class Promise(NamedTuple):
    """What may be told of a day. seed: "" until it is over. in_time: whether its hash could be read the day before."""

    date: date
    seed_hash: str
    seed: str
    in_time: bool


def today() -> date:
    """Return the day of the deal that is played now, by the site's clock."""
    return time_zones.site_day()


def next_deal_at() -> datetime:
    """Return when the next deal takes its place."""
    return time_zones.site_start_of(today() + timedelta(days=1))


def keep_promised() -> None:
    """Draw the seeds of today and of tomorrow, where nobody has."""
    wanted = {today(), today() + timedelta(days=1)}
    for day in sorted(wanted - set(DailySeed.objects.filter(date__in=wanted).values_list("date", flat=True))):
        _drawn(day)


def _drawn(day: date) -> DailySeed:
    """The row of a day; of two who draw at once the one that is first has."""
    return DailySeed.objects.get_or_create(date=day)[0]


def promise(day: date) -> Promise | None:
    """What may be told of a day; None of one that nobody has drawn a seed for."""
    row = DailySeed.objects.filter(date=day).first()
    if row is None or day > today() + timedelta(days=1):
        return None
    seed = row.seed if day < today() else ""
    in_time = time_zones.site_day(row.promised_at) < day
    return Promise(day, shuffle.commitment(row.seed), seed, in_time)


def seed_of(seed: str, day: date, game: str) -> str:
    """The seed, in hex, of a game's deal of a day. seed: of the day, hex."""
    return hmac.digest(bytes.fromhex(seed), f"valat-day {day:%Y-%m-%d} {game}".encode(), "sha256").hex()


def deals_of(day: date) -> list[Challenge]:
    """The challenges that are the deals of a day: of today one for each game, else those that were played."""
    made = {each.game: each for each in Challenge.objects.filter(day=day).order_by("pk")}
    if day != today():
        return list(made.values())
    return [made.get(game.slug) or _deal_of(game.slug, day) for game in all_games()]


def _deal_of(game: str, day: date) -> Challenge:
    rules = get_rules(game)
    seats = rules.default_seats
    return Challenge.objects.get_or_create(
        day=day,
        game=game,
        defaults={
            "deal": FIRST,
            "seat": day.toordinal() % seats,
            "bots": [usual_bot(game)] * seats,
            "rules_version": rules.version,
            "options": rules.usual_options(seats, rules.formats[0] if rules.formats else None),
            "shuffle_code": OF_CHALLENGES,
            "seed": seed_of(_drawn(day).seed, day, game),
        },
    )[0]
