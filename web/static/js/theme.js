// Light or dark before the first paint. A classic script, because modules run too late for that.
(() => {
  const root = document.documentElement;
  let kept = null;
  try {
    kept = localStorage.getItem("theme");
  } catch {
    // Storage may be switched off; then the system's choice stands.
  }
  if (kept === "light" || kept === "dark") root.dataset.theme = kept;
  addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
      const next = (root.dataset.theme || system) === "dark" ? "light" : "dark";
      root.dataset.theme = next;
      try {
        localStorage.setItem("theme", next);
      } catch {
        // The choice then lasts as long as the page.
      }
    });
  });
})();
