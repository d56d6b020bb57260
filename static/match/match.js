// The page of a match: each of these does one job, and hears of every new table from table.js.

import "./connection.js";
import "./entropy.js";
import "./hand.js";
import "./play.js";
import "./fields.js";
import "./speech.js";
import "./turn.js";
import "./clocks.js";
import "./appearing.js";
import "./heard.js";
import "./sheet.js";
import "./rules.js";
import "./hint.js";
import "./claim.js";
import "./keys.js";
import "./motion.js";
