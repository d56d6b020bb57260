"""The URLs of the sockets."""

from django.urls import path

from games.consumers import LobbyConsumer, MatchConsumer

websocket_urlpatterns = [
    path("ws/lobby/", LobbyConsumer.as_asgi()),
    path("ws/matches/<slug:code>/", MatchConsumer.as_asgi()),
]
