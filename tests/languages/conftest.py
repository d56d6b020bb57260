import pytest

from games.kit import language
from games.languages import using_language
from tests.languages import made_up


@pytest.fixture(scope="session")
def _built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("locale")
    made_up.build(folder)
    return folder


@pytest.fixture
def made_up_language(_built, settings, monkeypatch):
    """The site has a language in which every message stands in brackets. Its code."""
    settings.LANGUAGES = [("en", "English"), (made_up.CODE, "Made up")]
    settings.LOCALE_PATHS = [_built]
    monkeypatch.setattr(language, "FOLDERS", [_built])
    language._catalog.cache_clear()
    yield made_up.CODE
    language._catalog.cache_clear()


@pytest.fixture
def spoken(made_up_language):
    """It is spoken in the test."""
    with using_language(made_up_language):
        yield made_up_language
