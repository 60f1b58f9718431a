// Texts of a page that nobody has put into another language: all that is shown or read aloud and holds a word without a mark.
(names) => {
  const known = new RegExp(`\\b(?:${[...names].sort((a, b) => b.length - a.length).join("|")})\\b`, "gu");
  const missing = new Set();
  const isKnown = (text) => {
    // A mark stands around whatever the catalog holds; what is left between marks was not translated.
    let left = text.replace(known, " ");
    for (let all = ""; all !== left; ) {
      all = left;
      left = left.replace(/⟦[^⟦⟧]*⟧/gu, " ");
    }
    // Numbers of rules, and what pieces, how they lie and spaces are called in notation.
    left = left.replace(/\b(?:(?:[A-Z]{2,4}|500)-\d+|[A-Z]{1,3}\d+|[RYGBPW]{3}|[a-z]+(?:-[a-z]+)?\.\d)\b/gu, " ");
    return !/\p{L}{2}/u.test(left);
  };
  const check = (text) => {
    if (!isKnown(text)) missing.add(text.trim().replace(/\s+/gu, " "));
  };
  const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim() || element.closest("script, style, noscript, code, option, datalist, svg text, [translate=no], .code-chip, dialog:not([open])")) continue;
    if (!element.checkVisibility() && !element.closest(".hidden")) continue;
    // A sentence with a link or a picture of a piece in it begins and ends its mark in different nodes.
    const sentence = element.closest("p, li, td, th, dd, summary, h2, h3");
    if (!(sentence && isKnown(sentence.textContent))) check(walker.currentNode.data);
  }
  for (const element of document.querySelectorAll("[aria-label], [placeholder], [title], [alt]")) {
    if (!element.checkVisibility() || element.closest("[translate=no]")) continue;
    for (const name of ["aria-label", "placeholder", "title", "alt"]) check(element.getAttribute(name) ?? "");
  }
  return [...missing];
}
