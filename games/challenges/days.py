"""The deal of the day: one for each game and the same for everybody. Its seed is promised the day before.

The hash of a day's seed is public from the day before, the seed itself when the day is over. The seed of a game's
deal is the HMAC-SHA256 under it of the line "valat-day", the date and the game's slug, with single spaces between
them. The deck follows from it as in a match without entropy from browsers (games.kit.shuffle, scheme 2).
"""

import hmac
from datetime import date, datetime, timedelta
from typing import NamedTuple

from accounts import time_zones
from games.catalog import all_games, get_rules, usual_bot
from games.challenges.challenges import SHARED_SHUFFLES
from games.challenges.models import Challenge, DailySeed
from games.kit import shuffle

FIRST_DEAL = 1  # The number of the deal to play.


class Promise(NamedTuple):
    """The public facts of a day. seed: "" until the day is over. in_time: whether the hash was public before it."""

    date: date
    seed_hash: str
    seed: str
    in_time: bool


def today() -> date:
    """Return the day of the deal that is played now, by the site's clock."""
    return time_zones.site_day()


def next_deal_at() -> datetime:
    """Return when the next deal of the day begins: at midnight by the site's clock."""
    return time_zones.site_start_of(today() + timedelta(days=1))


def create_missing_seeds() -> None:
    """Create the secret seeds of today and tomorrow if they are missing. The cards of a day follow from its seed.

    We publish the hash of a seed a day before, so that we can't change the seed later: we need tomorrow's seed today.
    """
    days = {today(), today() + timedelta(days=1)}
    for day in sorted(days - set(DailySeed.objects.filter(date__in=days).values_list("date", flat=True))):
        _seed_row(day)


def _seed_row(day: date) -> DailySeed:
    """Return the row of that day, creating it if needed. Of two concurrent creators the first wins."""
    return DailySeed.objects.get_or_create(date=day)[0]


def promise(day: date) -> Promise | None:
    """Return what is public about the seed from which a day's cards follow, or None if nothing is public yet.

    Its hash is public from the day before, the seed itself when the day is over. Then everybody can compute the hash
    from the seed, and so check that we have not chosen the cards during the day.
    """
    row = DailySeed.objects.filter(date=day).first()
    tomorrow = today() + timedelta(days=1)
    if row is None or day > tomorrow:
        return None
    seed = row.seed if day < today() else ""  # While the deal is played, the seed would reveal all cards.
    in_time = time_zones.site_day(row.promised_at) < day
    return Promise(day, shuffle.commitment(row.seed), seed, in_time)


def game_seed(seed: str, day: date, game: str) -> str:
    """Return the seed from which the cards of a game's deal of the day follow. seed: the secret seed of that day.

    Each game has another seed, so that the cards of one do not reveal the cards of another. Both seeds are in hex.
    game: its slug.
    """
    return hmac.digest(bytes.fromhex(seed), f"valat-day {day:%Y-%m-%d} {game}".encode(), "sha256").hex()


def deals_of(day: date) -> list[Challenge]:
    """Return the deals of a day as challenges: cards that everybody plays from the same seat.

    For today, create the deals that are missing, one for each game. Other days have only the existing ones.
    """
    challenges = {challenge.game: challenge for challenge in Challenge.objects.filter(day=day).order_by("pk")}
    if day != today():
        return list(challenges.values())
    return [challenges.get(game.slug) or _challenge_of(game.slug, day) for game in all_games()]


def _challenge_of(game: str, day: date) -> Challenge:
    """Return the deal of the day of a game, and create it if there is none: the usual options and the usual bots.

    game: its slug.
    """
    rules = get_rules(game)
    seats = rules.default_seats
    return Challenge.objects.get_or_create(
        day=day,
        game=game,
        defaults={
            "deal": FIRST_DEAL,
            "seat": day.toordinal() % seats,  # The next seat each day.
            "bots": [usual_bot(game)] * seats,
            "rules_version": rules.version,
            "options": rules.usual_options(seats, rules.formats[0] if rules.formats else None),
            "shuffle_code": SHARED_SHUFFLES,
            "seed": game_seed(_seed_row(day).seed, day, game),
        },
    )[0]
