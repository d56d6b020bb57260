// Steps through a replay at once: the frames of a whole deal come in one answer and are shown from memory, and the deals
// next to it are fetched ahead. Each of these modules does one job; all are named here, so that browsers fetch them
// together.

import "./acts.js";
import { replaceAddress } from "./address.js";
import "./controls.js";
import { keepInSight } from "./drawing.js";
import "./frames.js";
import "./keys.js";
import "./marks.js";
import { page, positions } from "./page.js";
import { pause } from "./playing.js";
import "./positions.js";
import "./remark.js";
import "./share.js";
import { fetchAround, shown } from "./show.js";
import "./slider.js";
import "./speech.js";
import "./verdict.js";
import "./together.js";

for (const part of page.querySelectorAll("[data-scripted]")) part.hidden = false;
for (const part of page.querySelectorAll("[data-unscripted]")) part.hidden = true;
pause();
replaceAddress(positions.address(shown()));
keepInSight();
fetchAround();
