class WhistDrawing:
    tells_tricks = False
