"""The form that opens a table: it offers what fits, keeps what was chosen, and drops nothing without a word."""

import re
from html import unescape

import pytest
from django.http import QueryDict

from games.catalog import LEVELS, all_games, get_rules
from games.models import Match
from games.play.errors import Refused
from games.play.requests import clean_move

pytestmark = pytest.mark.django_db


HTMX = {"HX-Request": "true"}


def fields_of(page):
    """What a form's fields stand at: {name: text}."""
    page = page.partition("<footer")[0]  # which has forms of its own
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
    fields |= dict(re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)"[^>]* checked', page))
    for name, inside in re.findall(r'<select name="(\w+)".*?>(.*?)</select>', page, re.DOTALL):
        fields[name] = re.search(r'value="([^"]*)" selected', inside)[1]
    return fields


def offered(page, name):
    """The values that a field offers, as texts."""
    menu = re.search(rf'<select name="{name}".*?</select>', page, re.DOTALL)
    return re.findall(r'value="([^"]*)"', menu[0]) if menu else re.findall(rf'name="{name}" value="([^"]*)"', page)


def page_of(client, game, **query):
    return unescape(client.get("/tables/new/", {"game": game} | query).content.decode())


def redrawn(client, game, page, **changes):
    """The page as it comes when fields of a drawn one have been changed."""
    form = fields_of(page) | changes
    return unescape(client.post(f"/tables/new/?game={game}", form | {"redraw": "1"}).content.decode())


def opened(client, game, page, **changes):
    """The match that a drawn form opens with these changes."""
    answer = client.post(f"/tables/new/?game={game}", fields_of(page) | changes)
    assert answer.status_code == 302, unescape(answer.content.decode())
    return Match.objects.get(code=answer.url.strip("/").split("/")[-1])


def test_a_table_is_opened_by_its_form(as_ana):
    form = {
        "seats": "5",
        "bots": "2",
        "speed": "fast",
        "listed": "no",
        "watching": "friends",
        "chat": "all",
        "entropy_hash": "C0" * 32,
        "option_game_style": "short-down",
        "option_scoring_style": "negative",
    }

    answer = as_ana.post("/tables/new/?game=oh-hell", form)

    match = Match.objects.get()
    assert answer.url == match.get_absolute_url()
    assert match.options == {"game_style": "short-down", "scoring_style": "negative"}
    assert (match.seat_count, match.speed, match.listed, match.seats.count()) == (5, "fast", False, 3)
    assert (match.terms.watching, match.terms.chat) == ("friends", "all")
    assert match.seats.get(user__isnull=False).entropy_hash == "c0" * 32


def test_a_rated_table_gets_a_clock_and_an_error_has_the_focus(as_ana):
    page = page_of(as_ana, "oh-hell")
    assert fields_of(redrawn(as_ana, "oh-hell", page, rated="yes"))["speed"] == "normal"
    refused = as_ana.post("/tables/new/?game=oh-hell", fields_of(page) | {"rated": "yes", "bots": "1"})

    assert refused.status_code == 400
    focused = re.findall(r'name="(\w+)" value="\w+"[^>]*autofocus', refused.content.decode())
    assert set(focused) == {"rated"}
    assert opened(as_ana, "oh-hell", page, rated="yes").speed == "normal"


@pytest.mark.parametrize("game", ["oh-hell", "belot", "bids", "bleven"])
def test_the_form_as_it_stands_waits_for_friends_without_a_clock(as_ana, game):
    match = opened(as_ana, game, page_of(as_ana, game))

    rules = get_rules(game)
    assert (match.listed, match.speed, match.seats.count()) == (False, "untimed", 1)
    assert match.options == rules.named_options(rules.default_seats, rules.find_preset(""))


@pytest.mark.parametrize(
    "field, value",
    [("seats", "9"), ("bots", "5"), ("speed", "x"), ("option_game_style", "x"), ("seats", ""), ("watching", "me")],
)
def test_a_wrong_form_is_shown_again_with_what_is_wrong(as_ana, field, value):
    form = {"seats": "5", "bots": "0", "speed": "fast", "listed": "yes"}
    form |= {"option_game_style": "long", "option_scoring_style": "positive"}

    answer = as_ana.post("/tables/new/?game=oh-hell", form | {field: value})

    assert answer.status_code == 400
    assert "errorlist" in answer.content.decode()
    assert not Match.objects.exists()


# Bots


def bots_of(match):
    return list(match.seats.exclude(bot="").order_by("place").values_list("bot", flat=True))


def test_each_bot_has_its_level_which_stays_when_their_number_changes(as_ana):
    page = page_of(as_ana, "belot")
    assert "level_0" not in fields_of(page)
    page = redrawn(as_ana, "belot", page, bots="2")
    page = redrawn(as_ana, "belot", page, bots="3", level_0="hard", level_1="easy")

    assert fields_of(page) | {"level_0": "hard", "level_1": "easy", "level_2": "normal"} == fields_of(page)
    assert offered(page, "level_0") == ["easy", "normal", "hard"]
    assert LEVELS["hard"].help in page
    assert bots_of(opened(as_ana, "belot", page, bots="2")) == ["hard", "easy"]


def test_a_game_whose_bots_are_all_alike_asks_for_no_level(as_ana, monkeypatch):
    bids = next(game for game in all_games() if game.slug == "bids")
    monkeypatch.setattr("games.catalog._GAMES", [bids._replace(bots={"sensible-1": bids.bots["sensible-1"]})])

    page = redrawn(as_ana, "bids", page_of(as_ana, "bids"), bots="1")

    assert "level_0" not in fields_of(page)
    assert bots_of(opened(as_ana, "bids", page)) == ["sensible-1"]


def test_a_form_sent_without_levels_or_with_none_of_ours(as_ana):
    page = page_of(as_ana, "oh-hell")

    assert bots_of(opened(as_ana, "oh-hell", page, bots="2")) == ["normal", "normal"]
    refused = as_ana.post("/tables/new/?game=oh-hell", fields_of(page) | {"bots": "1", "level_0": "random"})
    assert refused.status_code == 400
    assert "errorlist" in refused.content.decode()
    assert Match.objects.count() == 1


def test_the_front_page_plays_at_the_level_of_the_last_time(as_ana):
    def put_forward():
        return re.findall(r'value="(\w+)" selected', as_ana.get("/").content.decode())

    assert put_forward()[:2] == ["normal", "normal"]
    as_ana.post("/play/oh-hell/", {"level": "easy"})
    page = redrawn(as_ana, "belot", page_of(as_ana, "belot"), bots="1")
    opened(as_ana, "belot", page, level_0="hard")

    assert put_forward()[:2] == ["easy", "hard"]
    as_ana.post("/play/belot/")  # as from the rules page, which asks for no level
    assert bots_of(Match.objects.latest("pk")) == ["hard"] * 3


def test_a_level_that_is_not_ours_is_refused_with_a_sentence(as_ana):
    answer = as_ana.post("/play/oh-hell/", {"level": "random"})

    assert answer.status_code == 400
    assert "no bots of that level" in unescape(answer.content.decode())
    assert not Match.objects.exists()


def test_seats_left_free_go_to_bots_of_the_level_that_the_host_chose_last(as_ana):
    match = opened(as_ana, "belot", page_of(as_ana, "belot"))
    as_ana.post(f"/matches/{match.code}/bot/", {"level": "easy"})

    as_ana.post(f"/matches/{match.code}/start/")

    assert bots_of(match) == ["easy"] * 3


def test_the_host_adds_a_bot_of_a_level_and_all_see_it(as_ana):
    match = opened(as_ana, "belot", page_of(as_ana, "belot"))
    page = as_ana.get(match.get_absolute_url()).content.decode()
    (form,) = re.findall(r'id="bot-hard" method="post" action="([^"]+)"', page)

    as_ana.post(form, {"level": "hard", "team": "1"})

    page = as_ana.get(match.get_absolute_url()).content.decode()
    assert re.findall(r'<span title="([^"]+)">(hard bot)</span>', page) == [(LEVELS["hard"].help, "hard bot")]
    assert match.seats.get(bot="hard").team == 1


# Seats


@pytest.mark.parametrize("seats, deals", [(2, ["3+3+3"]), (3, ["3+2+3", "3+3+2"]), (4, ["3+2+3", "3+3+2"])])
def test_only_what_fits_the_seats_is_offered(as_ana, seats, deals):
    page = page_of(as_ana, "belot", seats=seats)

    assert offered(page, "bots") == [str(count) for count in range(seats)]
    if len(deals) == 1:
        assert offered(page, "option_deal") == []
        assert f"Fixed with {seats} players: 3, 3, then 3." in " ".join(page.split())
    else:
        assert offered(page, "option_deal") == deals


def test_other_seats_keep_all_that_was_chosen(as_ana):
    chosen = {"bots": "1", "speed": "relaxed", "listed": "yes", "preset": "croatian", "option_target": "51"}
    chosen |= {"option_kirtik": "True"}
    page = redrawn(as_ana, "belot", page_of(as_ana, "belot", preset="croatian"), **chosen)

    after = fields_of(redrawn(as_ana, "belot", page, seats="3"))

    assert after | chosen == after
    assert (after["seats"], after["option_deal"]) == ("3", "3+3+2")


def test_what_nobody_changed_is_as_usual_with_the_new_seats(as_ana):
    four = page_of(as_ana, "bids", seats=4)
    chosen = redrawn(as_ana, "bids", four, option_surprise="True")

    six = fields_of(redrawn(as_ana, "bids", chosen, seats="6"))

    assert fields_of(four)["option_ally"] == "False"
    assert (six["option_ally"], six["option_surprise"]) == ("True", "True")


def test_what_so_many_seats_can_not_have_is_told_and_never_dropped(as_ana):
    form = fields_of(page_of(as_ana, "bids", seats=4)) | {"option_ally": "True", "seats": "3"}
    sentence = "Ally: three players can’t choose “With the Ally”."

    shown = unescape(as_ana.post("/tables/new/?game=bids", form | {"redraw": "1"}).content.decode())
    refused = as_ana.post("/tables/new/?game=bids", form)

    assert sentence in shown
    assert refused.status_code == 400
    assert sentence in unescape(refused.content.decode())
    assert not Match.objects.exists()
    assert opened(as_ana, "bids", refused.content.decode()).options["ally"] is False  # what is shown by then


def test_more_bots_than_there_is_room_for_are_told(as_ana):
    page = page_of(as_ana, "belot", bots="3")

    after = redrawn(as_ana, "belot", page, seats="2")

    assert "With 2 players there is room for no more than 1 bot, as one seat is yours." in after
    assert fields_of(after)["bots"] == "1"


# Presets and lengths


def test_a_preset_keeps_everything_but_the_rules_it_names(as_ana):
    chosen = {"seats": "3", "bots": "2", "speed": "fast", "listed": "yes", "option_target": "101"}
    page = redrawn(as_ana, "belot", page_of(as_ana, "belot"), **chosen)

    match = opened(as_ana, "belot", redrawn(as_ana, "belot", page, preset="encyclopedia"))

    assert (match.seat_count, match.seats.count(), match.speed, match.listed) == (3, 3, "fast", True)
    assert match.options == get_rules("belot").clean_options(3, {"target": 101})


def test_a_preset_chosen_without_scripts_is_played_though_the_form_was_not_redrawn(as_ana):
    match = opened(as_ana, "bids", page_of(as_ana, "bids"), preset="turnabout")

    assert (match.options["lowest"], match.options["surprise"]) == (True, True)


@pytest.mark.parametrize("game", ["belot", "bids", "bleven"])
def test_the_form_says_what_each_way_to_play_changes_and_begins_with_it(as_ana, game):
    rules = get_rules(game)
    for preset in rules.presets:
        page = page_of(as_ana, game, preset=preset.slug)
        usual = rules.named_options(rules.default_seats, preset)
        options = {name[7:]: text for name, text in fields_of(page).items() if name.startswith("option_")}

        assert f"<strong>{preset.name}</strong>" in page
        assert preset.help in page
        assert options == {name: str(usual[name]) for name in options}


def test_lengths_say_about_how_long_they_take(as_ana):
    assert "To 51, about 6 minutes" in page_of(as_ana, "belot")


def test_the_length_played_last_is_there_again(as_ana):
    as_ana.post("/play/belot/", {"length": "short"})

    assert fields_of(page_of(as_ana, "belot"))["option_target"] == "51"
    assert fields_of(page_of(as_ana, "bids"))["option_rounds"] == "5"


# Ways to send it


def test_only_the_fields_come_when_a_script_asks_for_them(as_ana):
    form = fields_of(page_of(as_ana, "bids")) | {"seats": "3", "redraw": "1"}

    fragment = as_ana.post("/tables/new/?game=bids", form, headers=HTMX).content.decode()

    assert "<html" not in fragment
    assert fragment.count('id="table-fields"') == 1
    assert re.search(r'id="option-fields" hx-swap-oob="true"', fragment)


def test_a_redrawn_form_opens_no_table(as_ana):
    redrawn(as_ana, "belot", page_of(as_ana, "belot"), seats="2")

    assert not Match.objects.exists()


@pytest.mark.whole
@pytest.mark.parametrize("name", ["seats", "bots", "preset", "length", "option_target", "drawn_seats", "drawn_preset"])
@pytest.mark.parametrize("text", ["", "x", "-1", "٣", "9" * 30, "\0"])
def test_no_address_breaks_the_form(as_ana, name, text):
    assert as_ana.get("/tables/new/", {"game": "belot", name: text}).status_code == 200


PREDICT = '{"type":"predict","bet":{"field":"stones"},"positions":[{"field":"places"}]}'


def posted(query):
    return QueryDict(f"seen=3&{query}")


def test_numbers_of_a_move_may_come_from_fields():
    data = posted("stones=4&places=3&places=1").copy()
    data["move"] = PREDICT

    assert clean_move(data) == ({"type": "predict", "bet": 4, "positions": [1, 3]}, 3)


@pytest.mark.parametrize(("places", "positions"), [({}, []), ({"places": "2"}, [2]), ({"places": ["2", "1"]}, [1, 2])])
def test_fields_come_by_socket_too(places, positions):
    message = {"move": PREDICT, "seen": 3, "stones": "4"} | places

    assert clean_move(message)[0]["positions"] == positions


@pytest.mark.parametrize("stones", ["", "four", "-1", "1.5", "1" * 10, 4, None, ["4", "5"], {"a": 1}, [[1]]])
def test_what_is_no_number_in_a_field_is_refused(stones):
    with pytest.raises(Refused):
        clean_move({"move": PREDICT, "seen": 3, "stones": stones})


def test_moves_without_fields_stay_as_they_are():
    move = {"type": "play", "card": "TH", "list": [1, 2], "dict": {"field": 1}}

    assert clean_move({"move": move, "seen": 3}) == (move, 3)
