// The words for what is kept on this phone.

function counted(number, word) {
  return number === 1 ? `1 ${word}` : `${number} ${word}s`;
}

function kind(item) {
  if (item.layout) return "layout";
  return item.result || item.typed ? "result" : "tap";
}

export function counts(items) {
  const numbers = ["tap", "layout", "result"].map((word) => [items.filter((item) => kind(item) === word).length, word]);
  return numbers.filter(([number]) => number).map((each) => counted(...each)).join(" and ");
}

// Names the seat where it is known: it was chosen, or nothing that waits comes before it.
export function named(item, at, people, turn) {
  if (item.inTurn && at) return `then ${item.said}`;
  const seat = item.inTurn && turn != null ? turn : item.seat;
  return people[seat] ? `${people[seat]}: ${item.said}` : item.said;
}

export function unsent(items, stopped, called, door) {
  const number = counts(items);
  const [are, they] = items.length === 1 ? ["is", "it"] : ["are", "they"];
  const sent = `${they} ${are} sent`;
  if (stopped?.slug === "unauthorised" && door)
    return `This phone is not in at the table any more. ${number} kept: come in again as ${called}, and ${sent}.`;
  if (stopped?.slug === "unauthorised")
    return `You are not signed in on this phone any more. ${number} kept: sign in as ${called}, and ${sent}.`;
  if (stopped?.slug === "upgrade-required")
    return `The service was renewed since this page was opened. ${number} kept: show the page anew, and ${sent}.`;
  if (stopped)
    return `Somebody else is signed in on this phone now. ${number} kept: when ${called} signs in again, ${sent}.`;
  return `${number} not sent yet: no connection. Sending is tried again until ${they} arrive${items[1] ? "" : "s"}.`;
}

export function question(items) {
  const { slug, said, meanwhile } = items[0].held;
  const kept = items.length === 1 ? `Your ${kind(items[0])} is kept here` : `Your ${counts(items)} are kept here`;
  const them = items.length === 1 ? "it" : "them";
  if (slug === "lost-race") {
    const others = meanwhile?.length ? meanwhile.join("; ") : "something else";
    return `Recorded meanwhile: ${others}. ${kept}: send ${them} after that, or drop ${them}?`;
  }
  if (slug === "behind") return `What you tapped first was not recorded. ${kept}: send or drop ${them}?`;
  if (slug === "upgrade-required")
    return `Tapped before the service was renewed, not recorded. ${kept}: look at the table, then send or drop ${them}`;
  if (slug !== "confirm-needed") return `${capital(said)}. ${kept}: send ${them} again, or drop ${them}?`;
  return items.length === 1 ? said : `${said} What you tapped behind it waits: ${counts(items.slice(1))}.`;
}

function capital(text) {
  return text[0].toUpperCase() + text.slice(1).replace(/\.$/, "");
}

export function notRecorded(item, why) {
  return `Not recorded: ${item.said}. ${capital(why)}.`;
}

export function typed(item) {
  return `${item.form}: you typed it on this phone and did not send it.`;
}

export function ofAnother(items, name) {
  const [wait, are] = items.length === 1 ? ["waits", "is"] : ["wait", "are"];
  return `${counts(items)} of ${name} ${wait} on this phone, and ${are} sent when ${name} signs in here.`;
}

export function elsewhere(items, whose) {
  return `${counts(items)} of ${whose} ${items.length === 1 ? "waits" : "wait"} on this phone to be sent.`;
}

export function dropAlike(items) {
  return `Drop ${counts(items)} that ${items.length === 1 ? "is" : "are"} recorded already`;
}
