"""Read and change notes on matches, and saved filters. Both are private."""

from operator import attrgetter

from django.db import transaction

from accounts.models import User
from accounts.names import search_key
from accounts.sorting import by_name
from games.chat.wording import without_unseen
from games.kit.language import lazy
from games.models import Match
from games.notes.models import NAME, QUERY, TAG, TEXT, Note, SavedFilter, Tag
from games.play.errors import Refused

MAX_TAGS = 10  # per note
MAX_FILTERS = 30  # per user


def note_of(user: User, match: Match) -> Note | None:
    """Return the note of a user on a match, with its tags."""
    return Note.objects.filter(user=user, match=match).prefetch_related("tags").first()


def notes_on(user: User, matches: list[int]) -> dict[int, Note]:
    """Return the notes of a user by the primary key of the match. Two queries."""
    return {note.match_id: note for note in Note.objects.filter(user=user, match__in=matches).prefetch_related("tags")}


def tags_of(user: User) -> list[str]:
    """Return all tags of a user, by name."""
    return by_name(set(Tag.objects.filter(note__user=user).values_list("name", flat=True)), str)


@transaction.atomic
def note(user: User, match: Match, *, starred: bool, text: str, tags: str) -> None:
    """Create or replace the user's note on a match that they play or have played. Delete it if nothing is left of it.

    A note has a star or none, a text, and tags. tags: words with commas between them. Raises Refused.
    """
    _check_player(user, match)
    text, names = text.strip() if without_unseen(text) else "", clean_tags(tags)
    if len(text) > TEXT or "\0" in text:
        raise Refused(lazy("This note is too long. Shorten it to {number} characters.", number=f"{TEXT:,}"))
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # Concurrent forms are saved one after the other.
    if not (starred or text or names):
        Note.objects.filter(user=user, match=match).delete()
        return
    fields = {"starred": starred, "text": text, "search_text": search_key(text)}
    row, _ = Note.objects.update_or_create(user=user, match=match, defaults=fields)
    row.tags.all().delete()
    Tag.objects.bulk_create([Tag(note=row, name=name) for name in names])


@transaction.atomic
def star(user: User, match: Match, *, starred: bool) -> None:
    """Add or remove the star of a match, which is part of the user's note on it. Raises Refused."""
    _check_player(user, match)
    if starred:
        Note.objects.update_or_create(user=user, match=match, defaults={"starred": True})
        return
    Note.objects.filter(user=user, match=match).update(starred=False)
    # A note with neither star nor text nor tags is of no use.
    Note.objects.filter(user=user, match=match, starred=False, text="", tags=None).delete()


def clean_tags(text: str) -> list[str]:
    """Return the words between commas in lower case, sorted and without duplicates. Raises Refused."""
    names = sorted({without_unseen(word).lower() for word in text.replace("#", "").split(",")} - {""})
    if len(names) > MAX_TAGS:
        raise Refused(lazy("A match has at most {number} tags. Remove some.", number=MAX_TAGS))
    if any(len(name) > TAG for name in names):
        raise Refused(lazy("A tag has at most {number} letters. Shorten the longer ones.", number=TAG))
    return names


def _check_player(user: User, match: Match) -> None:
    if not match.seats.filter(user=user).exists():
        raise Refused(lazy("Notes are for your own matches. Choose one under My matches."))


def filters_of(user: User) -> list[SavedFilter]:
    """Return the saved filters of a user, by name."""
    return by_name(SavedFilter.objects.filter(user=user), attrgetter("name"))


@transaction.atomic
def save_filter(user: User, name: str, query: str) -> SavedFilter:
    """Save a search by name, and replace one with the same name. query: from the page's URL. Raises Refused."""
    name = without_unseen(name)
    if not 0 < len(name) <= NAME:
        raise Refused(lazy("Name the filters, with at most {number} letters.", number=NAME))
    if not query or len(query) > QUERY or not query.isprintable():
        raise Refused(lazy("There are no filters to save. Choose some first."))
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    others = SavedFilter.objects.filter(user=user).exclude(name=name)
    if others.count() >= MAX_FILTERS:
        sentence = "You have {number} saved filters, as many as we allow. Delete one first."
        raise Refused(lazy(sentence, number=MAX_FILTERS))
    return SavedFilter.objects.update_or_create(user=user, name=name, defaults={"query": query})[0]


def delete_filter(user: User, key: int | None) -> None:
    SavedFilter.objects.filter(user=user, pk=key).delete()
