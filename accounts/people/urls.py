"""URLs of friendships, follows and blocks."""

from django.urls import path

from accounts.people import views

urlpatterns = [
    path("presence/", views.presence, name="presence"),
    path("search/", views.search, name="search"),
    path("<str:name>/ask/", views.ask, name="ask_friend"),
    path("<str:name>/accept/", views.accept, name="accept_friend"),
    path("<str:name>/unfriend/", views.unfriend, name="unfriend"),
    path("<str:name>/follow/", views.follow, name="follow"),
    path("<str:name>/unfollow/", views.unfollow, name="unfollow"),
    path("<str:name>/block/", views.block, name="block"),
    path("<str:name>/unblock/", views.unblock, name="unblock"),
]
