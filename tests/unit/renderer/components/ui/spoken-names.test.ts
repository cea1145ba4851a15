// @vitest-environment happy-dom
import { afterEach, expect, test } from "vitest";
import { spokenNames } from "../../../../../renderer/components/ui/spoken-names.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  document.body.replaceChildren();
});

function open(html: string, byVoice = true): HTMLElement {
  const box = document.createElement("div");
  box.innerHTML = html;
  document.body.append(box);
  closing.push(spokenNames.open(box, byVoice));
  return box;
}

test("what can be pressed is shown by its name, with what changes; what is under it cannot be pressed", async () => {
  const box = open(
    `<button>Rewind</button><button disabled>Later</button><button aria-label="Close">x</button>
     <label><input type="radio">Files only</label><label>Before<select></select></label>
     <div role="option"><span>Standup</span><small>yesterday</small></div><div role="option" data-type="line">/level work</div>`,
  );
  expect(spokenNames.shown.get()).toEqual(["Rewind", "Close", "Files only", "Standup yesterday"]);
  const heard = new Promise<void>((resolve) => spokenNames.shown.subscribe(resolve));
  for (const later of box.querySelectorAll("button:disabled")) later.removeAttribute("disabled");
  await heard;
  expect(spokenNames.shown.get()).toContain("Later");
  open("<button>On top</button>");
  expect(spokenNames.shown.get()).toEqual(["On top"]);
  expect(spokenNames.press("rewind")).toBe(false);
  closing.pop()?.();
  expect(spokenNames.press("rewind")).toBe(true);
});

// Bug: what lay under a dialog that asks for more than speech may give could still be pressed.
test("under a dialog that is not for speech nothing can be pressed, nor in it", () => {
  open("<button>Rewind</button>");
  open("<button>Save key</button>", false);
  expect(spokenNames.shown.get()).toEqual([]);
  expect(["rewind", "save key"].map((words) => spokenNames.press(words))).toEqual([false, false]);
  closing.pop()?.();
  expect(spokenNames.shown.get()).toEqual(["Rewind"]);
});

test("it is the thing itself that is pressed", () => {
  const box = open(`<button>Rewind</button><label><input type="radio">Files only</label>`);
  const pressed: string[] = [];
  box.querySelector("button")?.addEventListener("click", () => pressed.push("Rewind"));
  expect(spokenNames.press("rewind")).toBe(true);
  expect(spokenNames.press("files only")).toBe(true);
  expect(pressed).toEqual(["Rewind"]);
  expect(box.querySelector("input")?.checked).toBe(true);
});

test("nothing is open: nothing can be said", () => {
  expect(spokenNames.shown.get()).toEqual([]);
  expect(spokenNames.press("rewind")).toBe(false);
});
