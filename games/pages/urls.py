"""The pages of lobby, tables, matches and players."""

from django.urls import path

from games.pages import replay_views, views

urlpatterns = [
    path("", views.lobby, name="lobby"),
    path("tables/new/", views.open_table, name="open_table"),
    path("play/<slug:game>/", views.quick_play, name="quick_play"),
    path("matches/", views.my_matches, name="my_matches"),
    path("matches/<slug:code>/", views.match, name="match"),
    path("matches/<slug:code>/sit/", views.sit, name="sit"),
    path("matches/<slug:code>/stand/", views.stand, name="stand"),
    path("matches/<slug:code>/bot/", views.bot, name="bot"),
    path("matches/<slug:code>/start/", views.start, name="start"),
    path("matches/<slug:code>/leave/", views.leave, name="leave"),
    path("matches/<slug:code>/move/", views.move, name="move"),
    path("matches/<slug:code>/ready/", views.ready, name="ready"),
    path("matches/<slug:code>/resume/", views.resume, name="resume"),
    path("matches/<slug:code>/rematch/", views.rematch, name="rematch"),
    path("matches/<slug:code>/sheet/", views.sheet, name="sheet"),
    path("matches/<slug:code>/replay/", replay_views.replay, name="replay"),
    path("matches/<slug:code>/replay/frames/", replay_views.frames, name="replay_frames"),
    path("matches/<slug:code>/shuffle/", replay_views.shuffle, name="shuffle"),
    path("players/<str:name>/", views.profile, name="profile"),
    path("rules/", views.rules_index, name="rules_index"),
    path("rules/<slug:game>/", views.rules, name="rules"),
    path("credits/", views.credits, name="credits"),
]
