// Texts of scripts in the language of the page. English stands where it is used; before this stands TEXTS, what another
// language says in its place. A text of several forms has bars between them: its first value is the number that
// decides.
const ORDER = ["zero", "one", "two", "few", "many", "other"];
const plural = new Intl.PluralRules(document.documentElement.lang);
const categories = ORDER.filter((each) => plural.resolvedOptions().pluralCategories.includes(each));

function worded(text, ...values) {
  const forms = (TEXTS[text] ?? text).split("|");
  const form = forms[1] === undefined ? 0 : categories.indexOf(plural.select(values[0]));
  return forms[Math.min(form, forms.length - 1)].replace(/\{(\d)\}/g, (_, at) => values[at]);
}
