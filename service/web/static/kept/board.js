// A board while taps wait: what lay there, with everything that was tapped since in its place. It does not know the
// rules: every square can be tapped, and so can every card that is not on the table.
const parsed = { html: "", parts: null };

// A part of what the table's page brought along for this, to be drawn.
export function part(offer, name) {
  return partOf(offer, name)?.cloneNode(true) ?? null;
}

function partOf(offer, name) {
  if (parsed.html !== offer.html) {
    const template = document.createElement("template");
    template.innerHTML = offer.html ?? "";
    Object.assign(parsed, { html: offer.html, parts: template.content });
  }
  return parsed.parts?.querySelector(`[data-part="${name}"]`) ?? null;
}

// The board as a page without a network knows it; nothing where the game has none.
export function squareOf(html) {
  const found = partOf({ html }, "board");
  if (!found) return null;
  const { words, first, filled } = found.dataset;
  return { words: words.split(" "), first, filled: filled !== undefined };
}

const cellsOf = (board) => [...board.children].flatMap((line) => [...line.children]);
const look = (element) => ({
  css: element.className.replace(/ ?\bblank\b/, ""),
  text: element.textContent.trim(),
  said: element.getAttribute("aria-label") ?? "",
});

// What lies on a board that the service has drawn, by square.
export function lyingOn(place, offer) {
  const board = place.querySelector(".on-board:not([data-part] *) .board");
  const whole = partOf(offer, "board")?.querySelector(".board");
  if (!board || !whole) return {};
  const names = cellsOf(whole).map((each) => each.dataset.key);
  const found = cellsOf(board).map((each) => each.original ?? each);
  const lies = found.map((each, at) => [names[at], { ...look(each), shut: !each.matches("button") }]);
  return Object.fromEntries(lies.filter(([, each]) => each.css && !/\bspot\b/.test(each.css)));
}

// How each card is printed.
function printed(offer) {
  const found = new Map();
  for (const each of partOf(offer, "board").querySelectorAll(".picks [data-key]"))
    found.set(each.dataset.key, { ...look(each.parentElement), said: each.getAttribute("aria-label") });
  for (const each of partOf(offer, "laying")?.querySelectorAll("[data-pack] button") ?? [])
    found.set(each.dataset.key, look(each));
  return found;
}

function laidOut(laid, spots, cards) {
  const found = new Map();
  (laid ?? []).forEach((code, at) => {
    const { key, said } = spots[at];
    const gap = code[0] === "X";
    const { css, text, said: name } = cards.get(code) ?? { css: "spot", text: "", said: "" };
    found.set(key, gap ? { css: "gap", text: "·", said: `${name || text}, ${said}`, shut: true } : {
      css,
      text,
      said: `${name}, ${said}`
    });
  });
  return found;
}

// What stands on each square: as it lay, and as it was tapped since.
function standing(offer, queue, spots) {
  const { begun, laid, facts } = queue.cards();
  const cards = printed(offer);
  const lying = begun ? laidOut(laid, spots, cards) : new Map(Object.entries(offer.lying ?? {}));
  const since = new Map();
  for (const { square, card } of facts) {
    const spot = spots.find((each) => each.key === square);
    if (!spot) continue;
    const under = since.get(square) ?? lying.get(square);
    if (offer.square.filled) since.set(square, { ...(under ?? spotOf(spot)), blank: true });
    else if (cards.has(card)) since.set(square, covering(cards.get(card), spot, under));
  }
  return { begun, lying, since, gone: new Set([...(begun ? [] : offer.gone), ...facts.map((each) => each.card)]) };
}

const spotOf = ({ key, said }) => ({ css: "spot", text: key, said });

function covering({ css, text, said }, spot, under) {
  const parts = [said, spot.said, ...(under ? [worded("covers a card")] : [])];
  return { css: under ? `${css} covered` : css, text, said: parts.join(", ") };
}

function made({ css, text, said, shut, blank }, { key, step }) {
  const cell = document.createElement(shut ? "span" : "button");
  Object.assign(cell, { className: blank ? `${css} blank` : css, textContent: text });
  if (said) cell.setAttribute("aria-label", said);
  if (shut && said) cell.setAttribute("role", "img");
  if (shut) return cell;
  Object.assign(cell, { name: "cell", value: step });
  cell.dataset.key = key;
  if (blank) cell.setAttribute("aria-disabled", "true");
  return cell;
}

// What is drawn already stays: a tap must not lose its button.
function put(cell, fresh) {
  const mark = fresh.outerHTML;
  if (cell.drawn === mark) return;
  Object.assign(fresh, { drawn: mark, original: cell.original ?? cell });
  const pressed = cell.getAttribute("aria-pressed");
  if (pressed) fresh.setAttribute("aria-pressed", pressed);
  const focused = document.activeElement === cell || cell.contains(document.activeElement);
  cell.replaceWith(fresh);
  if (!focused) return;
  const near = fresh.matches("button") ? fresh : fresh.closest("form").querySelector("button, input");
  near?.focus({ preventScroll: true });
}

function back(cell) {
  if (cell.original) cell.replaceWith(cell.original);
}

// Draws on the board of `place` what was tapped; `whole` says that the service is not reached, so that every square is
// there to be tapped.
export function paint(place, offer, queue, whole) {
  const board = place.querySelector(".on-board .board");
  if (!board || !offer?.square) return;
  const known = partOf(offer, "board");
  const spots = cellsOf(known.querySelector(".board")).map((each) => ({
    key: each.dataset.key,
    step: each.value,
    said: each.getAttribute("aria-label"),
  }));
  const { begun, lying, since, gone } = standing(offer, queue, spots);
  const { first } = offer.square;
  const opening = first && !lying.size && !since.size;
  cellsOf(board).forEach((cell, at) => {
    const spot = spots[at];
    const free = opening && spot.key !== first ? { css: "", text: "", shut: true } : spotOf(spot);
    const under = lying.get(spot.key) ?? free;
    if (since.has(spot.key)) put(cell, made(since.get(spot.key), spot));
    else if (begun || whole) put(cell, made(under, spot));
    else back(cell);
  });
  const told = offer.square.filled && [...lying.values()].some((each) => /\bcard [shdc]/.test(each.css));
  pick(place.querySelector(".on-board .picks"), known.querySelector(".picks"), gone, { anew: begun || whole, told });
}

const cardsOf = (picks) => [...picks.querySelectorAll(".suit")].flatMap((row) => [...row.children]);

function pick(picks, known, gone, { anew, told }) {
  if (!picks || !known) return;
  const folded = picks.closest("details");
  if (folded) folded.hidden = told;
  const whole = cardsOf(known);
  cardsOf(picks).forEach((cell, at) => {
    const code = whole[at].querySelector("input")?.dataset.key;
    if (gone.has(code)) put(cell, Object.assign(document.createElement("span"), { className: "gone" }));
    else if (!cell.matches("label") && cell.original?.matches("label")) back(cell);
    else if (!cell.matches("label") && anew && code) put(cell, whole[at].cloneNode(true));
  });
}
