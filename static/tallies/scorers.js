// The games whose score the device can count, by slug.

import { scorer as belot } from "../belot/tally.js";
import { scorer as bids } from "../bids/tally.js";
import { scorer as bleven } from "../bleven/tally.js";
import { scorer as ohHell } from "../oh_hell/tally.js";

export const scorers = { "oh-hell": ohHell, belot, bids, bleven };
