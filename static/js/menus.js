// Menus (<details class="menu">) close on Esc, and when something else is clicked or focused.

const OPEN = "details.menu[open]";

for (const type of ["click", "focusin"]) {
  document.addEventListener(type, ({ target }) => {
    for (const menu of document.querySelectorAll(OPEN)) if (!menu.contains(target)) menu.open = false;
  });
}

document.addEventListener("keydown", ({ key }) => {
  const menu = key === "Escape" && document.querySelector(OPEN);
  if (!menu) return;
  if (menu.contains(document.activeElement)) menu.querySelector("summary").focus();
  menu.open = false;
});
