// Arrow keys step through a replay: left and right by fact, up and down by trick.
const KEYS = {
  ArrowLeft: "back",
  ArrowRight: "on",
  ArrowUp: "trick_back",
  ArrowDown: "trick_on",
  Home: "first",
  End: "last",
};
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  const link = document.querySelector(`[data-step="${KEYS[event.key]}"]`);
  if (link) {
    event.preventDefault();
    link.click();
  }
});
window.addEventListener("DOMContentLoaded", () => {
  const here = document.querySelector(".timeline [aria-current]");
  const list = here?.closest(".timeline");
  if (list) list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - 60;
});
