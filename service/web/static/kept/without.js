// A table on a page that has nothing of it but what it offered when it was last seen: everything is drawn anew, and
// every tap is kept until it can be sent.
import { choose, playThere, squareFirst } from "../boards.js";
import { makeKeys } from "../keys.js";
import { lyingOn, paint, part } from "./board.js";
import { makeLaying } from "./laying.js";
import { drawOffers, nameSeats, offerTapped } from "./offered.js";
import { shownOn } from "./shown.js";
import { blank, tapped } from "./tapped.js";

// `main` has the places of what is tapped; `base` tells what the next tap builds on. Returns what draws it again.
export function goOn(main, { kept, offer, base }) {
  const place = main.querySelector("[data-offered]");
  const dock = main.querySelector("[data-below]");
  const people = JSON.parse(main.querySelector("#kept").dataset.people);
  place.dataset.secret = offer.hides ?? "";
  const all = Object.values(offer.taps).filter((tap) => !(offer.secret && tap.card));
  const act = (tap, button) => {
    offerTapped(kept, offer, tap, button, base());
    draw();
  };
  const cards = all.some((tap) => tap.card);
  const parts = [cards && part(offer, "modifiers"), ...drawOffers(all.filter((tap) => tap.card), act, "grid52")];
  const calls = drawOffers(all.filter((tap) => !tap.card), act);
  const laying = part(offer, "laying");
  const board = part(offer, "board");
  const first = location.pathname.endsWith("/layout") && !kept.queue.cards().begun;
  const squares = first ? [laying, board] : [board, laying];
  place.append(...[...parts, squares[0], ...calls, squares[1]].filter(Boolean));
  const [undo, claim] = ["undo", "claim"].map((name) => part(offer, name));
  if (undo) dock.prepend(undo);
  if (claim) dock.append(claim);
  for (const each of [laying, claim]) nameSeats(each, people);
  if (laying) makeLaying(laying.querySelector("form"), kept, { offer, base, done: () => draw() });
  for (const each of [place, dock]) each.hidden = false;

  function draw() {
    blank(main, kept.queue, offer.gone ?? []);
    paint(main, offer, kept.queue, true);
  }

  main.addEventListener("submit", (event) => {
    event.preventDefault();
    const { target: form, submitter } = event;
    if (submitter?.matches(".blank") || !form.closest("[data-part]")) return;
    const body = new URLSearchParams(new FormData(form, submitter));
    const tap = tapped(main, form, submitter, body, { on: base(), own: null, offer });
    if (!kept.queue.twice(tap.same)) kept.add(tap);
    choose(main);
    form.closest("details.claim")?.removeAttribute("open");
    draw();
  });
  main.addEventListener("click", (event) => squareFirst(main, event));
  main.addEventListener("change", ({ target }) => {
    if (target.matches(".picks input:not(:focus-visible)")) playThere(main, !kept.queue.cards().facts.length);
  });
  document.addEventListener("keydown", makeKeys(main, { busy: false, lost: true }));
  draw();
  return draw;
}

// What a table shows that came with an answer, as far as a page goes on with it that does not draw it.
export function shownIn(html, offer) {
  const fresh = document.createElement("template");
  fresh.innerHTML = html;
  return { ...shownOn(fresh.content), lying: lyingOn(fresh.content, offer) };
}
