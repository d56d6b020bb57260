"""The URLs of the sockets."""

from django.urls import path, re_path

from games.live.consumers import BellConsumer, ClubConsumer, LobbyConsumer, MatchConsumer, NotFoundConsumer
from games.live.programs import ProgramConsumer
from games.live.tally_socket import TallyConsumer
from games.live.together import TogetherConsumer

program_urlpatterns = [path("ws/bot/", ProgramConsumer.as_asgi())]  # for programs, which have no session or origin
websocket_urlpatterns = [
    path("ws/bell/", BellConsumer.as_asgi()),
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/matches/<slug:code>/", MatchConsumer.as_asgi()),
    path("ws/clubs/<slug:code>/", ClubConsumer.as_asgi()),
    path("ws/tallies/<slug:code>/", TallyConsumer.as_asgi()),
    path("ws/together/<slug:room>/", TogetherConsumer.as_asgi()),
    re_path("", NotFoundConsumer.as_asgi()),
]
