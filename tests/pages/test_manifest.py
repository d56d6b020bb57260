"""What a phone installs of the site."""

from io import BytesIO

from django.contrib.staticfiles import finders
from PIL import Image


def test_the_site_can_be_installed(client, db):
    page = client.get("/").text
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    answer = client.get("/manifest.webmanifest")
    told = answer.json()

    assert answer["Content-Type"] == "application/manifest+json"
    assert (told["scope"], told["start_url"], told["display"]) == ("/", "/", "standalone")
    assert {(icon["sizes"], icon["purpose"]) for icon in told["icons"]} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    for icon in told["icons"]:
        with open(finders.find(icon["src"].removeprefix("/static/")), "rb") as file:
            drawn = Image.open(BytesIO(file.read()))
        assert "{}x{}".format(*drawn.size) == icon["sizes"]
        corner = drawn.convert("RGBA").getpixel((0, 0))[3]
        assert corner == (255 if icon["purpose"] == "maskable" else 0)
