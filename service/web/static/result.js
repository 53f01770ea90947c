// A typed result: what is in the form is kept while it is typed, and what was sent until the service has answered.
import { keptOn } from "./kept/page.js";
import * as store from "./kept/store.js";

const root = document.querySelector("#kept");
const table = `/matches/${root.dataset.match}`;
const forms = [...document.querySelectorAll("form[data-result]")];

const kept = keptOn(root, {
  base: () => ({ version: forms[0].elements.version.value }),
  recorded(item) {
    if (item.result && !kept.queue.waiting().length && !kept.queue.held().length) location.assign(table);
  },
  refused(_, answer) {
    if (!answer.head) return;
    for (const form of forms) form.elements.version.value = answer.head; // what others did is said
  },
});

function controls(form) {
  return [...form.elements].filter((each) => each.name && each.type !== "hidden" && each.type !== "submit");
}

function valuesOf(form) {
  return controls(form)
    .filter((each) => each.type !== "radio" || each.checked)
    .map((each) => [each.name, each.value]);
}

function fill(form, typed) {
  for (const [name, value] of typed)
    for (const each of controls(form).filter((control) => control.name === name)) {
      if (each.type === "radio") each.checked = each.value === value;
      else each.value = value;
    }
  form.dispatchEvent(new Event("change", { bubbles: true }));
}

// A form by the same word in every language, and as people call it.
function formOf(form) {
  return { form: form.dataset.form, named: form.dataset.result };
}

function typedOn(form) {
  return store.typedOn(kept.here, form.dataset.form, form.dataset.result);
}

// What was typed in an earlier visit is replaced, which the shelf tells once it is open.
async function keepTyped(form) {
  begun.add(form);
  await store.ready;
  const before = typedOn(form);
  const typed = valuesOf(form);
  if (before) store.keep({ ...before, typed });
  else store.add({ ...kept.here, ...formOf(form), page: location.pathname + location.search, typed });
}

function said(form) {
  const figures = [...document.querySelectorAll("#preview b")].map((each) => each.textContent);
  return form.dataset.result + (figures.length ? `: ${figures.join(" – ")}` : "");
}

// Where figures add up to a known sum, the last one follows from the others, until somebody taps it.
function follow(form, tapped) {
  const groups = {};
  for (const each of form.querySelectorAll("[data-adds-up]"))
    (groups[each.querySelector("input").name.split(".")[0]] ??= []).push(each);
  if (tapped) tapped.closest("fieldset")?.removeAttribute("data-follows");
  for (const group of Object.values(groups)) {
    const open = group.filter((each) => "follows" in each.dataset || !each.querySelector(":checked"));
    if (open.length !== 1) continue;
    const given = group.filter((each) => each !== open[0]).map((each) => Number(each.querySelector(":checked").value));
    const rest = Number(open[0].dataset.addsUp) - given.reduce((sum, each) => sum + each, 0);
    const last = [...open[0].querySelectorAll("input")].find((each) => Number(each.value) === rest);
    if (!last) continue;
    last.checked = true;
    open[0].dataset.follows = "";
  }
}

const begun = new WeakSet();
for (const form of forms) {
  form.addEventListener("input", (event) => {
    follow(form, event.target);
    keepTyped(form);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const action = form.getAttribute("action");
    const body = new URLSearchParams(new FormData(form, event.submitter)).toString();
    const same = `${action} ${body}`;
    if (kept.queue.waiting().at(-1)?.same === same) return;
    kept.add({ action, body, same, said: said(form), result: true, ...formOf(form) });
  });
  if ([...form.elements].some(isTouched)) {
    // tapped before this script had come: it counts, and the counts that follow from it too
    follow(form, null);
    keepTyped(form);
    form.dispatchEvent(new Event("change", { bubbles: true }));
  }
}

function isTouched(each) {
  if (each.type === "radio") return each.checked !== each.defaultChecked;
  return each.type === "number" && each.value !== each.defaultValue;
}

// What was typed before stands in the form again, unless somebody has begun to type anew meanwhile.
store.ready.then(() => forms.forEach(fillAgain));

function fillAgain(form) {
  const before = typedOn(form);
  if (before && !begun.has(form)) {
    fill(form, before.typed);
    form.querySelector("[data-typed]").hidden = false;
    form.querySelector("[data-typed] button").addEventListener("click", () => {
      store.drop(before.key);
      location.reload();
    });
  }
}
