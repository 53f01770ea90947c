// What waits on this phone, on a page of its table: sent as soon as the page is open, and leaving warns.
import { makePanel } from "./panel.js";
import { makeQueue } from "./queue.js";
import * as store from "./store.js";
import { counts, notRecorded } from "./words.js";

// `hear` has base(), recorded(item, answer), refused(item, answer) and perhaps changed(queue).
export function keptOn(root, hear) {
  const { match, who, called, era } = root.dataset;
  const here = { match, who, called, era };
  const queue = makeQueue(here, {
    base: hear.base,
    recorded(item, answer) {
      if (item.result) store.drop(store.typedOn(here, item.form, item.named)?.key);
      panel.say("");
      hear.recorded(item, answer);
    },
    refused(item, answer) {
      hear.refused(item, answer);
      if (!store.find(item.key)) panel.say(notRecorded(item, answer.refused.said));
      panel.redraw();
    },
    changed() {
      panel.redraw();
      hear.changed?.(queue);
    },
  });
  const panel = makePanel(root, queue, hear.base);

  function add(item) {
    const made = queue.add(item);
    navigator.storage?.persist?.().catch(() => {}); // asked for where a browser can promise it
    if (!made) panel.say(
      worded("{0} taps wait on this phone: it can keep no more until they are sent or dropped.", store.MOST),
    );
    return made;
  }

  store.onChange(panel.redraw); // what another tab keeps it sends itself, as long as nobody looks here
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) queue.again();
  });
  window.addEventListener("beforeunload", (event) => {
    if (!queue.leaving && (queue.waiting().length || queue.held().length)) event.preventDefault();
  });
  store.ready.then(() => {
    const old = store.expire();
    if (old.length) panel.say(worded("{0} kept on this phone for more than 14 days: dropped.", counts(old)));
    panel.redraw();
    queue.run();
  });
  return { here, queue, add, redraw: panel.redraw };
}
