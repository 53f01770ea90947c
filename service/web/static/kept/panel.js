// Shows what is kept on this phone, and asks a person what becomes of it.
import * as words from "./words.js";

function element(name, text, more = {}) {
  return Object.assign(document.createElement(name), { textContent: text, ...more });
}

function button(text, act, quiet = false) {
  return element("button", text, { type: "button", onclick: act, className: quiet ? "secondary" : "" });
}

function row(...controls) {
  const made = element("div", "", { className: "actions" });
  made.append(...controls);
  return made;
}

function signIn(door) {
  const link = door ? element("a", worded("Come in again"), { href: door }) : element("a", worded(
    "Sign in"), { href: "/sign-in" });
  link.setAttribute("role", "button");
  return link;
}

export function makePanel(root, queue, base) {
  const people = JSON.parse(root.dataset.people);
  const called = root.dataset.called;
  const drawn = {};
  let refusal = "";

  // Each with a button that drops it, unless it may have been recorded already.
  function list(items, turn = null) {
    const made = element("ol", "");
    items.forEach((item, at) => {
      const text = words.named(item, at, people, turn);
      const line = element("li", `${text} `, { dir: "auto" });
      if (!item.tried && items.length > 1) {
        const drop = button(worded("Drop"), () => queue.drop([item]), true);
        drop.setAttribute("aria-label", worded("Drop {0}", text));
        line.append(drop);
      }
      made.append(line);
    });
    return made;
  }

  function unsent(items) {
    const why = element("p", words.unsent(items, queue.stopped, called, root.dataset.door));
    if (!queue.stopped) return [why, list(items)];
    const anew = button(worded("Show the page anew"), () => {
      queue.leaving = true; // asked for by our own button: no warning
      location.reload();
    });
    if (queue.stopped.slug === "other-sign-in") return [why, row(anew)];
    if (queue.stopped.slug === "upgrade-required") return [why, list(items), row(anew)];
    return [why, list(items), row(signIn(root.dataset.door), button(worded("Try again"), queue.again, true))];
  }

  // Two recorders that went apart: what the other one recorded beside what waits here, each in its order.
  function compared(items, meanwhile) {
    const made = element("div", "", { className: "compared" });
    const theirs = element("div", "");
    theirs.append(element("b", worded("Recorded")), ...meanwhile.map((each) => element("div", each, { dir: "auto" })));
    const ours = element("div", "");
    const own = list(items, base().turn);
    items.forEach((item, at) => own.children[at].classList.toggle("same", alike([item], meanwhile).length > 0));
    ours.append(element("b", worded("On this phone")), own);
    made.append(theirs, ours);
    return made;
  }

  // What the other one has recorded too, as far as its words tell; none of it may have been recorded from here already.
  function alike(items, meanwhile) {
    const there = meanwhile.map((each) => each.toLowerCase());
    return items.filter(
      (item) => !item.tried && item.said && there.some((each) => each.includes(item.said.toLowerCase())),
    );
  }

  function held(items) {
    const { slug, ask, yes, meanwhile } = items[0].held;
    const parts = [element("p", words.question(items), { id: "held-why" })];
    parts.push(meanwhile?.length ? compared(items, meanwhile) : list(items, base().turn));
    const happened = button(yes, () => queue.send(ask));
    if (slug === "confirm-needed") return [...parts, row(happened, button(worded("A slip"), queue.slip, true))];
    const send = button(slug === "lost-race" ? worded("Send after that") : worded("Send"), () => queue.send());
    const there = meanwhile ? alike(items, meanwhile) : [];
    if (there.length) parts.push(row(button(words.dropAlike(there), () => queue.drop(there), true)));
    return [...parts, row(send, button(items.length === 1 ? worded("Drop it") : worded("Drop them"), () => queue.drop(
      items), true))];
  }

  function others(items) {
    const made = [];
    for (const who of new Set(items.map((item) => item.who))) {
      const own = items.filter((item) => item.who === who);
      const name = own[0].called;
      made.push(element("p", words.ofAnother(own, name)));
      if ("directs" in root.dataset) made.push(row(button(worded("Drop what {0} tapped", name), () => queue.drop(own),
        true)));
    }
    return made;
  }

  function refused() {
    const why = element("p", refusal);
    why.setAttribute("role", "alert");
    return [why, row(button(worded("Close"), () => say(""), true))];
  }

  function typed(items) {
    return items.flatMap((item) => {
      const link = element("a", worded("Go on with it"), { href: item.page });
      link.setAttribute("role", "button");
      return [element("p", words.typed(item)), row(link, button(worded("Drop it"), () => queue.drop([item]),
        true))];
    });
  }

  // Draws a part again only when it says something else: a button must stay under its finger.
  function draw(id, items, parts) {
    const target = root.querySelector(`#${id}`);
    const fresh = element("div", "");
    if (items.length) fresh.append(...parts(items));
    const now = fresh.innerHTML + items.map((item) => item.key).join();
    if (drawn[id] === now) return;
    drawn[id] = now;
    const within = target.contains(document.activeElement);
    target.replaceChildren(...fresh.childNodes);
    target.hidden = !items.length;
    if (!within) return;
    const [place, button] = target.hidden ? [document, "main .entry button, main form button"] : [target, "button"];
    place.querySelector(button)?.focus({ preventScroll: true });
  }

  function redraw() {
    draw("refused", refusal ? [{ key: refusal }] : [], refused);
    draw("unsent", queue.lost || queue.stopped ? queue.waiting() : [], unsent);
    draw("held", queue.held(), held);
    const here = ({ page, form }) => page === location.pathname + location.search ||
      document.querySelector(`form[data-typing="${CSS.escape(form)}"]`);
    draw("typed", queue.typed().filter((item) => !here(item)), typed);
    draw("others", queue.others(), others);
  }

  function say(text) {
    refusal = text;
    redraw();
  }
  // the page can be scrolled until nothing of it is behind what stands at the bottom
  const now = root.querySelector(".now");
  const { style } = document.querySelector("main");

  function below() {
    const high = `${now.offsetHeight}px`;
    style.paddingBottom = high;
    document.documentElement.style.setProperty("--now", high);
  }
  if (window.ResizeObserver) new ResizeObserver(below).observe(now);
  return { redraw, say };
}
