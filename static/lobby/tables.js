// The tables of the lobby, as the server sends them. A page that nobody sees has no socket.

import { Socket } from "../site/socket.js";

const socket = new Socket(() => "/ws/lobby/");

document.addEventListener("socket:html", ({ detail: text }) =>
  htmx.swap({ sourceElement: document.getElementById("tables"), target: "#tables", swap: "innerMorph", text }),
);
document.addEventListener("visibilitychange", () => (document.hidden ? socket.close() : socket.connect()));
