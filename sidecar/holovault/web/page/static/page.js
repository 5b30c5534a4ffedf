"use strict";
// What HTML and htmx cannot do alone: the theme, keys, and parts that the server keeps fresh. Nothing depends on it.

const THEME = "holovault-theme";

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
}

function otherTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const next = (document.documentElement.dataset.theme || dark) === "dark" ? "light" : "dark";
  localStorage.setItem(THEME, next);
  setTheme(next);
}

function typing(target) {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));
}

let before = "";
function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (typing(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const parts = { f: "facts", e: "entities", s: "status" };
  if (before === "g" && parts[event.key]) {
    const link = [...document.querySelectorAll("nav a")].find((one) => one.textContent === parts[event.key]);
    if (link) link.click();
  } else if (event.key === "/") {
    const field = document.querySelector("input[type=search]");
    if (field) {
      event.preventDefault();
      field.focus();
      field.select();
    }
  } else if (event.key === "t") otherTheme();
  before = event.key;
}

// One stream while the page can be seen; the browser itself connects again after a break.
function keepFresh(spot) {
  let source = null;
  const follow = () => {
    if (document.hidden && source) {
      source.close();
      source = null;
    } else if (!document.hidden && !source) {
      source = new EventSource(spot.dataset.live);
      source.onmessage = (event) => {
        spot.innerHTML = event.data;
      };
    }
  };
  document.addEventListener("visibilitychange", follow);
  addEventListener("pagehide", () => source && source.close());
  follow();
}

setTheme(localStorage.getItem(THEME));
document.addEventListener("keydown", onKey);
document.getElementById("theme")?.addEventListener("click", otherTheme);
for (const spot of document.querySelectorAll("[data-live]")) keepFresh(spot);
// A conflict or a refusal is an answer to be shown as well.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.xhr.status >= 400 && event.detail.xhr.getResponseHeader("Content-Type")?.startsWith("text/html")) event.detail.shouldSwap = true;
});
