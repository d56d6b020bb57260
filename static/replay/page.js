// The parts of the page of a replay, and what it says of its match.

import { Positions } from "./positions.js";
import { sentence } from "../site/sentences.js";

export const page = document.getElementById("replay");
export const table = document.getElementById("table");
export const sheet = document.getElementById("sheet");
export const moves = document.getElementById("moves");
export const form = document.getElementById("controls");
export const slider = document.getElementById("move");
export const wide = matchMedia("(min-width: 60rem)");

export const match = JSON.parse(document.getElementById("replay-data").textContent);
export const positions = new Positions(match, sentence);
