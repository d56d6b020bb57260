// Filters apply by themselves. The address follows, so that a reload, a bookmark and the way back find the same.

document.addEventListener("htmx:after:swap", () => {
  const { address } = document.querySelector("main").dataset;
  if (address) history.replaceState(history.state, "", address);
});
