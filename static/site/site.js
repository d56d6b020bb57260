// Every page: what small things of the site need a script for.

import "./guard.js";
import "./announcements.js";
import "./back.js";
import "./confirm.js";
import "./copy.js";
import "./language.js";
import "./menus.js";
import "./offline.js";
import "./password.js";
import "./settings.js";
import "./times.js";
import "./waiting.js";
import "../notifications/again.js";
import "../notifications/bell.js";
