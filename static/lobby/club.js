// The page of a club: its notices, tables and chat as the server sends them, and what is said. A page that nobody sees
// has no socket.

import { Socket } from "../site/socket.js";

const socket = new Socket(() => `/ws${location.pathname}`);
const form = document.getElementById("talk-words");
const field = document.getElementById("talk-text");
const error = document.getElementById("talk-error");
const lines = () => document.getElementById("club-talk");
let unsent = "";

function scroll() {
  lines()?.scrollTo({ top: lines().scrollHeight });
}
scroll();

document.addEventListener("socket:html", ({ detail: text }) => {
  const old = lines();
  const follows = !old || old.scrollTop + old.clientHeight > old.scrollHeight - 40;
  htmx.swap({ sourceElement: document.getElementById("club-live"), target: "#club-live", swap: "innerMorph", text });
  if (follows) scroll();
});
document.addEventListener("socket:message", ({ detail: { refused, said } }) => {
  if (said && field.value === unsent) field.value = "";
  if (refused && error) error.textContent = refused;
  if (error) error.hidden = !refused;
});
form?.addEventListener("submit", (event) => {
  unsent = field.value;
  if (socket.send({ say: unsent })) event.preventDefault(); // Without a socket the form is sent.
});
document.addEventListener("visibilitychange", () => (document.hidden ? socket.close() : socket.connect()));
