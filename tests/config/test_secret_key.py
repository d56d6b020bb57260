"""The key of a site that was given none."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from config.secret_key import load_secret_key


def test_a_key_is_made_once_and_kept_for_its_owner_only(tmp_path):
    path = tmp_path / ".env"

    key = load_secret_key(path)

    assert len(key) >= 50
    assert load_secret_key(path) == key
    assert path.stat().st_mode & 0o077 == 0


def test_other_settings_stay(tmp_path):
    path = tmp_path / ".env"
    path.write_text("ALLOWED_HOSTS=valat.example")
    path.chmod(0o644)

    key = load_secret_key(path)

    assert "ALLOWED_HOSTS=valat.example\n" in path.read_text()
    assert f"SECRET_KEY={key}" in path.read_text()
    assert path.stat().st_mode & 0o777 == 0o600


def test_processes_that_start_at_once_have_the_same_key(tmp_path):
    with ThreadPoolExecutor(8) as processes:
        keys = set(processes.map(load_secret_key, [tmp_path / ".env"] * 8))

    assert len(keys) == 1


def test_where_none_can_be_kept_it_is_said_in_one_line(tmp_path):
    with pytest.raises(SystemExit) as stopped:
        load_secret_key(tmp_path / "nowhere" / ".env")

    assert "set it in the environment" in str(stopped.value)
    assert "\n" not in str(stopped.value)
