// The list that the bell opens in place, which is read again when something new comes. Pages without a socket of their
// own get one that tells how much is new.

import { sentence } from "../site/sentences.js";
import { Socket, fetchPage, isLeaving } from "../site/socket.js";

const LIST = "#bell-list";
const { reader } = document.body.dataset;
const link = document.getElementById("bell");

/** Where a page without another socket hears of its reader's bell; "" for visitors. */
export const bellAddress = link && reader ? `/ws/bell/?reader=${reader}` : "";

// The modules of the page have run by then, and made their sockets.
addEventListener("DOMContentLoaded", () => {
  if (bellAddress && !Socket.isThere) new Socket(() => bellAddress, { refetches: false });
});

// The panel

let panel = null;
let wasOpen = false; // when the pointer went down, which closes the panel

const isOpen = () => Boolean(panel?.matches(":popover-open"));

link?.addEventListener("pointerdown", () => (wasOpen = isOpen()));
link?.addEventListener("click", (event) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey || document.querySelector(`main ${LIST}`)) return;
  event.preventDefault();
  if (event.detail ? wasOpen : isOpen()) panel.hidePopover();
  else open();
});

function open() {
  if (!panel) {
    panel = document.createElement("div");
    Object.assign(panel, { id: "bell-panel", className: "bell-panel panel", popover: "auto", tabIndex: -1 });
    panel.setAttribute("role", "dialog");
    panel.setAttribute("aria-label", sentence("bell"));
    const list = document.createElement("div");
    list.id = LIST.slice(1);
    panel.append(list);
    link.after(panel);
  }
  const { top, bottom } = link.getBoundingClientRect();
  const isAtBottom = top > innerHeight / 2; // the bar of a table on a phone
  panel.style.setProperty(isAtBottom ? "bottom" : "top", `${Math.round(isAtBottom ? innerHeight - top : bottom) + 6}px`);
  panel.style.setProperty(isAtBottom ? "top" : "bottom", "auto");
  panel.showPopover();
  panel.focus();
  load();
}

const failed = () => location.assign(link.href); // it says what is wrong

async function load() {
  try {
    show(await fetchPage(link.href));
  } catch {
    failed();
  }
}

/** Show the list of a page, with what it says beside that. */
function show(page, said = "") {
  const list = page.querySelector(LIST);
  if (!list) {
    failed();
    return;
  }
  const messages = [...page.querySelectorAll(".messages:not(#announcements) .notice")].map((notice) => notice.textContent);
  for (const text of [said, ...messages].filter(Boolean)) {
    const notice = document.createElement("p");
    Object.assign(notice, { className: "notice", textContent: text });
    notice.setAttribute("role", "status");
    list.prepend(notice);
  }
  const shown = document.querySelector(LIST);
  const hadFocus = shown.contains(document.activeElement);
  shown.replaceWith(list);
  if (hadFocus) (panel ?? document.getElementById("content"))?.focus();
  document.dispatchEvent(new CustomEvent("page:drawn"));
}

// What is done in place

document.addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const isOurs = form.closest(LIST) && ("inPlace" in form.dataset || "inPlace" in (submitter?.dataset ?? {}));
  if (!isOurs || event.defaultPrevented) return;
  event.preventDefault();
  const action = submitter?.getAttribute("formaction") ?? form.action;
  try {
    const answer = await fetchPage(action, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (answer.querySelector(LIST)) show(answer);
    else show(await fetchPage(link.href), answer.querySelector("main .notice, .messages .notice")?.textContent);
  } catch {
    failed();
  }
});

document.addEventListener("bell:rang", ({ detail: hasNews }) => {
  if (hasNews && !isLeaving() && (isOpen() || document.querySelector(`main ${LIST}`)) && !document.hidden) load();
});
