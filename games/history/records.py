"""Export a finished match as one JSON document, and import such a document as a new match.

Version 1 of the format "valat-match" has these keys:

- "format", "version", "code", "game", "rules_version", "seats", "options", "speed", "status"
- "started_at", "ended_at" (ISO 8601)
- "players": by seat, "seat", "name", "kind", "bot", "left", "entropy_hash", "entropy", "place_taken"
- "moves": in order, "index", "seat" (null for a shuffle), "move", "actor", "at"
- "score_sheet", "standings"
- "shuffle": "scheme", "code", "seed", "seed_hash"

Keys that are left out where they would be empty:

- "rated": true. Not imported.
- "aside": "variation" or "challenge", for a match that does not count. Such records cannot be imported.
- "hints": "index", "seat"
- "claims": the accepted ones, "index", "moves", "seat", "kind", "tricks"
- "talk": "after" (the number of moves before it), "seat" or null, "name", "phrase", "words", "at". Not imported.
- what other apps register here, such as "comments". Not imported.
"""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from itertools import chain, pairwise
from re import Pattern
from typing import Any

from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.catalog import CHANCE, YARDSTICK, IllegalMove, InvalidOptions, Rules, UnknownGame, get_rules
from games.chat.reading import readable_lines
from games.history.claims import accepted_claims
from games.kit import shuffle
from games.kit.claims import KINDS
from games.kit.contract import Options, State
from games.models import DEFAULT_SPEED, Claim, Match, Move, Seat, new_code
from games.play import store
from games.play.pace import SPEEDS
from games.play.snapshot import SeatSnapshot

FORMAT = "valat-match"
VERSION = 1
MOVE_LIMIT = 20_000  # No real match has nearly as many moves.
CLOCK_TOLERANCE = timedelta(seconds=10)  # The clocks of a site's servers may differ by this much.

EARLIER_SCHEME = "valat-shuffle-1"
EARLIER_BOTS = {"sensible": YARDSTICK, "bold": "hard", "careful": "hard"}  # Their successors, by their name in records.
CLAIM_KEYS = ("index", "moves", "seat", "kind", "tricks")

type Record = dict[str, Any]
type Unchecked = Any  # JSON from outside. The functions that take it check its shape.
type RecordPart = Callable[[Match, int | None], list[Record]]

_parts: dict[str, RecordPart] = {}


def register(key: str, part: RecordPart) -> None:
    """Add a part to all records. Call it once per process, when an app is ready.

    key: of the record, such as "comments". part: a function of a match and the reader that returns JSON objects. If it
    returns none, the record does not have the key.
    """
    _parts[key] = part


class BadRecord(ValueError):
    """The document is not the record of a match that could have been played. str() says why, in a sentence."""


def export_match(match: Match, reader: int | None = None) -> Record:
    """Return the record of a finished match, of plain JSON types. Raises BadRecord if the match is not over.

    reader: the primary key of the user who receives the record. It decides which lines of the chat are included;
    None includes what everybody may read.
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
        "players": [_player_record(seat) for seat in seats],
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
    optional = {
        "rated": match.rated,
        "aside": match.aside,
        "hints": match.hints,
        "claims": [{key: getattr(claim, key) for key in CLAIM_KEYS} for claim in accepted_claims(match)],
        "talk": _talk_record(match, reader),
    }
    optional |= {key: part(match, reader) for key, part in sorted(_parts.items())}
    return record | {key: value for key, value in optional.items() if value}


def _talk_record(match: Match, reader: int | None) -> list[Record]:
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
        for line in readable_lines(snapshot, [reader])[reader]
    ]


def _player_record(seat: Seat) -> Record:
    snapshot = SeatSnapshot.from_seat(seat)
    return {
        "seat": seat.number,
        "name": snapshot.name,
        "kind": snapshot.kind,
        "bot": seat.bot,
        "left": snapshot.left,
        "entropy_hash": seat.entropy_hash,
        "entropy": seat.entropy,
        "place_taken": seat.place,
    }


def import_match(record: Unchecked) -> Match:
    """Check the record of a match by playing its moves, and store it as a new Match. A record is its JSON document.

    The match keeps its code unless that is in use. Its players become names, not users of this site. Raises BadRecord
    and stores nothing if

    - the rules refuse a move
    - the score sheet or the standings do not follow from the moves
    - the decks do not follow from the seed, where there is one
    - the times run backwards or are in the future.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT or record.get("version") != VERSION:
        raise BadRecord(f"This is not a match in the format {FORMAT}, version {VERSION}.")
    if record.get("aside"):
        raise BadRecord("This was played with the cards of another match, and is no match of its own.")
    rules, options = _clean_rules_and_options(record)
    moves, state = _replay_moves(rules, record, options)
    if record.get("score_sheet") != rules.score_sheet(state) or record.get("standings") != rules.standings(state):
        raise BadRecord("Its score sheet is not what its moves make.")
    players = _clean_players(record)
    hints = _clean_hints(record, moves)
    shuffle_fields = _clean_shuffle(rules, record, options, moves, players)
    match = _new_match(rules, record, moves, state, {"options": options, "hints": hints, **shuffle_fields})
    claims = _clean_claims(record, moves)
    for claim in claims:
        claim.match = match
    store.insert_match(match, _new_seats(rules, match, players), moves, claims)
    return match


def _clean_rules_and_options(record: Unchecked) -> tuple[Rules, Options]:
    """Return the rules of a record's match and all its options. Raises BadRecord."""
    version = record.get("rules_version")
    if type(version) is not int:
        raise BadRecord("It does not say by which version of the rules it was played.")
    try:
        rules = get_rules(record.get("game"), version)
        return rules, rules.clean_options(record.get("seats"), record.get("options"))
    except (UnknownGame, InvalidOptions) as error:
        raise BadRecord(str(error)) from None


def _replay_moves(rules: Rules, record: Unchecked, options: Options) -> tuple[list[store.StoredMove], State]:
    """Check the moves of a record by playing them. Return them and the last state of the match.

    Each move becomes a tuple: the seat (None for a shuffle), the move, who made it, and the time. Raises BadRecord.
    """
    moves = record.get("moves")
    if not isinstance(moves, list) or len(moves) > MOVE_LIMIT:
        raise BadRecord("It has no list of moves, or far too many.")
    state = rules.new_match(record["seats"], options)
    cleaned = []
    for index, entry in enumerate(moves):
        if not _has_index(entry, index):
            raise BadRecord(f"Move {index} is missing or out of order.")
        to_act = rules.to_act(state)
        is_shuffle = to_act == CHANCE
        seat, actor = entry.get("seat"), entry.get("actor")
        seat_to_act = None if is_shuffle else to_act
        if type(seat) is bool or seat != seat_to_act:  # In Python true is equal to seat 1.
            raise BadRecord(f"Move {index} is not by the seat to act.")
        if actor not in Move.Actor.values or (actor == Move.Actor.CHANCE) != is_shuffle:
            raise BadRecord(f"Move {index} does not say who made it.")
        try:
            state = rules.apply(state, entry.get("move"))
        except IllegalMove as refusal:
            raise BadRecord(f"Move {index} is against the rules: {refusal}") from None
        cleaned.append((seat, entry["move"], actor, _clean_time(entry.get("at"))))
    if rules.to_act(state) is not None:
        raise BadRecord("The match is not played to its end.")
    _check_times([at for *_, at in cleaned])
    return cleaned, state


def _has_index(entry: object, index: int) -> bool:
    return isinstance(entry, dict) and entry.get("index") == index


def _check_times(times: list[datetime]) -> None:
    """Raise BadRecord if the times of the moves run backwards or are in the future."""
    for index, (before, after) in enumerate(pairwise(times), 1):
        if after < before - CLOCK_TOLERANCE:
            raise BadRecord(f"The time of move {index} is before that of move {index - 1}.")
    if max(times) > timezone.now() + CLOCK_TOLERANCE:
        raise BadRecord("It was played at a time that is still to come.")


def _clean_players(record: Unchecked) -> list[Record]:
    """Return the checked players of a record, in the order of their seats. Raises BadRecord."""
    players = record.get("players")
    if not isinstance(players, list) or len(players) != record["seats"]:
        raise BadRecord("It does not say who sat at each seat.")
    for seat, player in enumerate(players):
        if not (isinstance(player, dict) and player.get("seat") == seat and _is_player(player)):
            raise BadRecord(f"What it says of the player at seat {seat} can’t be read.")
    places = [player.get("place_taken") for player in players]
    if any(type(place) is not int for place in places) or sorted(places) != list(range(len(players))):
        raise BadRecord("It does not say in which order the players sat down.")
    return players


def _is_player(player: dict[str, Any]) -> bool:
    """Return whether the entries of a player have the right types and lengths.

    "bot" is the name of a bot, or "". "entropy" is the random text that the player's browser added to the shuffles.
    """
    name, bot = player.get("name"), player.get("bot")
    return (
        isinstance(name, str)
        and 0 < len(name) <= 40
        and name.isprintable()
        and isinstance(bot, str)
        and len(bot) <= 32
        and bot.isprintable()
        and isinstance(player.get("left"), bool)
        and _is_hex(player.get("entropy"), shuffle.ENTROPY)
        and _is_hex(player.get("entropy_hash", ""), shuffle.SEED)
    )


def _clean_hints(record: Unchecked, moves: list[store.StoredMove]) -> list[Record]:
    """Return the checked hints of a record, in the order of moves. A hint is advice that a player got before a move.

    moves: all of the match, checked. Raises BadRecord.
    """
    hints = record.get("hints", [])
    if not isinstance(hints, list) or not all(isinstance(hint, dict) and _is_hint(hint, moves) for hint in hints):
        raise BadRecord("What it says of hints can’t be read.")
    indexes = [hint["index"] for hint in hints]
    if indexes != sorted(set(indexes)):
        raise BadRecord("Its hints are out of order.")
    return [{"index": hint["index"], "seat": hint["seat"]} for hint in hints]


def _is_hint(hint: Unchecked, moves: list[store.StoredMove]) -> bool:
    """Return whether a hint is for a move that its seat made."""
    index, seat = hint.get("index"), hint.get("seat")
    return type(index) is int and type(seat) is int and 0 <= index < len(moves) and moves[index][0] == seat


def _clean_claims(record: Unchecked, moves: list[store.StoredMove]) -> list[Claim]:
    """Return the checked claims of a record, unsaved and without their match. Raises BadRecord.

    A claim ends a deal at once, because a seat is sure of all its tricks or of none. Then the site plays the rest of
    the deal. Such moves have the actor CLAIMED, and the claims, in order, must account for exactly these moves.
    """
    claims = record.get("claims", [])
    if not isinstance(claims, list) or not all(isinstance(claim, dict) and _is_claim(claim, moves) for claim in claims):
        raise BadRecord("What it says of claims can’t be read.")
    claimed_indexes = [index for index, (_, _, actor, _) in enumerate(moves) if actor == Move.Actor.CLAIMED]
    ranges = [range(claim["index"], claim["index"] + claim["moves"]) for claim in claims]
    if claimed_indexes != [*chain(*ranges)]:
        raise BadRecord("Its claims are not those by which its moves were made.")
    return [
        Claim(deal=_deals_before(moves, claim["index"]), **{key: claim[key] for key in CLAIM_KEYS}) for claim in claims
    ]


def _deals_before(moves: list[store.StoredMove], index: int | None = None) -> int:
    """Return the number of shuffles among the moves before an index, or among all moves. Each begins a deal."""
    return sum(seat is None for seat, *_ in moves[:index])


def _is_claim(claim: Unchecked, moves: list[store.StoredMove]) -> bool:
    """Return whether a claim has valid numbers, and its moves are the rest of a deal.

    A claim ends a deal at once: "moves" is how many moves the site has then played, from "index" on. A deal ends with
    the next shuffle (a move without a seat) or with the match. moves: all of the match, checked.
    """
    numbers = [claim.get(key) for key in ("index", "moves", "seat", "tricks")]
    are_counts = all(type(number) is int and 0 <= number < MOVE_LIMIT for number in numbers)
    if not are_counts or claim.get("kind") not in KINDS:
        return False
    index, count, claimant, tricks = numbers
    end = index + count
    if end > len(moves) or not 0 < tricks <= count:
        return False
    claimed_seats = [seat for seat, *_ in moves[index:end]]
    ends_deal = end == len(moves) or moves[end][0] is None
    return ends_deal and None not in claimed_seats and claimant in claimed_seats


def _clean_shuffle(
    rules: Rules, record: Unchecked, options: Options, moves: list[store.StoredMove], players: list[Record]
) -> dict[str, str]:
    """Check that the seats and decks of a record follow from its seed. Return the seed and so on as fields of a Match.

    All shuffles of a match follow from a secret seed and from random texts ("entropy") of the players' browsers. Their
    hashes were shown before the match, as promises ("commitments"). The fields are empty for a record without a seed.
    Raises BadRecord.
    """
    document = record.get("shuffle")
    document = document if isinstance(document, dict) else {}
    seed, code = document.get("seed", ""), document.get("code", "")
    if seed == "" or document.get("scheme") == EARLIER_SCHEME:  # The earlier scheme can no longer be verified.
        return {"seed": "", "seed_hash": "", "shuffle_code": ""}
    is_promised_seed = (
        isinstance(seed, str)
        and shuffle.SEED.fullmatch(seed)
        and document.get("seed_hash") == shuffle.commitment(seed)
        and document.get("scheme") == shuffle.SCHEME
        and _is_code(code)
    )
    if not is_promised_seed:
        raise BadRecord("Its seed is not the one that was promised.")
    by_place = sorted(players, key=lambda player: player["place_taken"])  # In the order of sitting down.
    shuffles = shuffle.Shuffles(seed, tuple(player["entropy"] for player in by_place))
    if not shuffles.match_commitments([player.get("entropy_hash", "") for player in by_place]):
        raise BadRecord("What a player added to the shuffles is not what was promised.")
    numbers = [player["seat"] for player in by_place]
    if numbers != shuffles.seats([rules.team_of(number, len(players)) for number in numbers]):
        raise BadRecord("Its seats do not follow from its seed.")
    _check_decks(rules, rules.new_match(record["seats"], options), moves, shuffles)
    return {"seed": seed, "seed_hash": document["seed_hash"], "shuffle_code": code}


def _check_decks(rules: Rules, state: State, moves: list[store.StoredMove], shuffles: shuffle.Shuffles) -> None:
    """Raise BadRecord unless each deck (the cards after a shuffle) is the one that the seed gives.

    state: the one before the first move.
    """
    shuffle_count = 0
    for index, (seat, move, _, _) in enumerate(moves):
        if seat is None:
            shuffle_count += 1
            if move["deck"] != shuffles.deck(rules.deck(state), shuffle_count):
                raise BadRecord(f"The deck of move {index} does not follow from its seed.")
        state = rules.apply(state, move)


def _new_match(
    rules: Rules, record: Unchecked, moves: list[store.StoredMove], state: State, fields: Mapping[str, object]
) -> Match:
    """Return an unsaved Match. moves: checked, not empty. state: the last one. fields: more of its fields, checked."""
    code = record.get("code")
    if not _is_code(code):
        raise BadRecord("Its code can’t be read.")
    if Match.objects.filter(code=code).exists():
        code = new_code()
    times = [at for *_, at in moves]
    return Match(
        code=code,
        game=rules.slug,
        rules_version=rules.version,
        seat_count=record["seats"],
        speed=record.get("speed") if record.get("speed") in list(SPEEDS) else DEFAULT_SPEED,
        listed=False,
        status=Match.Status.OVER,
        created_at=times[0],
        started_at=times[0],
        ended_at=times[-1],
        move_count=len(moves),
        deal_count=_deals_before(moves),
        revision=1,
        position=rules.dump(state),
        score_sheet=rules.score_sheet(state),
        standings=rules.standings(state),
        **fields,
    )


def _new_seats(rules: Rules, match: Match, players: list[Record]) -> list[Seat]:
    """Return unsaved Seats for the checked players of a record."""
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


def _is_hex(text: object, pattern: Pattern[str]) -> bool:
    return isinstance(text, str) and (text == "" or pattern.fullmatch(text) is not None)


def _is_code(text: object) -> bool:
    return isinstance(text, str) and text.isascii() and text.isalnum() and len(text) <= 16


def _clean_time(text: object) -> datetime:
    """Return a time of a record, which must have a time zone, in UTC. Raises BadRecord."""
    try:
        time = parse_datetime(text) if isinstance(text, str) else None
        if time is not None and timezone.is_aware(time):
            return time.astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise BadRecord("A time in it can’t be read.")
