"""The URLs of the sockets."""

from django.urls import path, re_path

from games.live.consumers import LobbyConsumer, MatchConsumer, NotFoundConsumer

websocket_urlpatterns = [
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/matches/<slug:code>/", MatchConsumer.as_asgi()),
    re_path("", NotFoundConsumer.as_asgi()),
]
