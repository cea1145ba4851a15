// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ErrorCard } from "../../../../renderer/components/transcript/messages/ErrorCard.tsx";
import { CodeWords } from "../../../../renderer/components/ui/CodeWords.tsx";
import { VoiceEntries } from "../../../../renderer/components/voice/panel/VoiceEntries.tsx";
import { withoutCodeMarks } from "../../../../renderer/state/code-words.ts";
import type { VoiceEntry } from "../../../../shared/voice/voice-snapshot.ts";
import { appInfo } from "./app-info.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

/** What is read there, and what of it is code. */
function wordsOf(element: Element | null | undefined): [text: string, code: string[]] {
  const code = [...(element?.querySelectorAll("code") ?? [])].map((one) => one.textContent ?? "");
  return [element?.textContent ?? "", code];
}

// Bug: people read “Bind it to `parley --quick`” with its backticks.
describe("words with code between backticks are shown without them", () => {
  let root: Root;
  let place: HTMLElement;
  beforeEach(() => {
    place = document.createElement("div");
    root = createRoot(place);
  });
  afterEach(() => act(async () => root.unmount()));

  const shown = async (node: React.ReactNode) => {
    await act(async () => root.render(node));
    return wordsOf(place);
  };

  it.each([
    ["`/voice stop` ends it.", "/voice stop ends it.", ["/voice stop"]],
    ["Set `provider` to `auto`", "Set provider to auto", ["provider", "auto"]],
    ["A ` alone stays", "A ` alone stays", []],
    ["An empty `` pair stays", "An empty `` pair stays", []],
    ["A pair `on two\nlines` stays", "A pair `on two\nlines` stays", []],
    ["More of them hold ``` a`b``c ``` and `d`", "More of them hold a`b``c and d", ["a`b``c", "d"]],
    ["No code", "No code", []],
    ["", "", []],
  ])("%s", async (text, read, code) => {
    expect(await shown(<CodeWords text={text} />)).toEqual([read, code]);
    expect(withoutCodeMarks(text)).toBe(read);
  });

  it("in the message of an error and in its hint", async () => {
    const error = {
      code: "x",
      message: "a.png is too large (`attachMaxImageBytes`).",
      hint: "Set `provider` to auto.",
    };
    const [text, code] = await shown(<ErrorCard error={error} />);
    expect(text).toContain("a.png is too large (attachMaxImageBytes).Set provider to auto.");
    expect(code).toEqual(["attachMaxImageBytes", "provider"]);
  });

  it("in what happened lately in voice, and what somebody said is as it was said", async () => {
    const entry = (id: number, kind: VoiceEntry["kind"], text: string): VoiceEntry => ({
      ...{ id, at: 1, kind, text, source: null, confidence: null },
    });
    const entries = [entry(1, "problem", "`/voice stop` ends it."), entry(2, "utterance", "so `it` is")];
    const [text, code] = await shown(<VoiceEntries entries={entries} onSendAnyway={() => {}} />);
    expect(text).toContain("/voice stop ends it.");
    expect(text).toContain("so `it` is");
    expect(code).toEqual(["/voice stop"]);
  });
});

describe("in the window, too", () => {
  let rig: WindowRig;
  beforeEach(async () => {
    rig = new WindowRig();
    await rig.open();
  });
  afterEach(() => rig.dispose());

  it("the problem of the shortcut", async () => {
    const problem = "Bind it to `parley --quick` in the desktop’s settings.";
    const quickShortcut = { key: "Alt+Space", problem, isFree: false, desktop: null };
    await act(() => rig.main.answer("app.info", appInfo({ quickShortcut })));
    await act(async () => rig.state.setUp.open());
    expect(wordsOf(rig.place.querySelector('[data-testid="shortcut-state"]'))).toEqual([
      "Bind it to parley --quick in the desktop’s settings.",
      ["parley --quick"],
    ]);
  });

  it("what is wrong with the configuration of servers", async () => {
    await act(async () => {
      rig.state.servers.open();
      rig.state.servers.view.set({ servers: [], problems: ["a JSON object with `mcpServers` is expected."] });
    });
    const [text, code] = wordsOf(rig.place.querySelector('[data-testid="servers"]'));
    expect(text).toContain("a JSON object with mcpServers is expected.");
    expect(code).toEqual(["mcpServers"]);
  });

  it("what went wrong before the window was there, and what a restore came to", async () => {
    const startupErrors = [
      { code: "working_folder", message: "It cannot be opened.", hint: "Correct `workingFolder`." },
      { code: "restored", message: "Restored.", hint: "See `settings.json`." },
    ];
    await act(() => rig.main.answer("app.info", appInfo({ startupErrors })));
    expect(wordsOf(rig.one('[data-testid="error-card"] .hint'))).toEqual([
      "Correct workingFolder.",
      ["workingFolder"],
    ]);
    expect(wordsOf(rig.one('[data-testid="restored"]'))).toEqual([
      "Restored. See settings.json.",
      ["settings.json"],
    ]);
  });
});
