"""Comments on a move of a finished match: the page where they are written, replied to, deleted and reported."""

from urllib.parse import urlencode

from django.contrib import messages
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import User
from accounts.suspension import open_to_suspended
from games.comments import reading, writing
from games.comments.models import LONGEST
from games.history.replay import Replay
from games.kit.language import lazily, said
from games.pages.chat import THANKS, about
from games.pages.decorators import act, page
from games.pages.looking import opened_match, seen_match
from games.pages.refusals import NotHere
from games.play.errors import Refused
from games.play.requests import KEY_LIMIT, clean_count


@page("replay", known=True, posts=True)
def comments(request, code):
    """The comments on a move, ?move=147 and as for the replay; by POST one is written, or a reply to another."""
    match = opened_match(request, code)
    move = clean_count(request.GET.get("move"))
    error, status, given = "", 200, request.POST
    answers = None
    if given.get("answers") and (answers := clean_count(given["answers"], KEY_LIMIT)) is None:
        raise NotHere(writing.GONE)
    if request.method == "POST":
        try:
            written = writing.write(
                request.user,
                match,
                writing.Draft(move, given.get("text", ""), is_private=given.get("for") == "me", answers=answers),
            )
            return redirect(f"{_address(request, code, written.move)}#comment-{written.pk}")
        except Refused as refusal:
            error, status = str(refusal), refusal.status
    if not match.move_count:
        raise NotHere(lazily("This match hasn’t started yet."))
    shown = Replay(match, request.user.pk)
    if move is None or move > shown.last:
        raise NotHere(lazily("This match has no such move."))
    context = {
        "match": match,
        "move": move,
        "where": shown.label(move),
        "words": shown.words(move),
        "comments": reading.comments_by_move(match.pk, request.user.pk).get(move, ()),
        "address": _address(request, code, move),
        "back": f"{reverse('replay', args=[code])}?{_query(request, move)}",
        "longest": LONGEST,
        "error": error,
        "text": given.get("text", ""),
        "answers": answers,
        "obstacle": _obstacle(request.user, match),
    }
    return render(request, "comments/comments.html", context, status=status)


@page("people", known=True, posts=True)
def comment(request, code, pk):
    """What may be done about a comment and who wrote it; by POST it is reported."""
    match = opened_match(request, code)
    found = reading.readable(match.pk, request.user.pk).filter(pk=pk).first()
    if found is None:
        raise NotHere(writing.GONE)
    back = _address(request, code, found.move)
    if request.method == "POST":
        writing.report(request.user, match, pk, request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, str(THANKS))
        return redirect(back)
    author = User.objects.get(pk=found.author_id)
    return about(request, author, [(author.username, found.text, True)], back=back, to=said("Back to the comments"))


@open_to_suspended
@act("people")
def delete_comment(request, code, pk):
    """Delete a comment of one's own."""
    match = seen_match(request, code)
    move = writing.delete(request.user, match, pk)
    if move is None:
        raise NotHere(writing.GONE)
    messages.success(request, said("Deleted."))
    return redirect(_address(request, code, move))


def _obstacle(user, match):
    """Why somebody can't comment on a match, or ""."""
    try:
        writing.demand_author(user, match)
    except Refused as refusal:
        return str(refusal)
    return ""


def _address(request, code, move):
    return f"{reverse('comments', args=[code])}?{_query(request, move)}"


def _query(request, move):
    """The address of a move in the replay, seen as it is now."""
    seen = {key: request.GET.get(key, "") for key in ("seat", "open")}
    return urlencode(
        {"move": move} | {key: value for key, value in seen.items() if value.isascii() and value.isdigit()}
    )
