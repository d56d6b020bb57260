// The form for a deal, drawn on the device like templates/tallies/entry.html.

import { make } from "../site/elements.js";
import { say } from "./words.js";

/** The words of an option: a text, the sign of a suit, or letters. */
function sign(words) {
  if (words.suit) return make("span", { className: `suit suit-${words.suit}` });
  return words.letters ? make("span", { className: "sign" }, words.letters) : words;
}

/** The form of a reading by scorer.read. place: {isNew, body}. */
export function drawForm({ fields, answers, missing, refusals }, place, error) {
  const form = make("form", { id: "tally-entry", className: "entry stack" });
  form.append(drawAlerts(error, refusals));
  const asked = fields.filter(({ kind }) => kind !== "end");
  for (const field of asked) form.append(...drawField(field, answers[field.name]));
  const numbers = fields.filter(({ name, options }) => name && !options.length);
  if (numbers.length) form.append(drawKeypad(numbers.some(({ least }) => least < 0)));
  form.append(drawButtons(fields, answers, missing, place));
  return form;
}

function drawAlerts(error, refusals) {
  const box = make("div", { role: "alert" });
  if (error) box.append(make("p", { className: "notice bad" }, error));
  for (const refusal of refusals) box.append(make("p", { className: "notice warn" }, refusal));
  return box;
}

function drawField(field, answer) {
  const group = field.group === " " ? [make("hr")] : field.group ? [make("h2", { className: "group" }, field.group)] : [];
  if (!field.name) return [...group, drawAnswered(field, field.note)];
  if (field.folded && answer !== undefined) return [...group, drawFolded(field, answer)];
  return [...group, field.options.length ? drawOptions(field, answer) : drawNumber(field, answer)];
}

const drawAnswered = ({ label }, ...words) => make("p", { className: "answered" }, `${label}: `, make("b", {}, ...words));

function drawFolded(field, answer) {
  const values = [answer].flat().map(String);
  const taken = field.options.filter(({ value }) => values.includes(String(value)));
  const line = drawAnswered(field, ...(field.options.length ? taken.map(({ words }) => sign(words)) : [String(answer)]));
  line.append(...values.map((value) => make("input", { type: "hidden", name: field.name, value })));
  return line;
}

function drawNumber({ name, label, least, most }, answer) {
  const id = `entry-${name}`;
  const properties = { type: "number", id, name, min: least, max: most, value: answer ?? "", className: "input" };
  const input = make("input", { ...properties, autocomplete: "off", inputMode: "numeric" });
  return make("p", { className: "number-field" }, make("label", { htmlFor: id }, label), input);
}

function drawOptions(field, answer) {
  const box = make("fieldset", { className: `answers${field.name === "bid" ? " by-row" : ""}` });
  box.append(make("legend", {}, field.label));
  const taken = [answer].flat().map(String);
  for (const option of field.options) {
    if (option.row) box.append(make("span", { className: "row-head" }, option.row));
    box.append(drawOption(field, option, answer !== undefined && taken.includes(String(option.value))));
  }
  return box;
}

function drawOption({ name, kind }, { value, words, title, closed }, checked) {
  const type = kind === "many" ? "checkbox" : "radio";
  const id = `entry-${name}-${value === "" || value === 0 ? "none" : value}`;
  const input = make("input", { type, id, name, value, checked, disabled: Boolean(closed) });
  const text = make("span", {});
  if (title) {
    const shown = make("span", { ariaHidden: "true" }, sign(words));
    text.append(shown, make("span", { className: "hidden-text" }, title));
  } else {
    text.append(sign(words));
  }
  return make("label", { className: closed ? "closed" : "", title: closed }, input, text);
}

function drawKeypad(mayBeNegative) {
  const button = (words, data) => {
    const made = make("button", { type: "button", tabIndex: -1 }, words);
    Object.assign(made.dataset, data);
    return made;
  };
  const keys = [..."123456789"].map((digit) => button(digit, { digit }));
  keys.push(button("⌫", { erase: "" }), button("0", { digit: "0" }));
  keys.push(mayBeNegative ? button("−", { digit: "-" }) : make("span"));
  return make("div", { className: "keypad", ariaHidden: "true" }, ...keys);
}

function drawButtons(fields, answers, missing, place) {
  const box = make("div", { className: "enter" });
  const early = fields.filter(({ name, early: isEarly }) => name && isEarly);
  const end = fields.find(({ kind }) => kind === "end");
  if (end) {
    const label = make("p", { className: "ends-label", id: `ends-${end.name}` }, end.note);
    const group = make("div", { className: "ends", role: "group" });
    group.setAttribute("aria-labelledby", label.id);
    for (const { value, words } of end.options) {
      const isPrimary = String(answers[end.name]) === String(value) || !Object.keys(place.body).length;
      const className = `button big${isPrimary ? " primary" : ""}`;
      const id = `entry-${end.name}-${value || "none"}`;
      group.append(make("button", { className, id, name: end.name, value }, words));
    }
    box.append(label, group);
  } else if (!missing.length || early.length < fields.filter(({ name }) => name).length) {
    box.append(make("button", { className: "button primary big block" }, say("Save")));
  }
  if (place.isNew && missing.length && early.every(({ name }) => name in answers)) {
    box.append(make("button", { className: "button", name: "act", value: "early" }, say("Save this much for now")));
  }
  return box;
}
