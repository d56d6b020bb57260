// The tables of the lobby, as the server sends them. A page that nobody sees hears only of its reader's bell.

import { bellAddress } from "../notifications/bell.js";
import { Socket } from "../site/socket.js";

const socket = new Socket(() => (document.hidden && bellAddress) || "/ws/lobby/");

document.addEventListener("socket:html", ({ detail: text }) =>
  htmx.swap({ sourceElement: document.getElementById("tables"), target: "#tables", swap: "innerMorph", text }),
);
document.addEventListener("visibilitychange", () => (document.hidden && !bellAddress ? socket.close() : socket.connect()));
