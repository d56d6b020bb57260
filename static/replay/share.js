// What may be sent to others follows the position that is shown.

const fields = document.querySelectorAll("[data-share]:not(form)");
const room = document.querySelector("form[data-share]");
const whole = document.getElementById("whole");

/** Name a position in everything that may be sent. */
export function share({ move, seat, open }) {
  for (const field of fields) write(field, (address) => named(address, { move, seat, open }));
  if (room) {
    room.elements.move.value = move;
    room.elements.seat.value = seat;
    room.elements.open.value = open ? "1" : "";
  }
  if (whole) whole.href = named(whole.href, { move, seat, open });
}

function write(field, rename) {
  if (field.dataset.share === "embed") field.value = field.value.replace(/(?<=src=")[^"]*/, rename);
  else if (field.href) field.href = rename(field.href);
  else field.value = rename(field.value);
}

function named(text, { move, seat, open }) {
  const address = new URL(text);
  address.searchParams.set("move", move);
  if (address.searchParams.has("seat")) address.searchParams.set("seat", seat);
  if (open) address.searchParams.set("open", "1");
  else address.searchParams.delete("open");
  return address.href;
}

for (const field of fields) field.addEventListener("focus", () => field.select?.());
