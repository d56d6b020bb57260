import pytest
from django.http import QueryDict

from games.play.errors import Refused
from games.play.requests import clean_move

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
