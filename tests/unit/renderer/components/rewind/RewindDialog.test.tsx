// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CheckpointSummary, RewindPlan } from "../../../../../shared/conversation/checkpoints.ts";
import { act } from "../react-act.ts";
import { WindowRig } from "../window-rig.tsx";

let rig: WindowRig;

beforeEach(async () => {
  rig = new WindowRig();
  const item = { kind: "user", key: "m", text: "do it", origin: "typed", source: null, at: 1 } as const;
  await rig.open({ items: [item], state: "processing" });
  await rig.click(rig.button("Rewind to before this"));
});
afterEach(() => rig.dispose());

const plan = (changes: Partial<RewindPlan> = {}): RewindPlan => ({
  checkpoint: null,
  part: "both",
  files: [
    { path: "a.txt", action: "restore", isConflict: false, diff: "@@ -1 +1 @@\n-new\n+old\n" },
    { path: "b.txt", action: "remove", isConflict: false, diff: null },
  ],
  notRestorable: [],
  prompts: 2,
  ...changes,
});
const dialog = () => rig.one('[data-testid="rewind-dialog"]');
const rewindNow = () => rig.one('[data-testid="rewind-now"]');
const choose = (label: string) => {
  const found = [...dialog().querySelectorAll("label")].find((one) => one.textContent?.includes(label));
  const radio = found?.querySelector("input");
  if (!radio) throw new Error(`There is no choice “${label}”.`);
  return rig.click(radio);
};

describe("the rewind dialog", () => {
  it("shows what would happen before anything does", async () => {
    expect(rewindNow().hasAttribute("disabled")).toBe(true);
    expect(rig.main.calls.find(({ route }) => route === "checkpoint.preview")?.input).toEqual({
      conversationId: "a",
      target: { messageId: "m" },
      part: "both",
    });
    const beyond = [{ path: "big.bin", why: "larger than 5 MB" }];
    await act(() => rig.main.answer("checkpoint.preview", plan({ notRestorable: beyond })));
    expect(rig.all('[data-testid="rewind-file"]').map(({ dataset }) => dataset.action)).toEqual([
      "restore",
      "remove",
    ]);
    expect(dialog().textContent).toContain("2 files go back. 2 prompts leave the conversation");
    expect(rig.one('[data-testid="not-restorable"]').textContent).toContain("larger than 5 MB");
    expect(dialog().querySelector('[data-sign="+"]')?.textContent).toBe("1+old");
    expect(rig.all('[data-testid="rewind-file"] summary').map((one) => one.textContent)).toEqual([
      "a.txt+1−1will be restored",
    ]);
    expect(rig.main.calls.map(({ route }) => route)).not.toContain("checkpoint.rewind");
  });

  it("says of a file that it is too large to be compared", async () => {
    const files = [
      { path: "a.txt", action: "restore", isConflict: false, diff: null, isTooLarge: true },
      { path: "b.txt", action: "restore", isConflict: false, diff: null },
    ] as const;
    await act(() => rig.main.answer("checkpoint.preview", plan({ files: [...files] })));
    expect(rig.all('[data-testid="rewind-file"]').map((one) => one.textContent)).toEqual([
      "a.txttoo large to comparewill be restored",
      "b.txtwill be restored",
    ]);
  });

  // Bug: it counted what is as it was already, and what the user leaves as it is.
  it("counts the files that go back, and no others", async () => {
    const files = [
      { path: "a.txt", action: "restore", isConflict: false, diff: null },
      { path: "b.txt", action: "same", isConflict: false, diff: null },
      { path: "c.txt", action: "remove", isConflict: true, diff: null },
    ] as const;
    await act(() => rig.main.answer("checkpoint.preview", plan({ files: [...files], prompts: 1 })));
    const listed = () => rig.all('[data-testid="rewind-file"]').map((one) => one.textContent);
    expect(dialog().textContent).toContain("1 file goes back. 1 prompt leaves the conversation");
    expect(listed()).toEqual(["a.txtwill be restored", "c.txtChanged sincestays"]);
    await choose("Overwrite");
    expect(dialog().textContent).toContain("2 files go back.");
    expect(listed()).toEqual(["a.txtwill be restored", "c.txtChanged sincewill be removed"]);
  });

  it("says that it can be taken back where that is so", async () => {
    await act(() => rig.main.answer("checkpoint.preview", plan()));
    expect(dialog().textContent).not.toContain("take it back");
    await choose("Files");
    const checkpoint: CheckpointSummary = {
      ...{ checkpointId: "c", conversationId: "a", messageId: "m", kind: "turn", label: "do it" },
      ...{ createdAt: 1, files: 2 },
    };
    await act(() => rig.main.answer("checkpoint.preview", plan({ part: "files", checkpoint })));
    expect(dialog().textContent).toContain("You can take it back with Redo.");
  });

  it("leaves conflicts as they are unless the user says otherwise", async () => {
    const files = [{ path: "a.txt", action: "restore", isConflict: true, diff: null } as const];
    await act(() => rig.main.answer("checkpoint.preview", plan({ files })));
    await rig.click(rewindNow());
    expect(rig.main.take("checkpoint.rewind").input).toMatchObject({ overwrite: false, part: "both" });
  });

  it("overwrites them where the user says so", async () => {
    const files = [{ path: "a.txt", action: "restore", isConflict: true, diff: null } as const];
    await act(() => rig.main.answer("checkpoint.preview", plan({ files })));
    await choose("Overwrite");
    await rig.click(rewindNow());
    expect(rig.main.take("checkpoint.rewind").input).toMatchObject({ overwrite: true });
  });

  // Bug: the plan for both stood there while only the conversation was chosen, and Rewind could be pressed on it.
  it("waits for the plan of the part that was chosen last", async () => {
    const first = rig.main.take("checkpoint.preview");
    await choose("Conversation");
    await act(async () => first.answer({ ok: true, value: plan() }));
    expect(rewindNow().hasAttribute("disabled")).toBe(true);
    await act(() => rig.main.answer("checkpoint.preview", plan({ part: "conversation", files: [] })));
    await rig.click(rewindNow());
    expect(rig.main.take("checkpoint.rewind").input).toMatchObject({ part: "conversation" });
  });

  it("does not show why a plan failed that is no longer asked for", async () => {
    const first = rig.main.take("checkpoint.preview");
    await choose("Files");
    await act(() => rig.main.answer("checkpoint.preview", plan({ part: "files" })));
    await act(async () => first.answer({ ok: false, error: { code: "late", message: "Too late." } }));
    expect(dialog().textContent).not.toContain("Too late.");
  });

  it("says what became of each path, and takes it back", async () => {
    await act(() => rig.main.answer("checkpoint.preview", plan()));
    await rig.click(rewindNow());
    await act(() =>
      rig.main.answer("checkpoint.rewind", {
        redoCheckpointId: "c",
        prompts: 2,
        files: [
          { path: "a.txt", result: "restored" },
          { path: "b.txt", result: "failed", why: "read-only folder" },
        ],
      }),
    );
    expect(rig.all('[data-testid="rewind-result"]').map((one) => one.textContent)).toEqual([
      "a.txtrestored",
      "b.txtfailed: read-only folder",
    ]);
    await rig.click(rig.button("Redo", dialog()));
    expect(rig.main.take("checkpoint.redo").input).toEqual({ conversationId: "a" });
  });

  it("that failed says why and stays", async () => {
    await act(() => rig.main.answer("checkpoint.preview", plan()));
    await rig.click(rewindNow());
    await act(() => rig.main.refuse("checkpoint.rewind", "A run is in progress."));
    expect(dialog().textContent).toContain("A run is in progress.");
  });

  it("Esc is the dialog's own and does not stop the run", async () => {
    await rig.press(dialog(), "Escape");
    expect(rig.main.calls.map(({ route }) => route)).not.toContain("conversation.stop");
  });
});

it("from the palette it asks before which prompt, the newest first", async () => {
  const again = new WindowRig();
  const prompt = (key: string) =>
    ({ kind: "user", key, text: `do ${key}`, origin: "typed", source: null, at: 1 }) as const;
  await again.open({ items: [prompt("one"), prompt("two")] });
  await act(async () => again.state.palette.act({ type: "rewind" }));
  const select = again.one('[data-testid="rewind-prompt"]') as HTMLSelectElement;
  expect([...select.options].map(({ textContent }) => textContent)).toEqual(["do two", "do one"]);
  expect(again.main.take("checkpoint.preview").input).toMatchObject({ target: { messageId: "two" } });
  await act(async () => {
    select.value = "one";
    select.dispatchEvent(new Event("change", { bubbles: true }));
  });
  expect(again.main.take("checkpoint.preview").input).toMatchObject({ target: { messageId: "one" } });
  expect(again.one('[data-testid="rewind-now"]').hasAttribute("disabled")).toBe(true);
  await again.dispose();
});

// Bug: who had chosen to overwrite files and then took another prompt overwrote without being asked for that one.
it("leaves the files of another prompt alone until the user says otherwise for those", async () => {
  const again = new WindowRig();
  const prompt = (key: string) =>
    ({ kind: "user", key, text: `do ${key}`, origin: "typed", source: null, at: 1 }) as const;
  await again.open({ items: [prompt("one"), prompt("two")] });
  await act(async () => again.state.palette.act({ type: "rewind" }));
  const conflicting = plan({ files: [{ path: "a.txt", action: "restore", isConflict: true, diff: null }] });
  const overwrite = () => again.all('input[name="overwrite"]')[1] as HTMLInputElement;
  const choosePrompt = (key: string) =>
    act(async () => {
      const select = again.one('[data-testid="rewind-prompt"]');
      Object.assign(select, { value: key });
      select.dispatchEvent(new Event("change", { bubbles: true }));
    });
  await act(() => again.main.answer("checkpoint.preview", conflicting));
  await again.click(overwrite());
  await choosePrompt("one");
  await act(() => again.main.answer("checkpoint.preview", conflicting));
  expect(overwrite().checked).toBe(false);
  await again.click(overwrite());
  await choosePrompt("two");
  await act(() => again.main.answer("checkpoint.preview", plan()));
  await again.click(again.one('[data-testid="rewind-now"]'));
  expect(again.main.take("checkpoint.rewind").input).toMatchObject({ overwrite: false });
  await again.dispose();
});
