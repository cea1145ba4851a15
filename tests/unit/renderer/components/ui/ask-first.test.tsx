// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { afterEach, expect, test, vi } from "vitest";
import { AskFirst } from "../../../../../renderer/components/ui/AskFirst.tsx";
import { spokenNames } from "../../../../../renderer/components/ui/spoken-names.ts";
import { act } from "../react-act.ts";

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  document.body.replaceChildren();
});

async function show() {
  const box = document.createElement("div");
  const elsewhere = document.createElement("input");
  document.body.append(box, elsewhere);
  const root = createRoot(box);
  const onYes = vi.fn();
  await act(async () =>
    root.render(<AskFirst label="Remove" name="Remove rule" className="btn" onYes={onYes} />),
  );
  closing.push(spokenNames.open(box, true));
  const words = () => [...box.querySelectorAll("button")].map(({ textContent }) => textContent);
  const press = (word: string) =>
    act(async () => box.querySelectorAll("button")[words().indexOf(word)]?.click());
  return { box, elsewhere, onYes, words, press };
}

test("it asks, with the focus on Cancel, and does it at the second press", async () => {
  const { onYes, words, press } = await show();
  await press("Remove");
  expect(words()).toEqual(["Remove", "Cancel"]);
  expect(document.activeElement?.textContent).toBe("Cancel");
  await press("Cancel");
  expect(words()).toEqual(["Remove"]);
  expect(document.activeElement?.textContent).toBe("Remove");
  expect(onYes).not.toHaveBeenCalled();
  await press("Remove");
  await press("Remove");
  expect(onYes).toHaveBeenCalledTimes(1);
});

// Bug: where it failed, the question stood there for good.
test("it no longer asks once it was answered, or the focus is elsewhere, where it stays", async () => {
  const { elsewhere, words, press } = await show();
  await press("Remove");
  await press("Remove");
  expect(words()).toEqual(["Remove"]);
  await press("Remove");
  await act(async () => elsewhere.focus());
  expect(words()).toEqual(["Remove"]);
  expect(document.activeElement).toBe(elsewhere);
});

// Bug: the same words twice removed it.
test("by voice it only asks", async () => {
  const { onYes, words } = await show();
  expect(spokenNames.press("remove rule")).toBe(true);
  await vi.waitFor(() => expect(words()).toEqual(["Remove", "Cancel"]));
  expect(spokenNames.press("remove rule")).toBe(false);
  expect(spokenNames.press("cancel")).toBe(true);
  await vi.waitFor(() => expect(words()).toEqual(["Remove"]));
  expect(onYes).not.toHaveBeenCalled();
});
