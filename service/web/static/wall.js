// A wall turns over by itself until somebody says stop, and not at all where less motion is wanted; its controls are
// there while somebody moves.
window.addEventListener("DOMContentLoaded", () => {
  const over = document.querySelector("[data-next]");
  const pause = over.querySelector("button");
  const next = () => location.replace(over.dataset.next);
  let turn;

  function go(on) {
    clearTimeout(turn);
    pause.setAttribute("aria-pressed", !on);
    pause.textContent = on ? worded("pause") : worded("go on");
    if (on) turn = setTimeout(next, over.dataset.seconds * 1000);
  }
  pause.addEventListener("click", () => go(pause.getAttribute("aria-pressed") === "true"));
  go(!matchMedia("(prefers-reduced-motion: reduce)").matches);
  let still;

  function moved() {
    document.body.classList.remove("still");
    clearTimeout(still);
    still = setTimeout(() => document.body.classList.add("still"), 3000);
  }
  for (const each of ["pointermove", "pointerdown", "focusin"]) document.addEventListener(each, moved);
  document.addEventListener("keydown", (event) => {
    moved();
    if (event.key === "ArrowRight") next();
    if (event.key === " " && !event.target.closest("button, a")) {
      event.preventDefault();
      pause.click();
    }
  });
  document.body.classList.add("still");
});
