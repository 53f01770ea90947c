"""Checks of a page's looks: axe, layout shifts, small targets, information lost in forced colours."""

from axe_playwright_python.base import AXE_SCRIPT

# Collects layout shifts without recent input. The footer may move with the content above it, and on a busy machine
# a page that arrives in parts may shift by less than 0.01 until it has loaded.
WATCH = """
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const each of list.getEntries()) {
      const foot = (one) => (one.node?.nodeType === 1 ? one.node : one.node?.parentElement)?.closest(".foot");
      const loaded = performance.getEntriesByType("navigation")[0].loadEventEnd || Infinity;
      const inParts = each.value < 0.01 && each.startTime < loaded;
      if (each.hadRecentInput || inParts || each.sources.every(foot)) continue;
      const what = each.sources.map((one) => (one.node?.outerHTML ?? one.node?.textContent ?? "").slice(0, 80));
      window.moved.push([each.value, ...what]);
    }
  }).observe({ type: "layout-shift", buffered: true });
"""
MOVED = "() => new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(window.moved), 0)))"

# targets less than 44 px high; a link in a sentence or a table may be as high as its line
SMALL = """() => {
  const found = [];
  const parts = "button:not(.link), [role=button], select, summary, .tabs a, .pills a, .steps a, .tile > a,"
    + ".rows li > a:first-child, .rows li > span > a:first-child,"
    + "input:not([type=radio], [type=checkbox], [type=hidden]), textarea, label:has([type=radio], [type=checkbox])";
  for (const each of document.querySelectorAll(parts)) {
    const box = each.getBoundingClientRect();
    const shown = each.checkVisibility({ visibilityProperty: true }) && box.width > 1 && box.height > 1;
    const inSentence = each.matches("a") && getComputedStyle(each).display === "inline" && each.closest("p, td, th");
    if (shown && !inSentence && box.height < 43.5) found.push([Math.round(box.height), each.outerHTML.slice(0, 120)]);
  }
  return found.slice(0, 5);
}"""

# forced colours remove backgrounds: targets need a border, the current one a mark, text in drawings contrast
FORCED = """() => {
  const found = [];
  const SIDES = ["Top", "Right", "Bottom", "Left"];
  const look = (each) => getComputedStyle(each);
  const seen = (each) => each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().width > 1;
  const edged = (each) => SIDES.some((side) => parseFloat(look(each)[`border${side}Width`]));
  const parts = "button:not(.link), [role=button], input, select, textarea, .card, .tile";
  for (const each of document.querySelectorAll(parts)) {
    if (["hidden", "radio", "checkbox", "file"].includes(each.type) || !seen(each)) continue;
    if (!edged(each)) found.push(["no edge", each.outerHTML.slice(0, 120)]);
  }
  const marks = (each) => {
    const now = look(each);
    const line = SIDES.map((side) => now[`border${side}Width`] + now[`border${side}Color`]);
    return [now.fontWeight, now.textDecorationLine, now.outlineStyle, now.outlineWidth, now.color, ...line].join();
  };
  for (const each of document.querySelectorAll("[aria-current]:not([aria-current=false]), [aria-pressed=true]")) {
    const among = each.closest("ul, nav, [role=group], fieldset");
    const other = [...(among?.querySelectorAll(each.localName) ?? [])].find((one) =>
      one !== each && seen(one) && one.className === each.className
      && (one.getAttribute("aria-current") ?? "false") === "false" && one.getAttribute("aria-pressed") !== "true");
    if (seen(each) && other && marks(each) === marks(other)) found.push(["not marked", each.outerHTML.slice(0, 120)]);
  }
  const bright = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  for (const text of document.querySelectorAll("svg text")) {
    const box = text.closest("g")?.querySelector("rect");
    const ground = box && look(box).fill !== "none" ? look(box).fill : look(document.body).backgroundColor;
    if (!look(text).fill.startsWith("rgb") || !ground.startsWith("rgb")) continue;
    const [one, other] = [bright(look(text).fill), bright(ground)].sort((a, b) => b - a);
    if ((one + 0.05) / (other + 0.05) < 4.5) found.push(["faint", text.textContent]);
  }
  return found.slice(0, 5);
}"""


def axe_finds(page, *rules):
    """Return the violations that axe finds: WCAG 2.2 AA and best practices, or these rules only."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    only = {"type": "rule", "values": list(rules)} if rules else None
    every = {"rules": {"target-size": {"enabled": True}}}  # WCAG 2.2, off unless asked for
    asked = {"resultTypes": ["violations"], **({"runOnly": only} if only else every)}
    found = page.evaluate("(asked) => axe.run(document, asked)", asked)["violations"]
    return [(each["id"], each["nodes"][0]["html"]) for each in found]
