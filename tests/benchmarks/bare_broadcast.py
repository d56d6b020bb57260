"""A bare ASGI application, the yardstick of live_speed.py: what one socket sends, all four of its room get, as 5 kB."""

PAGE = "x" * 5000
rooms = {}


async def application(scope, receive, send):
    if scope["type"] != "websocket":
        return
    room = rooms.setdefault(scope["path"], [])
    await receive()
    await send({"type": "websocket.accept"})
    room.append(send)
    while (await receive())["type"] == "websocket.receive":
        for other in room:
            await other({"type": "websocket.send", "text": PAGE})
    room.remove(send)
