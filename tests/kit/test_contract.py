"""Every promise that the rules of all games make."""

import json
import random
from itertools import chain, islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalog import CHANCE, IllegalMove, InvalidOptions, Meaning, UnknownGame, all_games, get_game, get_rules

from .playing import every_game, every_table, played_on, random_options, random_positions, same_move, strings_in


class Spiteful:
    """Equal to nothing and hashed by nobody: either raises."""

    def __eq__(self, other):
        raise RuntimeError

    __hash__ = None


class SpitefulText(str):
    def __eq__(self, other):
        raise RuntimeError

    __hash__ = str.__hash__


class SpitefulMove(dict):
    def get(self, *args):
        raise RuntimeError


JUNK = [
    *(None, True, False, 0, -1, 1.0, float("nan"), float("inf"), 2**64, 10**5000),
    *("", "1", "ZZ", "as", "\x00", "A" * 10**6, b"AS"),
    *([], [[]] * 52, [{}] * 52, [None] * 52, ["AS"] * 52, ["AS"], [["AS"]], (), {}, {"AS": 1}, {"AS"}),
    *(object(), Spiteful(), SpitefulText("AS")),
]
NO_MOVES = [
    *JUNK,
    *({"type": junk} for junk in JUNK),
    {"move": "play"},
    {1: 2, None: 3},
    SpitefulMove(type="play", card="AS"),
]


def test_games_are_found_by_their_slugs():
    assert [get_game(game.slug) for game in all_games()] == list(all_games())
    assert [get_rules(game.slug) for game in all_games()] == [game.newest for game in all_games()]
    assert [[get_rules(game.slug, rules.version) for rules in game.rules] for game in all_games()] == [
        list(game.rules) for game in all_games()
    ]


@pytest.mark.parametrize("slug", ["", "Oh Hell", "OH-HELL", "oh-hell ", None, 3, [], {}])
def test_another_slug_is_an_unknown_game(slug):
    with pytest.raises(UnknownGame) as caught:
        get_rules(slug)

    assert isinstance(caught.value, KeyError)
    assert str(caught.value) == "This site doesn’t have that game. Choose one in the lobby."


@every_game
def test_game_says_what_it_is(rules):
    assert (type(rules.slug), type(rules.name), type(rules.version)) == (str, str, int)
    assert rules.seat_counts == tuple(sorted(set(rules.seat_counts)))
    assert rules.default_seats in rules.seat_counts


# Options


@every_table
def test_option_fields_offer_their_default_and_are_written_for_players(rules, seats):
    for field in (*rules.option_fields(), *rules.option_fields(seats)):
        assert [choice.value for choice in field.choices].count(field.default) == 1
        assert all([field.label, field.help, *(choice.label for choice in field.choices)])


@every_table
def test_clean_options_fills_in_the_defaults_and_takes_every_choice(rules, seats):
    defaults = {field.name: field.default for field in rules.option_fields(seats)}

    assert rules.clean_options(seats, {}) == defaults
    for field in rules.option_fields(seats):
        for choice in field.choices:
            given = {field.name: choice.value}
            assert rules.clean_options(seats, given) == defaults | given


@every_table
def test_clean_options_does_not_change_what_it_is_given(rules, seats):
    given = {}

    rules.clean_options(seats, given)["more"] = 1

    assert given == {}
    assert "more" not in rules.clean_options(seats, {})


@every_game
@pytest.mark.parametrize("seats", [-1, 0, 1, 99, 10**5000, True, None, "4", 4.0, [4], {}, Spiteful()], ids=type)
def test_wrong_number_of_seats_is_refused(rules, seats):
    with pytest.raises(InvalidOptions) as caught:
        rules.clean_options(seats, {})

    assert caught.value.field == "seats"


WRONG_OPTIONS = [
    *((junk, "options") for junk in JUNK if type(junk) is not dict),
    *(({name: 1}, "options") for name in (None, 1, 10**5000, ("a",), b"a")),
    *(({name: 1}, name) for name in ("", "seats", "Target", "A" * 10**6)),
]


@every_game
def test_options_that_are_none_are_refused_by_name(rules):
    for options, field in WRONG_OPTIONS:
        with pytest.raises(InvalidOptions) as caught:
            rules.clean_options(rules.default_seats, options)
        assert caught.value.field == field


@every_table
def test_value_that_is_not_offered_is_refused_by_name(rules, seats):
    for field in rules.option_fields(seats):
        offered = [(type(choice.value), choice.value) for choice in field.choices]
        for junk in JUNK:
            if any(type(junk) is kind and junk == value for kind, value in offered):
                continue
            with pytest.raises(InvalidOptions) as caught:
                rules.clean_options(seats, {field.name: junk})
            assert caught.value.field == field.name


@every_game
def test_match_cannot_be_set_up_with_wrong_options(rules):
    with pytest.raises(InvalidOptions):
        rules.new_match(rules.default_seats, {"no such": 1})


# A match from start to end


@every_table
def test_match_starts_with_a_deal(rules, seats):
    state = rules.new_match(seats, rules.clean_options(seats, {}))

    assert rules.to_act(state) == CHANCE == -1
    assert rules.legal_moves(state) == [{"type": "deal", "deck": rules.deck(state)}]
    assert len(set(rules.deck(state))) == len(rules.deck(state)) > 0
    assert rules.standings(state) == []


@every_table
def test_somebody_can_move_until_the_match_is_over(rules, seats, rng):
    start = rules.new_match(seats, random_options(rules, seats, rng))

    steps = list(played_on(rules, start, rng))

    for before, _, _ in steps:
        assert rules.to_act(before) in range(CHANCE, seats)
        legal = rules.legal_moves(before)
        assert 0 < len(legal) < 2000
        assert len({same_move(move) for move in legal}) == len(legal)
        assert rules.standings(before) == []
        assert bool(rules.deck(before)) == (rules.to_act(before) == CHANCE)

    _, _, after = steps[-1]
    assert rules.to_act(after) is None
    assert rules.legal_moves(after) == rules.deck(after) == []


@every_table
def test_standings_order_all_seats_by_score(rules, seats, rng):
    *_, (_, _, state) = played_on(rules, rules.new_match(seats, random_options(rules, seats, rng)), rng)

    standings = rules.standings(state)

    assert sorted(line["seat"] for line in standings) == list(range(seats))
    assert [line["place"] for line in standings] == sorted(line["place"] for line in standings)
    assert standings[0]["place"] == 1
    assert json.loads(json.dumps(standings)) == standings
    assert {tuple(line) for line in standings} == {("seat", "team", "score", "place")}


# Moves


@every_table
def test_last_event_of_a_match_is_its_standings(rules, seats, rng):
    *_, (before, last, over) = played_on(rules, rules.new_match(seats, random_options(rules, seats, rng)), rng)

    *_, event = rules.events(before, last, over)

    assert event == {"type": "match_over", "standings": rules.standings(over)}


@every_table
def test_every_legal_move_applies_and_leaves_the_state_as_it_was(rules, seats, rng):

    for state in random_positions(rules, seats, rng, 15):
        before = rules.dump(state)
        for move in rules.legal_moves(state):
            after = rules.apply(state, move)
            assert after != state
            assert rules.dump(state) == before


@every_table
def test_moves_that_are_not_legal_are_refused(rules, seats, rng):

    for state in random_positions(rules, seats, rng, 4):
        before = rules.dump(state)
        legal = rules.legal_moves(state)
        for move in [*NO_MOVES, *spoilt_moves(rng.choice(legal or [{}]), legal)]:
            with pytest.raises(IllegalMove) as caught:
                rules.apply(state, move)
            assert str(caught.value).endswith(".")
        assert rules.dump(state) == before


@pytest.mark.whole
@every_table
def test_legal_move_of_another_position_is_refused_or_legal_here_too(rules, seats, rng):
    positions = random_positions(rules, seats, rng, 15)
    moves = [move for state in positions for move in rules.legal_moves(state)]
    refused = 0

    for state in positions:
        here = {same_move(move) for move in rules.legal_moves(state)}
        for move in moves:
            if same_move(move) in here:
                rules.apply(state, move)
            else:
                with pytest.raises(IllegalMove):
                    rules.apply(state, move)
                refused += 1

    assert refused > 0


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["type", "card", "deck", "bet", "tricks"]), inner)
    ),
)


@pytest.mark.whole
@every_table
@settings(max_examples=15, deadline=None, database=None)
@given(json_values, st.integers(0, 40))
def test_whatever_a_client_sends_is_a_move_or_refused(rules, seats, junk, count):
    states = [rules.new_match(seats, {})]
    states += [after for _, _, after in islice(played_on(rules, states[0], random.Random(count)), count)]
    kinds = {move["type"] for state in states for move in rules.legal_moves(state)}

    for kind in kinds:
        move = junk | {"type": kind} if isinstance(junk, dict) else junk
        try:
            rules.apply(states[-1], move)
        except IllegalMove:
            continue
        assert same_move(move) in {same_move(legal) for legal in rules.legal_moves(states[-1])}


@every_game
def test_giant_moves_are_refused_at_once(rules):
    state = rules.new_match(rules.default_seats, {})
    giant = [0] * 10**7

    for move in [giant, {"type": giant}, {"type": "deal", "deck": giant}, {"type": "A" * 10**7}]:
        with pytest.raises(IllegalMove):
            rules.apply(state, move)


@every_table
def test_deck_must_be_the_pack_in_any_order(rules, seats):
    state = rules.new_match(seats, {})
    deck = rules.deck(state)

    rules.apply(state, {"type": "deal", "deck": deck[::-1]})
    for wrong in [deck[:-1], [*deck, deck[0]], [deck[0], *deck[:-1]], tuple(deck), set(deck), "".join(deck)]:
        with pytest.raises(IllegalMove):
            rules.apply(state, {"type": "deal", "deck": wrong})


def dealt_by(dealing, decks, seats):
    """(pack, whom each place is dealt to) of the last of `decks`, by what the contract says of `dealing`."""
    shuffles = 2 if dealing["parts"] else 1
    deal, shuffle = divmod(len(decks) - 1, shuffles)
    pack = dealing["pack"]
    if shuffle:
        parts = [[card for card in decks[-2] if card in cards][:count] for count, cards in dealing["parts"]]
        pack = [*chain.from_iterable(parts), *dealing["added"]]
    packets = dealing["packets"][deal % len(dealing["packets"])] if shuffle == shuffles - 1 else []
    places = [(deal + turn) % seats for size in packets for turn in range(seats) for _ in range(size)]
    return pack, places + [None] * (len(pack) - len(places))


@every_table
def test_cards_are_dealt_as_is_promised_before_the_first(rules, seats, rng):
    state = rules.new_match(seats, random_options(rules, seats, rng))
    dealing, decks, dealt = rules.dealing(state), [], 0

    for before, move, after in played_on(rules, state, rng):
        assert rules.dealing(after) == dealing
        if rules.to_act(before) != CHANCE:
            continue
        decks.append(move["deck"])
        pack, dealt_to = dealt_by(dealing, decks, seats)
        assert sorted(rules.deck(before)) == sorted(pack)
        for seat in range(seats):
            own = {card for card, to in zip(move["deck"], dealt_to, strict=True) if to == seat}
            known = rules.hidden_from(after, None) - rules.hidden_from(after, seat)
            assert known <= own
            assert bool(known) == bool(own)
            dealt += len(known)

    assert dealt > 0


@every_table
def test_what_is_returned_can_be_changed_without_harm(rules, seats, rng):

    for state in random_positions(rules, seats, rng, 8):
        for ask in (rules.legal_moves, rules.deck, rules.score_sheet, rules.dump, lambda state: rules.view(state, 0)):
            before = json.dumps(ask(state))
            spoil(ask(state))
            assert json.dumps(ask(state)) == before


# Positions, views and events


@every_table
def test_position_comes_back_from_its_dump(rules, seats, rng):

    for state in random_positions(rules, seats, rng, 40):
        data = rules.dump(state)
        assert rules.load(data) == state
        assert rules.load(json.loads(json.dumps(data))) == state
        assert json.loads(json.dumps(data)) == data


@every_table
def test_views_sheets_and_events_are_plain_json(rules, seats, rng):
    state = rules.new_match(seats, random_options(rules, seats, rng))

    for before, move, after in played_on(rules, state, rng):
        events = rules.events(before, move, after)
        assert json.loads(json.dumps(events)) == events
        assert events or rules.to_act(after) == CHANCE  # a deal may take more shuffles than one
        if rng.random() < 0.05:
            for told in [rules.score_sheet(after), *(rules.view(after, seat) for seat in [None, *range(seats)])]:
                assert json.loads(json.dumps(told)) == told


@every_table
def test_views_are_the_same_made_of_that_of_all_which_they_leave_alone(rules, seats, rng):
    for state in random_positions(rules, seats, rng, 25):
        of_all = rules.view(state, None)
        for seat in range(seats):
            assert rules.view(state, seat, of_all) == rules.view(state, seat)
            assert rules.view(state, seat).keys() == of_all.keys()
        assert of_all == rules.view(state, None)


@every_table
def test_events_say_when_a_deal_ends(rules, seats, rng):
    ends = {Meaning.DEAL_SCORED, Meaning.DEAL_DROPPED}

    for before, move, after in played_on(rules, rules.new_match(seats, random_options(rules, seats, rng)), rng):
        meanings = [rules.meaning(event) for event in rules.events(before, move, after)]
        has_ended = rules.to_act(before) != CHANCE and rules.to_act(after) in (CHANCE, None)
        assert len(ends.intersection(meanings)) == has_ended


@every_table
def test_no_hidden_card_is_anywhere_in_a_view(rules, seats, rng):
    hidden_cards = 0

    for state in random_positions(rules, seats, rng, 25):
        for seat in [None, *range(seats)]:
            hidden = rules.hidden_from(state, seat)
            assert strings_in(rules.view(state, seat)).isdisjoint(hidden)
            hidden_cards += len(hidden)

    assert hidden_cards > 0


@every_table
def test_dealing_anew_what_a_seat_cannot_see_leaves_its_view_alone(rules, seats, rng):
    changed = 0

    for state in random_positions(rules, seats, rng, 25):
        for seat in [None, *range(seats)]:
            other = dealt_anew(rules, state, seat, rng)
            assert rules.view(other, seat) == rules.view(state, seat)
            changed += other != state

    assert changed > 0


@every_table
def test_sampled_state_looks_the_same_to_its_seat(rules, seats, rng):
    differs = 0

    for state in random_positions(rules, seats, rng, 25):
        for seat in [None, *range(seats)]:
            view = rules.view(state, seat)
            sampled = rules.sample(json.loads(json.dumps(view)), rng)
            assert rules.view(sampled, seat) == view
            assert rules.load(json.loads(json.dumps(rules.dump(sampled)))) == sampled
            assert rules.score_sheet(sampled).keys() == rules.score_sheet(state).keys()
            differs += sampled != state

    assert differs > 0


@every_table
def test_sampled_state_can_be_played_to_the_end(rules, seats, rng):

    for state in random_positions(rules, seats, rng, 1):
        sampled = rules.sample(rules.view(state, rng.choice([None, *range(seats)])), rng)
        ends = [sampled, *(after for _, _, after in played_on(rules, sampled, rng))]
        assert len(rules.standings(ends[-1])) == seats


def spoilt_moves(move, legal):
    """Moves one step away from `move`, less those that happen to be legal."""
    spoilt = [move | {"seat": 0}, move | {"": None}, move | {None: None}]
    spoilt += [{other: move[other] for other in move if other != key} for key in move]
    spoilt += [move | {key: junk} for key in move for junk in JUNK]
    listed = {same_move(other) for other in legal}
    return [other for other in spoilt if safely_written(other) not in listed]


def safely_written(move):
    try:
        return same_move(move)
    except (TypeError, ValueError):  # no JSON, so no legal move
        return None


def spoil(value):
    """Empty every list and dict in a JSON value."""
    for inner in value.values() if isinstance(value, dict) else value:
        if isinstance(inner, list | dict):
            spoil(inner)
    value.clear()


def dealt_anew(rules, state, seat, rng):
    """The state with the cards hidden from `seat` exchanged among each other."""
    hidden = sorted(rules.hidden_from(state, seat))
    exchange = dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))

    def exchanged(value):
        if isinstance(value, list):
            return [exchanged(item) for item in value]
        if isinstance(value, dict):
            return {key: exchanged(item) for key, item in value.items()}
        return exchange.get(value, value)

    return rules.load(exchanged(rules.dump(state)))
