"""Whatever a game's room says, at positions of random matches and of itself, can be translated."""

from random import Random

import pytest
from django.template.loader import render_to_string

from games.catalog import CHANCE, LEVELS, IllegalMove, InvalidOptions, all_games
from games.kit import claims, coach
from games.kit.analysis import BLUNDER, GOOD, Verdict, reason_of, short_verdict, spoken_verdict, verdict_words
from games.kit.drawing import SheetReader
from games.kit.facts import of_unit
from games.kit.language import Lazy
from games.kit.search import Level, Option
from games.kit.words import Names
from tests.kit.cast import NAMES, cast, html_of_felt, html_of_mine
from tests.kit.playing import played_on, random_options
from tests.languages.made_up import unsaid, unsaid_of_texts

pytestmark = pytest.mark.whole

every_room = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


@every_room
def test_what_a_table_says(spoken, game):
    for seats in game.newest.seat_counts:
        found = {}
        for state, move, after in _random_match(game, seats):
            players = cast(seats)
            for seat in (None, *range(seats)):
                moves = game.newest.legal_moves(after) if game.newest.to_act(after) == seat else []
                table = game.newest.view(after, seat)
                mine = game.drawing.mine(table, moves, players)
                for text in unsaid(html_of_mine(game.slug, mine, seat), NAMES):
                    found.setdefault(text, f"mine in phase {table['phase']}")
                for text in unsaid_of_texts(map(str, mine.get("notes", ())), NAMES):
                    found.setdefault(text, "notes")
            table = game.newest.view(after, None)
            for text in unsaid(html_of_felt(game.slug, game.drawing.felt(table, players)), NAMES):
                found.setdefault(text, f"felt in phase {table['phase']}")
            actor, events = game.newest.to_act(state), game.newest.events(state, move, after)
            said = [
                *game.drawing.sentences(events, players),
                *game.drawing.sentences(events, players, 0),
                *(words for _, words in game.drawing.marks(events, players)),
                game.drawing.news(events),
                game.drawing.move_words(move, players, None if actor == CHANCE else actor),
            ]
            assert not any(isinstance(text, Lazy) for text in said)  # these are joined to others
            for text in unsaid_of_texts(said, NAMES):
                found.setdefault(text, "events")
        sheet = game.drawing.sheet(game.newest.score_sheet(after), cast(seats), SheetReader(0))
        html = render_to_string(f"{game.room}/sheet.html", {"sheet": sheet})
        assert dict.fromkeys(unsaid(html, (*NAMES, game.name)), "sheet") | found == {}


@every_room
def test_what_a_refusal_says(spoken, game):
    rng = Random("refusals")
    found = set()
    for seats in game.newest.seat_counts:
        before = None
        for state, move, _ in _random_match(game, seats):
            for wrong in (before, move | {"extra": 1}, {"type": "nonsense"}, {"type": move["type"]}):
                try:
                    if wrong:
                        game.newest.apply(state, wrong)
                except IllegalMove as refusal:
                    found |= set(unsaid_of_texts([str(refusal)], NAMES))
            before = move if rng.random() < 0.5 else before
    assert found == set()


@every_room
def test_what_a_room_says_of_itself(spoken, game):
    newest = game.newest
    texts = [*game.deal_words[1:], game.luck, newest.summary, newest.difficulty]
    for seats in (None, *newest.seat_counts):
        for field in newest.option_fields(seats):
            texts += [
                field.label,
                field.help,
                *(words for choice in field.choices for words in (choice.label, choice.help)),
            ]
    for preset in newest.presets:
        texts += [preset.name, preset.help]
    for length in newest.formats:
        texts += [length.name, length.help]
    texts += [words for word in game.glossary for words in (word.term, word.means)]
    texts += [phrase.words for phrase in game.phrases]
    texts += [note.words for note in game.guide.notes] if game.guide else []
    for question in game.questions:
        texts += [
            question.label,
            *(words for answer in question.answers for words in (answer.words, answer.sentence_about())),
        ]
    texts += [words for column in game.sheet_columns for words in (column.head, *column.words.values())]
    texts += [*game.drawing.mark_kinds.values()]
    for breakdown in game.statistics.breakdowns:
        texts += [breakdown.title, breakdown.head, breakdown.note]
        texts += [each.head for each in (*breakdown.lines, *breakdown.figures)]
    texts += [figure.head for figure in game.statistics.with_partner]
    for feat in game.statistics.feats:
        texts += [feat.words, *(of_unit(number, feat.unit) for number in (1, 2.5, 3) if feat.unit)]
    assert unsaid_of_texts([str(text).replace("{who}", "") for text in texts], NAMES) == []


@every_room
def test_what_a_refusal_of_options_says(spoken, game):
    newest, seats = game.newest, game.newest.default_seats
    said = []
    for wrong in ((1, {}), (seats, []), (seats, {"nonsense": 1}), *((seats, {name: "?"}) for name in _names(newest))):
        with pytest.raises(InvalidOptions) as caught:
            newest.clean_options(*wrong)
        said.append(str(caught.value))
    assert unsaid_of_texts(said, (game.name, "?")) == []


def _names(rules):
    return [field.name for field in rules.option_fields(rules.default_seats)]


@every_room
def test_what_a_coach_says(spoken, game):
    found = set()
    for seats in game.newest.seat_counts:
        for state, *_ in list(_random_match(game, seats))[::9]:
            seat, moves = game.newest.to_act(state), game.newest.legal_moves(state)
            if seat == CHANCE:
                continue
            table = game.newest.view(state, seat)
            texts = [game.coach.unit, game.coach.meaning, game.analyst.meaning if game.analyst else ""]
            for options in ([], *(_options(moves, *each) for each in OUTCOMES)):
                thought = coach.Thought(table, moves, moves[0], options)
                texts += _texts(coach.hint(game.coach, thought))
                for level in (None, Level(10, 1.0), Level(10, 1.0, tolerance=2.0)):
                    texts += _texts(coach.explain(game.coach, thought, level))
            texts += [game.coach.knowledge(table, worlds) for worlds in (0, 1, 50)]
            if len(moves) > 1:
                options = _options(moves, 50, 2.0, 1.0)
                for mark, lost in (("", 0.0), (GOOD, 0.0), (BLUNDER, 2.0)):
                    verdict = Verdict(mark, lost, options, options, exact=bool(lost))
                    texts += [*_texts(verdict_words(game.coach, verdict)), reason_of(game.coach, verdict, table)]
                    if mark:
                        texts += [short_verdict(game.coach, verdict), spoken_verdict(game.coach, verdict)]
            found |= set(unsaid_of_texts(texts, NAMES))
    assert found == set()


OUTCOMES = ((50, 2.0, 1.0), (50, 0.05, 0.05), (50, -2.0, 1.0), (0, 2.0, 1.0), (0, 0.0, 1.0))


def _options(moves, tries, gain, mean):
    """What a bot made of moves: the second is better by so much than the first, others much worse."""
    gains = [0.0, gain, *[-5.0] * len(moves)]
    return [Option(move, mean + more, 0.2, tries, more, 0.2) for move, more in zip(moves, gains, strict=False)]


def _texts(told):
    """All that a coach says, without the figures of its tables."""
    values = [value for value in told.values() if isinstance(value, str)] + told.get("reasons", [])
    assert not any(isinstance(reason, Lazy) for reason in told.get("reasons", []))
    return values + [row.name for name, rows in told.items() if name.endswith("rows") for row in rows]


def test_what_claims_and_levels_say(spoken):
    names = Names(["Ana", "Boris"], viewer=0)
    texts = [
        claims.describe_claim(seat, kind, tricks, names, partners=partners)
        for seat in (0, 1)
        for kind in claims.KINDS
        for tricks in (1, 5)
        for partners in (False, True)
    ]
    texts += [words for level in LEVELS.values() for words in level]
    assert unsaid_of_texts([str(text) for text in texts], ("Ana", "Boris")) == []


def _random_match(game, seats):
    rng = Random(f"{game.slug} {seats}")
    state = game.newest.new_match(seats, random_options(game.newest, seats, rng))
    for place, step in enumerate(played_on(game.newest, state, rng)):
        if place < 400:
            yield step
