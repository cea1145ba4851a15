// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Composer } from "../../../../../renderer/components/composer/Composer.tsx";
import { Attaching } from "../../../../../renderer/state/composer/attaching.ts";
import { Signal } from "../../../../../renderer/state/signal.ts";
import type { AttachmentChoice } from "../../../../../shared/conversation/attachments.ts";
import { maxPromptChars } from "../../../../../shared/ipc/route-parts.ts";
import { act } from "../react-act.ts";

/** What was said about attachments. */
let failures: string[];
const attaching = new Attaching({
  attempt: async () => null,
  fail: ({ message }) => failures.push(message),
});
let root: Root;
let place: HTMLElement;
let draft: string;
let attached: readonly AttachmentChoice[];
/** What the draft was told, in its order. */
let written: string[];
let isRunning: boolean;
let isAnswering: boolean;
let steered: string[];
/** The commands that were begun. */
let begun: string[];
let partial: string | null;
/** What Enter sends of what is being said. */
let onSendSpoken: (() => void) | null;
let dictated: Signal<string>;
/** What `@` finds comes when this says so. */
let found: Promise<void>;
const files = ["notes.txt", "notes-old.txt"].map((name) => ({
  reference: name,
  label: name,
  detail: "file",
}));
/** What was sent, each with what decides whether it was taken. */
let sent: { text: string; attached: readonly string[]; answer: (isTaken: boolean) => void }[];

beforeEach(async () => {
  draft = "";
  attached = [];
  written = [];
  sent = [];
  steered = [];
  begun = [];
  failures = [];
  isRunning = false;
  isAnswering = false;
  partial = null;
  onSendSpoken = null;
  dictated = new Signal();
  found = Promise.resolve();
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
  await render();
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
});

const render = () =>
  act(async () =>
    root.render(
      <Composer
        draft={{
          get: () => draft,
          set: (text) => {
            draft = text;
            written.push(`text: ${text}`);
          },
          attached: () => attached,
          attach: (next) => {
            attached = next;
            written.push(`attached: ${next.map(({ reference }) => reference)}, beside: ${draft}`);
          },
          flush: () => {},
        }}
        partial={partial}
        dictated={dictated}
        commands={[
          { name: "help", usage: "/help", description: "" },
          { name: "voice", usage: "/voice start", description: "" },
        ]}
        onSendSpoken={onSendSpoken}
        onSilence={null}
        isRunning={isRunning}
        isAnswering={isAnswering}
        platform="linux"
        attaching={attaching}
        onCommand={(command) => begun.push(command)}
        onFindAttachments={async (words) => {
          await found;
          return files.filter(({ reference }) => reference.includes(words));
        }}
        onSubmit={(text, attached) => new Promise((answer) => sent.push({ text, attached, answer }))}
        onSteer={async (text) => {
          steered.push(text);
          return true;
        }}
        onStop={() => {}}
      >
        {null}
      </Composer>,
    ),
  );

function box(): HTMLTextAreaElement {
  const found = place.querySelector("textarea");
  if (!found) throw new Error("There is no text box");
  return found;
}

/** Types as a user does: React sees a change only when the value is set past its own bookkeeping. */
const type = (text: string) =>
  act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
    set?.call(box(), text);
    box().dispatchEvent(new Event("input", { bubbles: true }));
  });

async function press(key: string, options: KeyboardEventInit = {}): Promise<KeyboardEvent> {
  const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...options });
  await act(async () => box().dispatchEvent(event));
  return event;
}
const moveTo = (at: number) =>
  act(async () => {
    box().focus();
    box().setSelectionRange(at, at);
    box().dispatchEvent(new KeyboardEvent("keyup", { key: "ArrowLeft", bubbles: true }));
  });
/** Types in the middle of the text. */
const typeAt = (at: number, letters: string) =>
  act(async () => {
    const set = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set;
    const { value } = box();
    set?.call(box(), value.slice(0, at) + letters + value.slice(at));
    box().setSelectionRange(at + letters.length, at + letters.length);
    box().dispatchEvent(new Event("input", { bubbles: true }));
  });
function slowly() {
  let find = () => {};
  let miss = () => {};
  found = new Promise<void>((done, failed) => {
    find = done;
    miss = () => failed(new Error("The window is going"));
  });
  return { find: () => act(async () => find()), miss: () => act(async () => miss()) };
}
const answer = (isTaken: boolean) => act(async () => sent.at(-1)?.answer(isTaken));
const options = () => [...place.querySelectorAll('[role="option"]')].map((row) => row.textContent);

describe("the composer", () => {
  it("sends with Enter and is empty once the prompt was taken", async () => {
    await type("Hello");
    await press("Enter");
    expect(sent.map((one) => one.text)).toEqual(["Hello"]);
    await answer(true);
    expect(box().value).toBe("");
  });

  // Bug: with a Russian, Greek or Hebrew layout neither key did anything.
  it.each([
    ["Russian", "я", "н"],
    ["Greek", "ζ", "υ"],
    ["Hebrew", "ז", "ט"],
  ])("takes back and brings back by the places of Z and Y on a %s keyboard", async (_, z, y) => {
    await type("a");
    await press(z, { code: "KeyZ", ctrlKey: true });
    expect(box().value).toBe("");
    await press(y, { code: "KeyY", ctrlKey: true });
    expect(box().value).toBe("a");
    await press(z, { code: "KeyZ", ctrlKey: true });
    await press(z.toUpperCase(), { code: "KeyZ", ctrlKey: true, shiftKey: true });
    expect(box().value).toBe("a");
  });

  it("steers with Ctrl+Enter while a run goes on, and sends with it when none does", async () => {
    await type("no run");
    await press("Enter", { ctrlKey: true });
    await answer(true);
    isRunning = true;
    await render();
    await type("the other file");
    await press("Enter", { ctrlKey: true });
    expect(sent.map((one) => one.text)).toEqual(["no run"]);
    expect(steered).toEqual(["the other file"]);
    expect(box().value).toBe("");
  });

  it("says in words what the keys do", async () => {
    expect(place.textContent).toContain("Enter sends");
    isRunning = true;
    await render();
    expect(place.textContent).toContain("Enter sends after this run · Ctrl+Enter says it now");
    isAnswering = true;
    await render();
    expect(place.textContent).toContain("Enter answers · Ctrl+Enter says it now");
  });

  // Bug: the names for /model were only asked for when something else drew the window anew.
  it("tells which command was begun, once for each time", async () => {
    await type("/voice ");
    await type("/voice st");
    expect(begun).toEqual(["voice"]);
    await type("");
    await type("/voice ");
    expect(begun).toEqual(["voice", "voice"]);
  });

  // Bug: what was written is gone because main refused it.
  it("keeps the text when it was not taken", async () => {
    await type("Precious");
    await press("Enter");
    await answer(false);
    expect(box().value).toBe("Precious");
    expect(draft).toBe("Precious");
  });

  it("keeps what was typed while the prompt was on its way", async () => {
    await type("first");
    await press("Enter");
    await type("first and the next");
    await answer(true);
    expect(box().value).toBe(" and the next");
  });

  it("sends once, however often Enter is pressed before the answer", async () => {
    await type("once");
    await press("Enter");
    await press("Enter");
    expect(sent).toHaveLength(1);
  });

  it("leaves Shift+Enter and blank text alone", async () => {
    await type("a");
    expect((await press("Enter", { shiftKey: true })).defaultPrevented).toBe(false);
    await type("  \n ");
    await press("Enter");
    expect(sent).toHaveLength(0);
  });

  // Bug: choosing a word in a Japanese input method sent half a sentence.
  it("leaves Enter to an input method that is composing", async () => {
    await type("にほ");
    await press("Enter", { isComposing: true });
    expect(sent).toHaveLength(0);
  });
});

describe("how long it is", () => {
  const tokens = () => place.querySelector('[data-testid="prompt-tokens"]')?.textContent ?? null;
  it("is estimated in tokens from 500 on, with the texts beside it", async () => {
    await type("word ".repeat(390));
    expect(tokens()).toBeNull();
    await type("word ".repeat(1840));
    expect(tokens()).toBe("about 2,300 tokens");
  });
});

it("an image goes without words, and what is blank without one does not", async () => {
  await press("Enter");
  expect(sent).toEqual([]);
  attached = [{ reference: "attached:1", label: "cat.png", detail: "", file: { kind: "image", bytes: 9 } }];
  await act(async () => root.unmount());
  root = createRoot(place);
  await render();
  expect(place.querySelector<HTMLButtonElement>('[data-testid="send"]')?.disabled).toBe(false);
  await press("Enter");
  expect(sent).toMatchObject([{ text: "", attached: ["attached:1"] }]);
  await act(async () => sent[0]?.answer(true));
  expect(attached).toEqual([]);
});

describe("what is attached with @", () => {
  const chips = () => [...place.querySelectorAll('[data-testid="attachment"]')].map((one) => one.textContent);

  it("is chosen with the keys, stands as a chip, and goes with the prompt once", async () => {
    await type("compare @no");
    expect(options()).toEqual(["notes.txtfile", "notes-old.txtfile"]);
    await press("ArrowDown");
    await press("Enter");
    expect(box().value).toBe("compare @notes-old.txt ");
    expect(chips()).toEqual(["notes-old.txt"]);
    await type("compare @notes-old.txt @no");
    expect(options()).toEqual(["notes.txtfile"]);
    await press("Tab");
    await press("Enter");
    expect(sent[0]).toMatchObject({
      text: "compare @notes-old.txt @notes.txt ",
      attached: ["notes-old.txt", "notes.txt"],
    });
    await answer(true);
    expect(chips()).toEqual([]);
  });

  // Bug: who typed faster than files are found sent "@old" to the model as a word, and no file.
  it("is chosen by the keys of one who types faster than it is found, and sent by the next", async () => {
    const { find } = slowly();
    await type("read @old");
    const enter = await press("Enter");
    await press("Enter");
    expect(enter.defaultPrevented).toBe(true);
    expect(sent).toHaveLength(0);
    await find();
    expect(chips()).toEqual(["notes-old.txt"]);
    expect(sent).toMatchObject([{ text: "read @notes-old.txt ", attached: ["notes-old.txt"] }]);
    await answer(true);

    const second = slowly();
    await type("read @no");
    await press("Tab");
    await second.find();
    expect(chips()).toEqual(["notes.txt"]);
    expect(sent).toHaveLength(1);
  });

  it("does not keep a prompt from being sent where nothing is found, or finding it fails", async () => {
    const nothing = slowly();
    await type("thanks @everyone");
    await press("Enter");
    await press("Enter");
    await nothing.find();
    expect(sent.map(({ text }) => text)).toEqual(["thanks @everyone"]);
    await answer(true);
    const failing = slowly();
    await type("read @old");
    await press("Enter");
    await failing.miss();
    expect(sent[1]).toMatchObject({ text: "read @old", attached: [] });
  });

  it("forgets a key that was pressed for a text that went on", async () => {
    const { find } = slowly();
    await type("read @old");
    await press("Enter");
    await type("read @older");
    await find();
    expect(sent).toHaveLength(0);
    expect(chips()).toEqual([]);
    expect(box().value).toBe("read @older");
  });

  it("leaves with its words, and its words with it; undo brings both back", async () => {
    await type("read @old");
    await press("Enter");
    await typeAt("read @notes-old.txt ".length, "soon");
    await act(async () => place.querySelector<HTMLElement>('[aria-label="Remove notes-old.txt"]')?.click());
    expect(chips()).toEqual([]);
    expect(box().value).toBe("read soon");
    expect(document.activeElement).toBe(box());
    await press("z", { ctrlKey: true });
    expect(box().value).toBe("read @notes-old.txt soon");
    expect(chips()).toEqual(["notes-old.txt"]);
    await type("read soon");
    expect(chips()).toEqual([]);
    await press("Enter");
    expect(sent[0]).toMatchObject({ text: "read soon", attached: [] });
  });

  it("is offered wherever the caret stands, and the caret stays there", async () => {
    await type("compare  and sum up");
    await typeAt(8, "@old");
    expect(options()).toEqual(["notes-old.txtfile"]);
    await press("Enter");
    expect(box().value).toBe("compare @notes-old.txt and sum up");
    expect(box().selectionEnd).toBe("compare @notes-old.txt ".length);
    expect(chips()).toEqual(["notes-old.txt"]);
    expect(draft).toBe("compare @notes-old.txt and sum up");
  });

  it("is for the @ that the caret is at: another one, or none, and the list follows", async () => {
    await type("@old and @none");
    expect(options()).toEqual([]);
    await moveTo(4);
    expect(options()).toEqual(["notes-old.txtfile"]);
    await moveTo(2);
    expect(options()).toHaveLength(2);
    await moveTo(6);
    expect(options()).toEqual([]);
    await press("Enter");
    expect(sent[0]).toMatchObject({ text: "@old and @none" });
  });

  // Bug: what was attached was gone when another conversation had been looked at.
  it("belongs to the draft, and comes back with it", async () => {
    await type("read @old");
    await press("Enter");
    expect(attached).toMatchObject([{ reference: "notes-old.txt" }]);
    await act(async () => root.unmount());
    root = createRoot(place);
    await render();
    expect(box().value).toBe("read @notes-old.txt ");
    expect(chips()).toEqual(["notes-old.txt"]);
    await press("Enter");
    expect(sent[0]).toMatchObject({ text: "read @notes-old.txt ", attached: ["notes-old.txt"] });
    await answer(true);
    expect(attached).toEqual([]);
  });

  // Bug: what was sent was written down as a draft on its way, and with it what a command held.
  it("is forgotten after its text, and nothing is written where nothing was attached", async () => {
    await type("read @old");
    await press("Enter");
    await press("Enter");
    written = [];
    await answer(true);
    expect(written).toEqual(["text: ", "attached: , beside: "]);
    await type("/mcp add {}");
    await press("Enter");
    written = [];
    await answer(true);
    expect(written).toEqual(["text: "]);
  });

  // Bug: the prompt came back to be sent again, but what it was about did not.
  it("stays when the prompt was not taken", async () => {
    await type("read @old");
    await press("Enter");
    await press("Enter");
    await answer(false);
    expect(box().value).toBe("read @notes-old.txt ");
    expect(chips()).toEqual(["notes-old.txt"]);
  });

  it("is not offered inside of a word, nor after Escape: Enter sends", async () => {
    await type("ada@no");
    expect(options()).toEqual([]);
    await type("@no");
    await press("Escape");
    await press("Enter");
    expect(sent[0]).toMatchObject({ text: "@no", attached: [] });
  });
});

describe("dictation into the composer", () => {
  const hear = async (words: string) => {
    partial = words;
    await render();
  };
  const finish = async (words: string) => {
    partial = null;
    await render();
    await act(async () => dictated.emit(words));
  };

  it("shows the words in place while they are said, and sends nothing", async () => {
    await type("Dear Ann");
    await moveTo(4);
    await hear("old and good");
    expect(box().value).toBe("Dear old and good Ann");
    expect(draft).toBe("Dear Ann");
    await hear("old");
    expect(box().value).toBe("Dear old Ann");
    expect(sent).toHaveLength(0);
  });

  // Bug: the words stood before a text that had just been typed.
  it("stands behind what was typed last", async () => {
    await act(async () => box().focus());
    await type("Note:");
    await hear("buy milk");
    expect(box().value).toBe("Note: buy milk");
  });

  it("has finished words at the cursor as text that can be changed, the next ones behind them", async () => {
    await type("Dear Ann");
    await moveTo(4);
    await hear("old");
    await finish("old friend");
    expect(box().value).toBe("Dear old friend Ann");
    expect(box().selectionEnd).toBe("Dear old friend".length);
    await finish("and neighbour");
    expect(box().value).toBe("Dear old friend and neighbour Ann");
    expect(box().readOnly).toBe(false);
    await type("Dear old friend");
    expect(draft).toBe("Dear old friend");
  });

  // Bug: what was dictated before would be put in again whenever the box is shown anew.
  it("puts an utterance in once", async () => {
    await finish("once");
    await render();
    expect(box().value).toBe("once");
  });

  // Bug: of two utterances that came in one turn of the page, only the last was put in.
  it("puts in each of two that come at once, in their order", async () => {
    await type("Dear Ann");
    await moveTo(4);
    await act(async () => {
      dictated.emit("old");
      dictated.emit("friend");
    });
    expect(box().value).toBe("Dear old friend Ann");
  });
});

describe("completion in the composer", () => {
  it("is chosen with the arrows and Enter, which then does not send", async () => {
    await type("/");
    expect(options()).toEqual(["/help", "/voice"]);
    await press("ArrowDown");
    await press("Enter");
    expect(box().value).toBe("/voice ");
    expect(sent).toHaveLength(0);
  });

  it("does not stand in the way of a whole command", async () => {
    await type("/help");
    await press("Enter");
    expect(sent.map((one) => one.text)).toEqual(["/help"]);
  });

  // Bug: Esc that closes a list and stops the run at the same time.
  it("is closed by Esc, which is then used up; the next Esc is free to stop the run", async () => {
    await type("/");
    expect((await press("Escape")).defaultPrevented).toBe(true);
    expect(options()).toEqual([]);
    expect((await press("Escape")).defaultPrevented).toBe(false);
  });
});

it("Enter in the empty box sends what is being said; with words in it, it sends those", async () => {
  let spoken = 0;
  onSendSpoken = () => spoken++;
  await render();
  await press("Enter");
  expect([spoken, sent.length]).toEqual([1, 0]);
  await type("typed");
  await press("Enter");
  expect([spoken, sent[0]?.text]).toEqual([1, "typed"]);
});

describe("a paste into the composer", () => {
  const paste = async (text: string) => {
    const clipboardData = { files: [], items: [], types: ["text/plain"], getData: () => text };
    const event = new Event("paste", { bubbles: true, cancelable: true });
    await act(async () => void box().dispatchEvent(Object.assign(event, { clipboardData })));
    return event.defaultPrevented;
  };

  // Bug: the box took the first 1,000,000 characters, and nobody was told.
  it("that is more than a prompt takes is refused in words; what fits is left to the box", async () => {
    await type("already here");
    expect(await paste("x".repeat(maxPromptChars - draft.length))).toBe(false);
    expect(failures).toEqual([]);
    expect(await paste("x".repeat(maxPromptChars - draft.length + 1))).toBe(true);
    expect(await paste("x".repeat(1_500_000))).toBe(true);
    expect(failures).toHaveLength(2);
    expect(failures[1]).toContain("1,500,000 characters");
    expect(draft).toBe("already here");
  });
});
