"""The form for wrong words on a page, and the page for people who want to help with a translation."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.views import members_only
from games.chat import corrections
from games.kit.language import say
from games.pages.refusals import page
from games.play.errors import Refused


@members_only
@page("people", posts=True)
def wrong_word(request: HttpRequest) -> HttpResponse:
    """Show the form for wrong words on a page, ?page=/rules/belot/. By POST, send them to the staff."""
    error, status = "", 200
    address = corrections.page_of(request.POST.get("page", request.GET.get("page")))
    if request.method == "POST":
        try:
            corrections.send(request.user, address, request.POST.get("words"), request.POST.get("suggestion"))
            messages.success(request, say("Thank you! The people who run this site will read it."))
            return redirect(f"{reverse('wrong_word')}?{urlencode({'page': address})}")
        except Refused as refusal:
            error, status = str(refusal), refusal.status
    context = {"page": address, "error": error, "fields": request.POST, "longest": corrections.LONGEST}
    return render(request, "site/wrong_word.html", context, status=status)


@require_safe
def help_translate(request: HttpRequest) -> HttpResponse:
    return render(request, "site/help_translate.html")
