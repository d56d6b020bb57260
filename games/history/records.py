"""The record of a match as one JSON document: made of a stored match, and read into a new one.

Version 1 of the format "valat-match" has these keys: "format", "version", "code", "game", "rules_version", "seats",
"options", "speed", "status", "started_at", "ended_at" (ISO 8601), "players" (by seat: "seat", "name", "kind", "bot",
"left", "entropy_hash", "entropy", "place_taken"), "moves" (in order: "index", "seat" or null for a shuffle, "move",
"actor", "at"), "rated" (true; missing where it was not, and not read), "aside" ("variation" or "challenge"; missing
where the match counts; records with it are not read), "hints" ("index", "seat"; missing where none were taken),
"claims" ("index", "moves", "seat", "kind", "tricks"; missing where none was accepted), "talk" ("after" so many moves,
"seat" or null, "name", "phrase", "words", "at"; missing where nothing was said, and not read), what is stored elsewhere
and was registered here (as "comments"; missing where there is nothing, and not read), "score_sheet", "standings" and
"shuffle" ("scheme", "code", "seed", "seed_hash").
"""

from collections.abc import Callable
from datetime import UTC, timedelta
from itertools import pairwise

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.catalog import CHANCE, YARDSTICK, IllegalMove, InvalidOptions, UnknownGame, get_rules
from games.chat.reading import heard
from games.history.claims import accepted
from games.kit import shuffle
from games.kit.claims import KINDS
from games.models import DEFAULT_SPEED, Claim, Match, Move, Seat, new_code
from games.play import store
from games.play.pace import SPEEDS
from games.play.snapshot import SeatSnapshot

FORMAT = "valat-match"
VERSION = 1
MOVE_LIMIT = 20_000  # no match comes near
CLOCKS_DIFFER = timedelta(seconds=10)  # Machines of one site may disagree about the time by that.

_additions: dict[str, Callable[[Match, int | None], list[dict]]] = {}


# What records of earlier versions have, and the bots that took the place of theirs.
EARLIER_SCHEME = "valat-shuffle-1"
EARLIER_BOTS = {"sensible": YARDSTICK, "bold": "hard", "careful": "hard"}
CLAIM = ("index", "moves", "seat", "kind", "tricks")


def register(key, documents):
    """Let records know of something that is stored of matches elsewhere; once a process, when its app is ready.

    key: its key in the record, where it is missing if there is nothing. documents: what is stored of a match, as far
    as a reader (as of `export_match`) may know it, as objects of JSON.
    """
    _additions[key] = documents


class BadRecord(ValueError):
    """The document is not the record of a match that could have been played. str() says what is wrong."""


def export_match(match, reader=None):
    """The record of a finished match, a dict of plain JSON types. Raises BadRecord for one that is not over.

    reader: the user whose record it becomes, by their key, with all of the talk that they may read; None for anybody's.
    """
    if match.status != Match.Status.OVER:
        raise BadRecord("The match is not over: its record holds everybody’s cards.")
    seats = sorted(match.seats.select_related("user"), key=lambda seat: (seat.number is None, seat.number or 0))
    record = {
        "format": FORMAT,
        "version": VERSION,
        "code": match.code,
        "game": match.game,
        "rules_version": match.rules_version,
        "seats": match.seat_count,
        "options": match.options,
        "speed": match.speed,
        "status": match.status,
        "started_at": match.started_at.isoformat(),
        "ended_at": match.ended_at.isoformat(),
        "players": [_player(seat) for seat in seats],
        "moves": [
            {"index": index, "seat": seat, "move": move, "actor": actor, "at": at.isoformat()}
            for index, (seat, move, actor, at) in enumerate(store.read_moves(match))
        ],
        "score_sheet": match.score_sheet,
        "standings": match.standings,
        "shuffle": {
            "scheme": shuffle.SCHEME,
            "code": match.shuffle_code,
            "seed": match.seed,
            "seed_hash": match.seed_hash,
        },
    }
    further = {
        "rated": match.rated,
        "aside": match.aside,
        "hints": match.hints,
        "claims": [{key: getattr(claim, key) for key in CLAIM} for claim in accepted(match)],
        "talk": _talk(match, reader),
    }
    further |= {key: documents(match, reader) for key, documents in sorted(_additions.items())}
    return record | {key: value for key, value in further.items() if value}


def _talk(match, reader):
    """What was said at a match, as far as the reader may know it."""
    snapshot = store.snapshot_of(match, match.seats.select_related("user"))
    return [
        {
            "after": min(line.move_count, match.move_count),
            "seat": line.seat,
            "name": line.name,
            "phrase": line.key,
            "words": line.words,
            "at": line.at.isoformat(),
        }
        for line in heard(snapshot, [reader])[reader]
    ]


def _player(seat):
    shown = SeatSnapshot.from_seat(seat)
    return {
        "seat": seat.number,
        "name": shown.name,
        "kind": shown.kind,
        "bot": seat.bot,
        "left": shown.left,
        "entropy_hash": seat.entropy_hash,
        "entropy": seat.entropy,
        "place_taken": seat.place,
    }


def import_match(record):
    """Store the match of a record, after playing it through the rules. Returns the Match.

    It keeps its code unless a match here has that already. Its players are names, not users of this site.
    Raises BadRecord, and stores nothing, if the rules refuse a move, the sheet or the standings are not what the rules
    make of it, the shuffles don't follow from the seed that is given, or the times run backwards or are still to come.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
        raise BadRecord(f"This is not a match in the format {FORMAT}, version {VERSION}.")
    if record.get("aside"):
        raise BadRecord("This was played with the cards of another match, and is no match of its own.")
    try:
        rules = get_rules(record.get("game"), _version(record))
        options = rules.clean_options(record.get("seats"), record.get("options"))
    except (UnknownGame, InvalidOptions) as error:
        raise BadRecord(str(error)) from None
    moves, state = _folded(rules, record, options)
    if record.get("score_sheet") != rules.score_sheet(state) or record.get("standings") != rules.standings(state):
        raise BadRecord("Its score sheet is not what its moves make.")
    players = _players(record)
    taken = {"options": options, "hints": _hints(record, moves)} | _shuffles(rules, record, options, moves, players)
    match = _match(rules, record, moves, state, taken)
    claims = _claims(record, moves)
    for claim in claims:
        claim.match = match
    store.insert_match(match, _seats(rules, match, players), moves, claims)
    return match


def _version(record):
    version = record.get("rules_version")
    if type(version) is not int:
        raise BadRecord("It does not say by which version of the rules it was played.")
    return version


def _folded(rules, record, options):
    """The cleaned moves of a record, and the state they lead to."""
    moves = record.get("moves")
    if not isinstance(moves, list) or len(moves) > MOVE_LIMIT:
        raise BadRecord("It has no list of moves, or far too many.")
    state = rules.new_match(record["seats"], options)
    cleaned = []
    for index, entry in enumerate(moves):
        if not isinstance(entry, dict) or entry.get("index") != index:
            raise BadRecord(f"Move {index} is missing or out of order.")
        to_act = rules.to_act(state)
        seat, actor = entry.get("seat"), entry.get("actor")
        chance = to_act == CHANCE
        if type(seat) is bool or (seat is not None if chance else seat != to_act):
            raise BadRecord(f"Move {index} is not by the seat to act.")
        if actor not in Move.Actor.values or (actor == Move.Actor.CHANCE) != chance:
            raise BadRecord(f"Move {index} does not say who made it.")
        try:
            state = rules.apply(state, entry.get("move"))
        except IllegalMove as refusal:
            raise BadRecord(f"Move {index} is against the rules: {refusal}") from None
        cleaned.append((seat, entry["move"], actor, _time(entry.get("at"))))
    if rules.to_act(state) is not None:
        raise BadRecord("The match is not played to its end.")
    _demand_times_in_order([at for *_, at in cleaned])
    return cleaned, state


def _demand_times_in_order(times):
    for index, (before, after) in enumerate(pairwise(times), 1):
        if after < before - CLOCKS_DIFFER:
            raise BadRecord(f"The time of move {index} is before that of move {index - 1}.")
    if max(times) > timezone.now() + CLOCKS_DIFFER:
        raise BadRecord("It was played at a time that is still to come.")


def _players(record):
    players = record.get("players")
    if not isinstance(players, list) or len(players) != record["seats"]:
        raise BadRecord("It does not say who sat at each seat.")
    for seat, player in enumerate(players):
        if not (
            isinstance(player, dict)
            and player.get("seat") == seat
            and isinstance(player.get("name"), str)
            and 0 < len(player["name"]) <= 40
            and player["name"].isprintable()
            and isinstance(player.get("bot"), str)
            and len(player["bot"]) <= 32
            and (player["bot"].isprintable() or not player["bot"])
            and isinstance(player.get("left"), bool)
            and _is_hex(player.get("entropy"), shuffle.ENTROPY)
            and _is_hex(player.get("entropy_hash", ""), shuffle.SEED)
        ):
            raise BadRecord(f"What it says of the player at seat {seat} can’t be read.")
    places = [player.get("place_taken") for player in players]
    if any(type(place) is not int for place in places) or sorted(places) != list(range(len(players))):
        raise BadRecord("It does not say in which order the players sat down.")
    return players


def _hints(record, moves):
    """The cleaned "hints" of a record."""
    hints = record.get("hints", [])
    if not isinstance(hints, list) or not all(isinstance(hint, dict) and _is_hint(hint, moves) for hint in hints):
        raise BadRecord("What it says of hints can’t be read.")
    indexes = [hint["index"] for hint in hints]
    if indexes != sorted(set(indexes)):
        raise BadRecord("Its hints are out of order.")
    return [{"index": hint["index"], "seat": hint["seat"]} for hint in hints]


def _is_hint(hint, moves):
    """Whether it was for a move that just that seat has made."""
    index, seat = hint.get("index"), hint.get("seat")
    return type(index) is int and type(seat) is int and 0 <= index < len(moves) and moves[index][0] == seat


def _claims(record, moves):
    """The `Claim`s of a record, still without their match: all moves that were claimed are of one."""
    claims = record.get("claims", [])
    if not isinstance(claims, list) or not all(isinstance(claim, dict) and _is_claim(claim, moves) for claim in claims):
        raise BadRecord("What it says of claims can’t be read.")
    claimed = [index for index, (_, _, actor, _) in enumerate(moves) if actor == Move.Actor.CLAIMED]
    if claimed != [index for claim in claims for index in range(claim["index"], claim["index"] + claim["moves"])]:
        raise BadRecord("Its claims are not those by which its moves were made.")
    return [
        Claim(deal=sum(seat is None for seat, *_ in moves[: claim["index"]]), **{key: claim[key] for key in CLAIM})
        for claim in claims
    ]


def _is_claim(claim, moves):
    """Whether a deal may have been played out by it: from its move on to the next shuffle."""
    numbers = [claim.get(key) for key in ("index", "moves", "seat", "tricks")]
    if (
        not all(type(number) is int and 0 <= number < MOVE_LIMIT for number in numbers)
        or claim.get("kind") not in KINDS
    ):
        return False
    index, count, seat, tricks = numbers
    made = [of for of, *_ in moves[index : index + count]]
    ends = index + count == len(moves) or moves[index + count : index + count + 1][0][0] is None
    return ends and 0 < tricks <= count == len(made) and None not in made and seat in made


def _shuffles(rules, record, options, moves, players):
    """The cleaned "shuffle" of a record. A record may have no seed; one that it has must give its decks."""
    given = record.get("shuffle")
    given = given if isinstance(given, dict) else {}
    seed, code = given.get("seed", ""), given.get("code", "")
    if seed == "" or given.get("scheme") == EARLIER_SCHEME:  # Nobody can verify those any more.
        return {"seed": "", "seed_hash": "", "shuffle_code": ""}
    by_place = sorted(players, key=lambda player: player["place_taken"])
    if not (
        isinstance(seed, str)
        and shuffle.SEED.fullmatch(seed)
        and given.get("seed_hash") == shuffle.commitment(seed)
        and given.get("scheme") == shuffle.SCHEME
        and _is_code(code)
    ):
        raise BadRecord("Its seed is not the one that was promised.")
    shuffles = shuffle.Shuffles(seed, tuple(player["entropy"] for player in by_place))
    if not shuffles.keep([player.get("entropy_hash", "") for player in by_place]):
        raise BadRecord("What a player added to the shuffles is not what was promised.")
    numbers = [player["seat"] for player in by_place]
    if numbers != shuffles.seats([rules.team_of(number, len(players)) for number in numbers]):
        raise BadRecord("Its seats do not follow from its seed.")
    state = rules.new_match(record["seats"], options)
    deals = 0
    for index, (seat, move, _, _) in enumerate(moves):
        if seat is None:
            deals += 1
            if move["deck"] != shuffles.deck(rules.deck(state), deals):
                raise BadRecord(f"The deck of move {index} does not follow from its seed.")
        state = rules.apply(state, move)
    return {"seed": seed, "seed_hash": given["seed_hash"], "shuffle_code": code}


def _match(rules, record, moves, state, taken):
    """A Match that is not stored yet. taken: further fields of it."""
    code = record.get("code")
    if not _is_code(code):
        raise BadRecord("Its code can’t be read.")
    if Match.objects.filter(code=code).exists():
        code = new_code()
    return Match(
        code=code,
        game=rules.slug,
        rules_version=rules.version,
        seat_count=record["seats"],
        speed=record.get("speed") if record.get("speed") in list(SPEEDS) else DEFAULT_SPEED,
        listed=False,
        status=Match.Status.OVER,
        created_at=moves[0][3],
        started_at=moves[0][3],
        ended_at=moves[-1][3],
        move_count=len(moves),
        deal_count=sum(seat is None for seat, *_ in moves),
        revision=1,
        position=rules.dump(state),
        score_sheet=rules.score_sheet(state),
        standings=rules.standings(state),
        **taken,
    )


def _seats(rules, match, players):
    results = {result["seat"]: result for result in match.standings}
    return [
        Seat(
            match=match,
            place=player["place_taken"],
            number=seat,
            team=rules.team_of(seat, match.seat_count),
            name=player["name"],
            bot=EARLIER_BOTS.get(player["bot"], player["bot"]),
            left_at=match.ended_at if player["left"] else None,
            entropy_hash=player.get("entropy_hash", ""),
            entropy=player["entropy"],
            score=results[seat]["score"],
            finish=results[seat]["place"],
        )
        for seat, player in enumerate(players)
    ]


def _is_hex(text, pattern):
    return isinstance(text, str) and (text == "" or pattern.fullmatch(text) is not None)


def _is_code(text):
    return isinstance(text, str) and text.isascii() and text.isalnum() and len(text) <= 16


def _time(text):
    try:
        time = parse_datetime(text) if isinstance(text, str) else None
        if time is not None and timezone.is_aware(time):
            return time.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise BadRecord("A time in it can’t be read.")
