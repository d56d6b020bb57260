// Every page: what small things of the site need a script for.

import "./back.js";
import "./confirm.js";
import "./copy.js";
import "./language.js";
import "./menus.js";
import "./password.js";
import "./settings.js";
import "./times.js";
import "./waiting.js";
import "../notices/again.js";

// htmx begins by itself, on a slow line before the script of sockets has come: that then learns of no element.
document.addEventListener("DOMContentLoaded", () => htmx.process(document.body));
