"""Chat at tables, messages between friends and comments on moves, with reports, mutes and settings."""

from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render, resolve_url
from django.urls import reverse

from accounts.models import User
from accounts.names import casefold
from accounts.next_page import next_url
from accounts.people.blocks import has_blocked
from accounts.people.ties import are_friends
from accounts.suspension import open_to_suspended
from games.chat import letters, posting, reporting
from games.chat.models import ChatMessage, DirectMessage, Mute, Report
from games.chat.reading import phrases_only, readable_lines
from games.comments import reading, writing
from games.comments.models import LONGEST
from games.kit.language import lazy, say
from games.models import Match
from games.notifications import bell
from games.pages import replay_parts as parts
from games.pages.looking import opened_match, visible_match, visible_snapshot
from games.pages.refusals import NotHere, act, first_of, page
from games.play.errors import NotAllowed, Refused
from games.play.requests import KEY_LIMIT, clean_count

GONE = lazy("That was deleted, or you may not read it. Go back.")
NEIGHBOURS = 5  # A reported line is shown with so many lines before and after it.
THANKS = lazy("Thank you. A moderator will look at it.")


@act()
def post(request: HttpRequest, code: str) -> HttpResponse:
    """Post a line or a phrase at a table, for browsers without a socket."""
    visible_snapshot(request, code)
    posting.post(request.user.pk, code, phrase=request.POST.get("phrase", ""), text=request.POST.get("text", ""))
    return redirect("match", code)


@page("people", needs_login=True, posts=True)
def line(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Show a line of the chat in its context, with the means to report or mute its author. By POST, report it."""
    lines_by_reader = readable_lines(visible_snapshot(request, code), [request.user.pk])
    lines = lines_by_reader[request.user.pk]
    index = next((index for index, other in enumerate(lines) if other.pk == pk), None)
    if index is None:
        raise NotHere(GONE)
    if request.method == "POST":
        stored = ChatMessage.objects.select_related("user", "match").get(pk=pk)
        reporting.report_line(request.user, stored, request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, str(THANKS))
        return redirect("match", code)
    neighbours = lines[max(0, index - NEIGHBOURS) : index + NEIGHBOURS + 1]
    excerpt = [(other.name, other.words, other.pk == pk) for other in neighbours]
    speaker = User.objects.get(pk=lines[index].user_id)
    return about_author(request, speaker, excerpt, back=resolve_url("match", code), back_words=say("Back to the table"))


@page("people", needs_login=True, posts=True)
def message(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a message from a friend, with the means to report it or mute its author. By POST, report it."""
    stored = DirectMessage.objects.filter(pk=pk, recipient=request.user, hidden=False).select_related("sender").first()
    if stored is None or has_blocked(request.user.pk, [stored.sender_id]):
        raise NotHere(GONE)
    if request.method == "POST":
        reporting.report_message(request.user, stored, request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, str(THANKS))
        return redirect("messages", stored.sender.username)
    excerpt = [(stored.sender.username, stored.text, True)]
    back = resolve_url("messages", stored.sender.username)
    return about_author(request, stored.sender, excerpt, back=back, back_words=say("Back to the messages"))


def about_author(
    request: HttpRequest, speaker: User, excerpt: list[tuple[str, str, bool]], *, back: str, back_words: str
) -> HttpResponse:
    """Render the page about a text, where the reader can report it and mute or block its author.

    excerpt: the text and its neighbours, as (name, words, whether it is the text itself). back, back_words: the address
    and the words of the link to the previous page.
    """
    context = {
        "other": speaker,
        "mine": speaker == request.user,
        "excerpt": excerpt,
        "muted": Mute.objects.filter(muter=request.user, muted=speaker).exists(),
        "reasons": Report.Reason.choices,
        "back": back,
        "back_words": back_words,
    }
    return render(request, "chat/about.html", context)


@open_to_suspended
@act("people")
def mute(request: HttpRequest, name: str) -> HttpResponse:
    """Mute a user, or unmute them if the field "mute" is "no"."""
    other = _active_user(name)
    if request.POST.get("mute") == "no":
        posting.unmute(request.user, other)
        messages.success(request, say("You see what {name} says again.", name=other))
    else:
        posting.mute(request.user, other)
        sentence = "You no longer see what {name} says. They don’t find out."
        messages.success(request, say(sentence, name=other))
    return HttpResponseRedirect(next_url(request) or resolve_url("chat_settings"))


@open_to_suspended
@page("people", needs_login=True, posts=True)
def chat_settings(request: HttpRequest) -> HttpResponse:
    """Let a user choose between free text and phrases only, and list the users whom they have muted."""
    if request.method == "POST":
        wants_phrases = request.POST.get("phrases_only") == "yes"
        posting.set_phrases_only(request.user, phrases_only=wants_phrases)
        sentence = "You use phrases only." if wants_phrases else "You see free text and can write it."
        messages.success(request, say(sentence))
        return redirect("chat_settings")
    context = {
        "phrases_only": bool(phrases_only([request.user.pk])),
        "muted": [mute.muted for mute in Mute.objects.filter(muter=request.user).select_related("muted")],
        "free": settings.TALK == "free",
    }
    return render(request, "chat/settings.html", context)


@page("history", needs_login=True)
def inbox(request: HttpRequest) -> HttpResponse:
    """List the user's conversations, the latest first."""
    return render(request, "chat/inbox.html", {"conversations": letters.conversations(request.user)})


@page("history", needs_login=True, posts=True)
def conversation(request: HttpRequest, name: str) -> HttpResponse:
    """Show the messages between two friends. By POST, send one.

    Users who are friends no more can still read their old messages.
    """
    other = _active_user(name)
    friends = are_friends(request.user, other)
    if other == request.user or has_blocked(request.user.pk, [other.pk]):
        raise NotHere(GONE)
    error, text, status = "", "", 200
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            posting.write(request.user, other, text)
            return redirect("messages", other.username)
        except Refused as refusal:
            error, status = str(refusal), refusal.status
    lines = letters.read(request.user, other)
    if not (lines or friends):
        raise NotAllowed(lazy("Messages are for friends. Ask them to be your friend first."))
    context = {"other": other, "lines": lines, "friends": friends, "error": error, "text": text}
    template = "chat/conversation.html#lines" if request.htmx else "chat/conversation.html"
    return render(request, template, context, status=status)


def _active_user(name: str) -> User:
    """Return a user by name, in any case. Raises NotHere."""
    try:
        return get_object_or_404(User, casefolded_name=casefold(name.replace("\0", "")), is_active=True)
    except Http404:
        raise NotHere(lazy("There is nobody of that name. Check the spelling.")) from None


@page("replay", needs_login=True, posts=True)
def comments(request: HttpRequest, code: str) -> HttpResponse:
    """Show the comments on a move of a match, ?move=147. By POST, write a comment or a reply.

    Fields of the form: "text"; "for", which is "me" for a private note; "answers", the key of the comment to reply to.
    If the comment is refused, show the page again with the reason and the text. The replay asks by htmx for the
    comments and the form alone, and shows them beside the table.
    """
    match = opened_match(request, code)
    move = clean_count(request.GET.get("move"))
    error, status, data = "", 200, request.POST
    answers = clean_count(data["answers"], KEY_LIMIT) if data.get("answers") else None
    if data.get("answers") and answers is None:
        raise NotHere(writing.GONE)
    if request.method == "POST":
        draft = writing.Draft(move, data.get("text", ""), is_private=data.get("for") == "me", answers=answers)
        try:
            comment = writing.write(request.user, match, draft)
            return redirect(
                next_url(request) or f"{_comments_address(request, code, comment.move)}#comment-{comment.pk}"
            )
        except Refused as refusal:
            error, status = str(refusal), refusal.status
    bell.mark_read(request.user.pk, *bell.COMMENTS, match=match.pk)
    replay = parts.replay_of(request, match)
    if move is None or move > replay.last:
        raise NotHere(lazy("This match has no such move. Choose one in the replay."))
    context = parts.move_context(replay, move) | {
        "comments": reading.comments_by_move(match.pk, request.user.pk).get(move, ()),
        "address": _comments_address(request, code, move),
        "back": f"{reverse('replay', args=[code])}?{_replay_query(request, move)}",  # The replay at this move.
        "longest": LONGEST,
        "error": error,
        "text": data.get("text", ""),
        "answers": answers,
        "obstacle": _obstacle_to_comment(request.user, match),  # Why the user can't write here, or "".
    }
    template = "comments/comments.html#talk" if request.htmx else "comments/comments.html"
    return render(request, template, context, status=status)


@page("people", needs_login=True, posts=True)
def comment(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Show a comment with the means to report it or mute its author. By POST, report it."""
    match = opened_match(request, code)
    stored = first_of(reading.readable_comments(match.pk, request.user.pk).filter(pk=pk), writing.GONE)
    back = _comments_address(request, code, stored.move)
    if request.method == "POST":
        writing.report(request.user, match, pk, request.POST.get("reason"), request.POST.get("note", ""))
        messages.success(request, str(THANKS))
        return redirect(back)
    author = User.objects.get(pk=stored.author_id)
    excerpt = [(author.username, stored.text, True)]  # The comment alone, without neighbours.
    return about_author(request, author, excerpt, back=back, back_words=say("Back to the comments"))


@open_to_suspended
@act("people")
def delete_comment(request: HttpRequest, code: str, pk: int) -> HttpResponse:
    """Delete one of the user's own comments."""
    match = visible_match(request, code)
    move = writing.delete(request.user, match, pk)
    if move is None:
        raise NotHere(writing.GONE)
    messages.success(request, say("Deleted."))
    return redirect(next_url(request) or _comments_address(request, code, move))


def _obstacle_to_comment(user: User, match: Match) -> str:
    """Return the reason why a user can't comment on a match, or ""."""
    try:
        writing.check_author(user, match)
    except Refused as refusal:
        return str(refusal)
    return ""


def _comments_address(request: HttpRequest, code: str, move: int) -> str:
    return f"{reverse('comments', args=[code])}?{_replay_query(request, move)}"


def _replay_query(request: HttpRequest, move: int) -> str:
    """Return the query that opens the replay at a move, with the seat and the open cards of the present address."""
    viewpoint = {key: request.GET.get(key, "") for key in ("seat", "open")}
    return urlencode(
        {"move": move} | {key: value for key, value in viewpoint.items() if value.isascii() and value.isdigit()}
    )
