"""The pages of lobby, tables, matches and players."""

from django.urls import path

from games.pages import history, lobby, match, metrics, replay, site

urlpatterns = [
    path("", lobby.lobby, name="lobby"),
    path("tables/new/", lobby.open_table, name="open_table"),
    path("play/<slug:game>/", lobby.quick_play, name="quick_play"),
    path("play/<slug:game>/friends/", lobby.await_friends, name="await_friends"),
    path("learn/<slug:game>/", lobby.learn, name="learn"),
    path("matches/", history.my_matches, name="my_matches"),
    path("matches/<slug:code>/", match.match, name="match"),
    path("matches/<slug:code>/sit/", match.sit, name="sit"),
    path("matches/<slug:code>/stand/", match.stand, name="stand"),
    path("matches/<slug:code>/bot/", match.bot, name="bot"),
    path("matches/<slug:code>/program/", match.program, name="program"),
    path("matches/<slug:code>/free/", match.free, name="free"),
    path("matches/<slug:code>/entropy/", match.entropy, name="entropy"),
    path("matches/<slug:code>/start/", match.start, name="start"),
    path("matches/<slug:code>/leave/", match.leave, name="leave"),
    path("matches/<slug:code>/move/", match.move, name="move"),
    path("matches/<slug:code>/ready/", match.ready, name="ready"),
    path("matches/<slug:code>/resume/", match.resume, name="resume"),
    path("matches/<slug:code>/rematch/", match.rematch, name="rematch"),
    path("matches/<slug:code>/sheet/", match.sheet, name="sheet"),
    path("matches/<slug:code>/last/", match.last_deal, name="last_deal"),
    path("matches/<slug:code>/replay/", replay.replay, name="replay"),
    path("matches/<slug:code>/replay/frames/", replay.frames, name="replay_frames"),
    path("matches/<slug:code>/odd/", replay.odd, name="odd"),
    path("matches/<slug:code>/shuffle/", replay.shuffle, name="shuffle"),
    path("players/<str:name>/", history.profile, name="profile"),
    path("rules/", site.rules_index, name="rules_index"),
    path("rules/<slug:game>/", site.rules, name="rules"),
    path("favicon.ico", site.favicon),
    path("credits/", site.credits, name="credits"),
    path("metrics", metrics.metrics, name="metrics"),
]
