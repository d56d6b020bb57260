// Menus (<details class="menu">) close on Esc, and when something else on the page is clicked or focused, or when what one
// of them offers is done.

const OPEN = "details.menu[open]";

for (const type of ["click", "focusin"]) {
  document.addEventListener(type, ({ target }) => {
    if (target.closest("dialog, [popover]")) return; // it may have been opened from the menu
    for (const menu of document.querySelectorAll(OPEN)) if (!menu.contains(target)) menu.open = false;
  });
}

document.addEventListener("click", ({ target }) => {
  const menu = target.closest("[data-closes-menu]")?.closest(OPEN);
  if (menu) menu.open = false;
});

document.addEventListener("keydown", ({ key }) => {
  const menu = key === "Escape" && document.querySelector(OPEN);
  if (!menu) return;
  if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
});
