"""The search for members by name."""

from django.db.models.functions import Length

from accounts.models import User
from accounts.names import search_key
from accounts.people.blocks import apart_from
from accounts.people.models import Privacy

SHORTEST = 2  # Letters. Shorter texts find nobody.
MOST = 8  # Hits: nobody lists the members of a site.


def find(user: User, text: str) -> list[User]:
    """Return the members whose names begin with a text, without case and accents. The shortest names come first.

    Users who hide their names are not found. After a block neither finds the other, so nobody can tell why.
    """
    key = search_key(text.replace("\0", ""))
    if len(key) < SHORTEST:
        return []
    members = User.objects.filter(search_name__startswith=key, is_active=True, is_guest=False, is_program=False)
    visible = members.exclude(pk__in=[user.pk, *apart_from(user)]).exclude(privacy__hides_name=True)
    return list(visible.order_by(Length("search_name"), "pk")[:MOST])


def hides_name(user: User) -> bool:
    return Privacy.objects.filter(user=user, hides_name=True).exists()


def set_hides_name(user: User, hides: bool) -> None:
    Privacy.objects.update_or_create(user=user, defaults={"hides_name": hides})
