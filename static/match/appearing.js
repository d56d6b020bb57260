// Shows what comes after a while without a new table: that it may be asked whether somebody still plays.

import { whenDrawn } from "./table.js";
import { say } from "./voice.js";

let timers = [];

whenDrawn(({ frame }) => {
  timers.forEach(clearTimeout);
  timers = [...document.querySelectorAll("#table [data-appears]")].map((element) => {
    const at = frame.at + Number(element.dataset.appears) * 1000;
    return setTimeout(appear, at - performance.now(), element);
  });
});

function appear(element) {
  element.hidden = false;
  say(element.querySelector(".idle-words").innerText.trim());
}
