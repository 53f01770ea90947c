// The words for what is kept on this phone.

const COUNTED = {
  tap: (number) => worded("{0} tap|{0} taps", number),
  layout: (number) => worded("{0} layout|{0} layouts", number),
  result: (number) => worded("{0} result|{0} results", number),
};
const KEPT = {
  tap: () => worded("Your tap is kept here"),
  layout: () => worded("Your layout is kept here"),
  result: () => worded("Your result is kept here"),
};

function kind(item) {
  if (item.layout) return "layout";
  return item.result || item.typed ? "result" : "tap";
}

export function counts(items) {
  const numbers = Object.keys(COUNTED).map((word) => [word, items.filter((item) => kind(item) === word).length]);
  const texts = numbers.filter(([, number]) => number).map(([word, number]) => COUNTED[word](number));
  return texts.length ? texts.reduce((one, more) => worded("{0} and {1}", one, more)) : "";
}

// Names the seat where it is known: it was chosen, or nothing that waits comes before it.
export function named(item, at, people, turn) {
  if (item.inTurn && at) return worded("then {0}", item.said);
  const seat = item.inTurn && turn != null ? turn : item.seat;
  return people[seat] ? `${people[seat]}: ${item.said}` : item.said;
}

export function unsent(items, stopped, called, door) {
  const values = [items.length, counts(items), called];
  if (stopped?.slug === "unauthorised" && door)
    return worded(
      "This phone is not in at the table any more. {1} kept: come in again as {2}, and it is sent.|" +
      "This phone is not in at the table any more. {1} kept: come in again as {2}, and they are sent.",
      ...values,
    );
  if (stopped?.slug === "unauthorised")
    return worded(
      "You are not signed in on this phone any more. {1} kept: sign in as {2}, and it is sent.|" +
      "You are not signed in on this phone any more. {1} kept: sign in as {2}, and they are sent.",
      ...values,
    );
  if (stopped?.slug === "upgrade-required")
    return worded(
      "The service was renewed since this page was opened. {1} kept: show the page anew, and it is sent.|" +
      "The service was renewed since this page was opened. {1} kept: show the page anew, and they are sent.",
      ...values,
    );
  if (stopped)
    return worded(
      "Somebody else is signed in on this phone now. {1} kept: when {2} signs in again, it is sent.|" +
      "Somebody else is signed in on this phone now. {1} kept: when {2} signs in again, they are sent.",
      ...values,
    );
  return worded(
    "{1} not sent yet: no connection. Sending is tried again until it arrives.|" +
    "{1} not sent yet: no connection. Sending is tried again until they arrive.",
    ...values,
  );
}

export function question(items) {
  const { slug, said, meanwhile } = items[0].held;
  const number = items.length;
  const kept = number === 1 ? KEPT[kind(items[0])]() : worded("Your {0} are kept here", counts(items));
  if (slug === "lost-race") {
    const others = meanwhile?.length ? meanwhile.join("; ") : worded("something else");
    return worded(
      "Recorded meanwhile: {1}. {2}: send it after that, or drop it?|" +
      "Recorded meanwhile: {1}. {2}: send them after that, or drop them?",
      number,
      others,
      kept,
    );
  }
  if (slug === "behind")
    return worded(
      "What you tapped first was not recorded. {1}: send or drop it?|" +
      "What you tapped first was not recorded. {1}: send or drop them?",
      number,
      kept,
    );
  if (slug === "other-era")
    return worded(
      "Since you tapped, the club's data were brought back from a copy. {1}: look at the table, then send or drop it|" +
      "Since you tapped, the club's data were brought back from a copy. {1}: look at the table, then send or drop them",
      number,
      kept,
    );
  if (slug === "upgrade-required")
    return worded(
      "Tapped before the service was renewed, not recorded. {1}: look at the table, then send or drop it|" +
      "Tapped before the service was renewed, not recorded. {1}: look at the table, then send or drop them",
      number,
      kept,
    );
  if (slug !== "confirm-needed")
    return worded(
      "{1}. {2}: send it again, or drop it?|{1}. {2}: send them again, or drop them?",
      number,
      capital(said),
      kept,
    );
  return number === 1 ? said : worded("{0} What you tapped behind it waits: {1}.", said, counts(items.slice(1)));
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1).replace(/\.$/, "");
}

export function notRecorded(item, why) {
  return worded("Not recorded: {0}. {1}.", item.said, capital(why));
}

export function typed(item) {
  return worded("{0}: you typed it on this phone and did not send it.", item.named ?? item.form);
}

export function ofAnother(items, name) {
  return worded(
    "{1} of {2} waits on this phone, and is sent when {2} signs in here.|" +
    "{1} of {2} wait on this phone, and are sent when {2} signs in here.",
    items.length,
    counts(items),
    name,
  );
}

export function elsewhere(items, whose) {
  return worded(
    "{1} of {2} waits on this phone to be sent.|{1} of {2} wait on this phone to be sent.",
    items.length,
    counts(items),
    whose,
  );
}

export function dropAlike(items) {
  return worded(
    "Drop {1} that is recorded already|Drop {1} that are recorded already",
    items.length,
    counts(items),
  );
}
