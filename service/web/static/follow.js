// A page of a tournament follows it: when something has happened the page is read again and what has changed is put in
// its place, unless somebody is typing there. Clocks count down.
window.addEventListener("DOMContentLoaded", () => {
  document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  const here = document.querySelector("[data-follow]");
  if (!here) return;

  function busy() {
    const at = document.activeElement;
    return (at && here.contains(at) && at.matches("input, select, textarea")) || typed();
  }

  function typed() {
    return [...here.querySelectorAll("input:not([type=hidden]), textarea")].some((each) =>
      each.type === "checkbox" || each.type === "radio" ?
      each.checked !== each.defaultChecked :
      each.value !== each.defaultValue,
    );
  }

  // The table whose details are in view stays in view, also where it was only offered.
  function address() {
    const beside = here.querySelector("[data-here]");
    return beside && beside.offsetParent ? beside.dataset.here : location.href;
  }

  const folds = () => [...here.querySelectorAll("details")];
  let due = false;
  async function draw(from) {
    if (busy()) {
      due = true;
      return;
    }
    due = false;
    const answer = await fetch(from || address(), { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.querySelector("[data-follow]");
    if (!fresh || busy()) return;
    const open = folds().map((each) => each.open);
    here.innerHTML = fresh.innerHTML;
    here.dataset.version = fresh.dataset.version;
    folds().forEach((each, at) => {
      if (open[at]) each.open = true;
    });
    tick();
    return true;
  }

  // A round ends by the clock of the service, from which that of a phone may differ. An answer says whole seconds.
  let ahead = 0;
  async function compare() {
    if (!document.querySelector("[data-until]")) return;
    try {
      const asked = Date.now();
      const answer = await fetch("/health/live", { cache: "no-store" });
      const apart = Date.parse(answer.headers.get("date")) + 500 - (asked + Date.now()) / 2;
      if (Number.isFinite(apart)) ahead = Math.abs(apart) < 2000 ? 0 : apart;
    } catch {
      // no connection: it is as it was
    }
    tick();
  }

  function tick() {
    for (const each of document.querySelectorAll("[data-until]")) {
      const left = Math.round((Date.parse(each.dataset.until) - Date.now() - ahead) / 1000);
      const past = left < 0 ? "+" : "";
      const seconds = Math.abs(left);
      each.textContent = `${past}${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      each.classList.toggle("flag", left < 0);
    }
  }

  function hear(message) {
    if (message.data !== here.dataset.version) draw();
  }
  listen(here.dataset.follow, hear, tellEnd); // of ended.js
  // Calls are told to those who direct, and by a stream of their own.
  if (here.dataset.news) {
    const said = document.querySelector("#said");
    listen(here.dataset.news, (message) => {
      if (message.data === here.dataset.mark) return;
      here.dataset.mark = message.data;
      if (said) said.textContent = worded("A case was opened, or something happened in one.");
      draw();
    });
  }
  // A table is chosen where it stands: nothing scrolls, unless what was typed has to be asked about first.
  here.addEventListener("click", async (tap) => {
    const pick = tap.target.closest("a.pick");
    if (!pick || tap.ctrlKey || tap.metaKey || tap.shiftKey || typed()) return;
    tap.preventDefault();
    if (!(await draw(pick.href))) return location.assign(pick.href);
    history.replaceState(null, "", pick.href);
    document.getElementById(pick.hash.slice(1))?.querySelector("a").focus({ preventScroll: true });
  });
  here.addEventListener("focusout", () => setTimeout(() => due && draw()));
  // What was typed and not sent is not left without a word.
  let sent = false;
  here.addEventListener("submit", () => (sent = true));
  window.addEventListener("pageshow", () => (sent = false));
  window.addEventListener("beforeunload", (event) => {
    if (typed() && !sent) event.preventDefault();
  });
  setInterval(tick, 1000);
  setInterval(compare, 60_000);
  tick();
  compare();
});
