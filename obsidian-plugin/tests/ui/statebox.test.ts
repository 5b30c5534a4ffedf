import { expect, it, vi } from "vitest";
import type { Situation, Step } from "../../src/core/situations";
import { tell } from "../../src/core/situations";
import { StateBox } from "../../src/views/statebox";

const SITUATIONS: readonly (readonly [Situation, Step])[] = [
  [{ kind: "no-daemon", others: [], remote: false, detail: "" }, "start"],
  [{ kind: "no-daemon", others: [], remote: true, detail: "" }, "retry"],
  [{ kind: "starting" }, "none"],
  [{ kind: "older-daemon", version: "0.0.1" }, "retry"],
  [{ kind: "newer-daemon", version: "9.0.0" }, "retry"],
  [{ kind: "wrong-vault", found: "Work", wanted: "Home" }, "settings"],
  [{ kind: "unauthorised", detail: "No." }, "settings"],
  [{ kind: "indexing", done: 3, total: 10 }, "none"],
  [{ kind: "note-excluded", by: "Private/" }, "none"],
  [{ kind: "note-not-indexed" }, "index"],
  [{ kind: "no-results", suggestion: null }, "none"],
  [{ kind: "some-failed", failed: 2, first: "a.md: no" }, "retry-failed"],
  [{ kind: "embedder-missing", reason: "gone" }, "diagnostics"],
  [{ kind: "no-related", hidden: 2 }, "show-hidden"],
];

it.each(SITUATIONS)("$kind is shown with its own title and its next step", (situation, step) => {
  const act = vi.fn();
  const parent = createDiv();
  const box = new StateBox(parent, act);
  const told = tell(situation);
  box.show(told);
  expect(parent.textContent).toContain(told.title);
  expect(parent.textContent).toContain(told.sentence);
  const button = parent.querySelector("button");
  expect(button === null).toBe(step === "none");
  button?.click();
  expect(act.mock.calls).toEqual(step === "none" ? [] : [[step]]);
});

it("the same state again draws nothing, and no state is hidden", () => {
  const parent = createDiv();
  const box = new StateBox(parent, () => undefined);
  box.show(tell({ kind: "starting" }));
  const drawn = parent.querySelector(".hv-state-head");
  box.show(tell({ kind: "starting" }));
  expect(parent.querySelector(".hv-state-head")).toBe(drawn);
  box.show(null);
  expect(parent.querySelector(".hv-state")?.classList.contains("is-shown")).toBe(false);
});
