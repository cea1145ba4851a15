// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApprovalCard } from "../../../../renderer/components/approvals/ApprovalCard.tsx";
import { ApprovalLine } from "../../../../renderer/components/approvals/ApprovalLine.tsx";
import { QuestionCard } from "../../../../renderer/components/approvals/QuestionCard.tsx";
import { WaitBar } from "../../../../renderer/components/approvals/WaitBar.tsx";
import { RowActionsContext } from "../../../../renderer/components/sessions/row-actions.ts";
import type { CodeQuestion } from "../../../../renderer/components/transcript/code/code-colours.ts";
import { TranscriptRows, useRows } from "../../../../renderer/components/transcript/TranscriptRows.tsx";
import styles from "../../../../renderer/components/ui/Card.module.css";
import { AnswerGuard, freshMs } from "../../../../renderer/state/conversation/answer-guard.ts";
import { Signal } from "../../../../renderer/state/signal.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import type {
  ApprovalItem,
  QuestionItem,
  ToolItem,
} from "../../../../shared/conversation/transcript-items.ts";
import { refusedText, stoppedText } from "../../../../shared/conversation/unfinished-call.ts";
import { layOut } from "./no-layout.ts";
import { act } from "./react-act.ts";

let root: Root;
let place: HTMLElement;
let answers: unknown[];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  answers = [];
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
  layOut();
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
  vi.useRealTimers();
});

const wait = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

/** Shows it for long enough to be answered. */
const show = async (card: React.ReactNode, { isListening = false } = {}) => {
  await showNew(card, isListening);
  await wait(freshMs);
};

const guard = new AnswerGuard();
const showNew = (card: React.ReactNode, isListening = false) =>
  act(async () =>
    root.render(
      <RowActionsContext
        value={{
          answerApproval: (...answer) => answers.push(answer),
          answerQuestion: (...answer) => answers.push(answer),
          sendAnyway: (...answer) => answers.push(answer),
          sayRest: () => {},
          guard,
          isListening,
        }}
      >
        {card}
      </RowActionsContext>,
    ),
  );

const press = (label: string) =>
  act(async () => {
    const buttons = [...place.querySelectorAll("button")];
    const button = buttons.find(
      (one) =>
        (one.querySelector("span") ?? one).textContent === label || one.getAttribute("aria-label") === label,
    );
    if (!button) throw new Error(`There is no button ${label}`);
    button.click();
  });

/** An answer of the menu behind the arrow. */
const choose = async (id: string) => {
  await press("More answers");
  await act(async () => find(id)?.click());
};

const find = (id: string) => place.querySelector<HTMLElement>(`[data-testid="${id}"]`);
const card = () => place.querySelector<HTMLElement>('[data-testid="approval"]');
const key = (target: Element | null, letter: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    if (!target) throw new Error("There is nothing to press a key on");
    target.dispatchEvent(
      new KeyboardEvent("keydown", { key: letter, bubbles: true, cancelable: true, ...more }),
    );
  });

const fill = (text: string) =>
  act(async () => {
    const box = place.querySelector("input");
    if (!box) throw new Error("There is no box");
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set?.call(box, text);
    box.dispatchEvent(new Event("input", { bubbles: true }));
  });

const approval: ApprovalItem = {
  kind: "approval",
  key: "a1",
  toolUseId: "t1",
  name: "shell",
  effect: "execute",
  detail: "git commit -am 'x' && git tag v1 <b>",
  status: "waiting",
  reason: null,
  at: 0,
};
const question: QuestionItem = {
  kind: "question",
  key: "q1",
  question: "Which one?",
  options: [{ label: "Left" }, { label: "Right", description: "the other" }],
  status: "waiting",
  answer: null,
  at: 0,
};

describe("an approval card", () => {
  // Bug: a card that shortens the command hides what is allowed.
  it("shows exactly what will run, as text", async () => {
    await show(<ApprovalCard item={{ ...approval, detail: approval.detail + "y".repeat(5000) }} />);
    expect(place.querySelector("pre")?.textContent).toBe(approval.detail + "y".repeat(5000));
  });

  it("says who wants what: in words of its own where there are some, else in those of the effect", async () => {
    const head = () => place.querySelector("section span")?.textContent;
    await show(<ApprovalCard item={approval} />);
    expect(head()).toBe("Run this command?");
    const wish = { who: "notes", what: "to use its tool “Find\u202e”", tool: "Find\u202e" };
    await show(<ApprovalCard item={{ ...approval, wish }} />);
    expect(head()).toBe("Use “Find⟨U+202E⟩” from notes?");
    await show(<ApprovalLine item={{ ...approval, wish, status: "allowed" }} />);
    expect(place.textContent).toBe("Allowed: “Find⟨U+202E⟩” from notesallowed once");
  });

  it("does not call a yes that lasts one for once", async () => {
    const wish = { who: "notes", what: "to connect to a host", lasts: true };
    await show(<ApprovalCard item={{ ...approval, wish }} />);
    expect(place.textContent).not.toContain("Allow once");
    await press("Allow from now on");
    expect(answers).toEqual([["a1", true, undefined, { scope: "once" }]]);
  });

  // Bug: Esc that gave up a composed word took away the box that it was typed into.
  it("leaves Esc in the reason to an input method that is composing", async () => {
    await show(<ApprovalCard item={approval} />);
    await press("Deny with a reason…");
    await key(find("deny-reason"), "Escape", { isComposing: true });
    expect(find("deny-reason")).not.toBeNull();
    await key(find("deny-reason"), "Escape");
    expect(find("deny-reason")).toBeNull();
  });

  it("allows, denies, and denies with the user's reason", async () => {
    await show(<ApprovalCard item={approval} />);
    await press("Allow once");
    await press("Deny");
    await press("Deny with a reason…");
    await fill("not on main");
    await press("Deny");
    expect(answers).toEqual([
      ["a1", true, undefined, { scope: "once" }],
      ["a1", false, undefined],
      ["a1", false, "not on main"],
    ]);
  });

  it("has the no with a reason in the menu where there is one, and the keyboard is in its box", async () => {
    await show(<ApprovalCard item={{ ...approval, mayRunOutside: true }} />);
    expect(find("deny-with-reason")).toBeNull();
    await choose("deny-with-reason");
    expect(document.activeElement).toBe(find("deny-reason"));
    await fill("not on main");
    await press("Deny");
    expect(answers).toEqual([["a1", false, "not on main"]]);
  });

  it("has a command and the input of a server's tool coloured, and other words not", async () => {
    const asked: string[] = [];
    /** All code is one name to it. */
    class Thread extends EventTarget {
      postMessage({ id, code, language }: CodeQuestion) {
        asked.push(language);
        this.dispatchEvent(new MessageEvent("message", { data: { id, marks: [`f${code.length}`] } }));
      }
      terminate() {}
    }
    vi.stubGlobal("Worker", Thread);
    await show(<ApprovalCard item={{ ...approval, detail: "npm run build && rm -rf out" }} />);
    expect(place.querySelector("pre span")?.textContent).toBe("npm run build && rm -rf out");
    const wish = { who: "notes", what: "to use its tool “find”", tool: "find" };
    await show(<ApprovalCard item={{ ...approval, wish, detail: '{ "a": 1 }' }} />);
    const host = { who: "A command", what: "to connect to x" };
    await show(<ApprovalCard item={{ ...approval, wish: host, detail: "x:443" }} />);
    vi.unstubAllGlobals();
    expect(place.querySelector("pre span")).toBeNull();
    expect(asked).toEqual(["command", "json"]);
  });

  it("says what becomes of spoken words while it waits, where a microphone is heard", async () => {
    const hint = () => place.querySelector('[data-testid="spoken-words"]')?.textContent;
    await show(<ApprovalCard item={approval} />);
    expect(hint()).toBeUndefined();
    await show(<ApprovalCard item={approval} />, { isListening: true });
    expect(hint()).toBe("Say “no” to deny. To allow, click. Anything else you say waits until then.");
    await show(<ApprovalCard item={{ ...approval, mayBeSpoken: true }} />, { isListening: true });
    expect(hint()).toContain("Say just “yes” or “no” to answer.");
  });

  it("allows for longer only where it says what that writes", async () => {
    await show(<ApprovalCard item={approval} />);
    expect(find("allow-session")).toBeNull();
    expect(place.textContent).not.toContain("Always");
    await key(card(), "a");
    await key(card(), "s");
    expect(answers).toEqual([]);

    const rules = [
      { verdict: "allow" as const, command: "git status", exact: true, folder: "/w" },
      { verdict: "allow" as const, command: "git \u202elog *", folder: "/w" },
    ];
    const words = [
      "exactly the command git status, in /w",
      "commands that begin with git ⟨U+202E⟩log, in /w",
    ];
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    expect(find("allow-session")?.title).toBe(`Also allow until you quit: ${words.join("; ")}`);
    await press("Allow in this conversation");
    expect(place.textContent).not.toContain("Always");
    for (const id of ["longer-session", "longer-always"]) {
      await press("More answers");
      expect(document.activeElement).toBe(find("longer-session"));
      const said = [...(find(id)?.querySelectorAll('[data-testid="rule"]') ?? [])];
      expect(said.map(({ textContent }) => textContent)).toEqual(words);
      await act(async () => find(id)?.click());
      expect(place.querySelector('[role="menu"]')).toBeNull();
    }
    expect(answers).toEqual([
      ["a1", true, undefined, { scope: "session" }],
      ["a1", true, undefined, { scope: "session" }],
      ["a1", true, undefined, { scope: "always" }],
    ]);
  });

  it("the keys of the menu are its own: they answer nothing, and Esc leads back to its arrow", async () => {
    const rules = [{ verdict: "allow" as const, tool: "x" }];
    const two = [approval, { ...approval, key: "a2" }].map((item) => ({ ...item, rules }));
    await show(<Waiting items={two} />);
    await press("More answers");
    for (const letter of ["y", "s", "a", "n", "r"]) await key(document.activeElement, letter);
    expect(answers).toEqual([]);
    await key(document.activeElement, "ArrowDown");
    expect(document.activeElement).toBe(find("longer-always"));
    await key(document.activeElement, "Escape");
    expect(document.activeElement).toBe(find("more-answers"));
    expect(answers).toEqual([]);
  });

  it("says that a yes for longer to a change of files is one to all edits of the folder", async () => {
    const rules = [{ verdict: "allow" as const, path: "**", folder: "/w" }];
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    expect(find("allow-session")?.title).toBe("Also allow until you quit: edits to any file in /w");
    await press("Allow edits in this folder");
    expect(answers).toEqual([["a1", true, undefined, { scope: "session" }]]);
  });

  it("lets a command run outside of the fence where that is offered, and only by that entry of the menu", async () => {
    await show(<ApprovalCard item={approval} />);
    expect(find("more-answers")).toBeNull();
    await show(<ApprovalCard item={{ ...approval, mayRunOutside: true }} />);
    expect(find("run-outside")).toBeNull();
    await press("Allow once");
    await choose("run-outside");
    expect(answers).toEqual([
      ["a1", true, undefined, { scope: "once" }],
      ["a1", true, undefined, { outside: true }],
    ]);
  });

  it("names what a command outside would obey and the conversation changed, and asks once more", async () => {
    const paths = ["package.json", "sub/Make\u202efile", ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `${at}.mk`)];
    await show(<ApprovalCard item={{ ...approval, mayRunOutside: true, changedToolFiles: paths }} />);
    const said = find("changed-tool-files");
    expect([...(said?.querySelectorAll("code") ?? [])].map(({ textContent }) => textContent)).toEqual(
      paths.map((path) => path.replace("\u202e", "⟨U+202E⟩")),
    );
    expect(said?.querySelector("summary")?.textContent).toBe("2 more");
    await choose("run-outside");
    expect(answers).toEqual([]);
    await press("Back");
    await choose("run-outside");
    await act(async () => find("run-outside-now")?.click());
    expect(answers).toEqual([["a1", true, undefined, { outside: true }]]);
  });

  // Bug: it said "Allow once", and the yes held until Parley ended.
  it("of a host has no yes for once, since none holds for once", async () => {
    const rules = [{ verdict: "allow" as const, tool: "shell", host: "example.com", folder: "/w" }];
    const host = { ...approval, holdsInConversation: true };
    await show(<ApprovalCard item={{ ...host, rules }} />);
    expect(place.textContent).not.toContain("once");
    await press("Allow in this conversation");
    await key(card(), "y");
    expect(answers).toEqual(Array(2).fill(["a1", true, undefined, { scope: "session" }]));
    expect(find("what-is-written")?.textContent).toContain(
      "Y or S allows it until you quit, N denies it until you quit, A always allows it",
    );
    await show(<ApprovalCard item={host} />);
    expect(place.textContent).not.toContain("once");
    expect(find("what-is-written")?.textContent).toBe(
      "Either answer holds until you quit. Nothing is saved.",
    );
    await show(<ApprovalLine item={{ ...host, status: "allowed" }} />);
    expect(place.textContent).toContain("until you quit");
  });

  it("says what its keys write where everybody sees it", async () => {
    const rules = [{ verdict: "allow" as const, command: "git \u202elog *", folder: "/w" }];
    await show(<ApprovalCard item={approval} />);
    expect(find("what-is-written")).toBeNull();
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    expect(find("what-is-written")?.textContent).toBe(
      "Y this call only · S until you quit, A always, saved in your settings: commands that begin with git ⟨U+202E⟩log, in /w",
    );
  });

  // Bug: escape sequences and turned reading directions make a command look like another one.
  it("shows signs that would hide or turn something", async () => {
    const detail = "ls \x1b[2Kx \u202egnp.exe\u200b";
    await show(<ApprovalCard item={{ ...approval, detail }} />);
    expect(place.querySelector("pre")?.textContent).toBe("ls ␛[2Kx ⟨U+202E⟩gnp.exe⟨U+200B⟩");
  });

  it("shows a change of files as a diff, what it adds and removes apart", async () => {
    const diff = "--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\u202e\n+new";
    await show(<ApprovalCard item={{ ...approval, diff }} />);
    expect(place.querySelector('[data-testid="diff-file"]')?.textContent).toBe("a.ts+1−1");
    expect(place.querySelector('[data-sign="+"]')?.textContent).toBe("1+new");
    expect(place.querySelector('[data-sign="-"]')?.textContent).toBe("1-old⟨U+202E⟩");
    expect(place.querySelectorAll("[data-sign]")).toHaveLength(2);
  });

  it("says that the words were not the user's, and why it asks", async () => {
    await show(
      <ApprovalCard item={{ ...approval, source: "loopback", why: "It names a file with keys." }} />,
    );
    expect(place.textContent).toContain("Heard on this computer, not said by you.");
    expect(place.textContent).toContain("It names a file with keys.");
  });

  it("is answered by single keys while it is focused, and by none that belong to a button or a text box", async () => {
    const rules = [{ verdict: "allow" as const, tool: "x" }];
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    for (const letter of ["y", "S", "a", "n"]) await key(card(), letter);
    expect(answers).toEqual([
      ["a1", true, undefined, { scope: "once" }],
      ["a1", true, undefined, { scope: "session" }],
      ["a1", true, undefined, { scope: "always" }],
      ["a1", false, undefined],
    ]);
    answers.length = 0;
    await key(place.querySelector("button"), "y");
    await key(card(), "y", { ctrlKey: true });
    await key(card(), "r");
    await key(card(), "y", { repeat: true });
    await key(place.querySelector("input"), "y");
    expect(answers).toEqual([]);
    await key(place.querySelector("input"), "Escape");
    expect(place.querySelector("input")).toBeNull();
  });

  // Bug: a card that was answered elsewhere can be answered again.
  it("has no buttons any more once it is settled", async () => {
    await show(<ApprovalLine item={{ ...approval, status: "denied", reason: "not on main" }} />);
    expect(place.querySelectorAll("button")).toHaveLength(0);
    expect(place.textContent).toContain("“not on main”");
  });
});

const wanted = new Signal();
/** Says of whatever it watches that it is out of sight. */
class OutOfSight {
  readonly #tell: (entries: { intersectionRatio: number }[]) => void;
  constructor(tell: (entries: { intersectionRatio: number }[]) => void) {
    this.#tell = tell;
  }
  observe() {
    this.#tell([{ intersectionRatio: 0 }]);
  }
  disconnect() {}
}

const Waiting = ({ items }: { items: readonly TranscriptItem[] }) => (
  <>
    <TranscriptRows rows={useRows(items)} onRetry={() => {}} />
    <WaitBar
      items={items}
      elsewhere={[]}
      platform="linux"
      focusWanted={wanted}
      onAnswerAll={(...answer) => answers.push(answer)}
      onShow={() => {}}
    />
  </>
);

describe("what waits", () => {
  const three = ["a1", "a2", "a3"].map((one): ApprovalItem => ({ ...approval, key: one, toolUseId: one }));
  const focused = () => document.activeElement?.getAttribute("data-key");

  it("is counted in one bar, and the arrow keys go from card to card", async () => {
    await show(<Waiting items={[...three, { ...approval, key: "old", status: "allowed" }]} />);
    await act(async () => wanted.emit());
    expect(find("waits")?.textContent).toContain("3 waiting");
    expect(place.querySelectorAll('[data-status="waiting"]')).toHaveLength(3);
    expect(focused()).toBe("a1");
    await key(document.activeElement, "ArrowDown");
    expect(focused()).toBe("a2");
    await key(document.activeElement, "ArrowUp");
    await key(document.activeElement, "ArrowUp");
    expect(focused()).toBe("a3");
    await key(document.activeElement, "n");
    expect(answers).toEqual([["a3", false, undefined]]);
  });

  it("is counted with the questions that wait", async () => {
    await show(<Waiting items={[...three, question]} />);
    expect(find("waits")?.textContent).toContain("4 waiting");
  });

  it("takes the place of its call's line, which comes back with what was decided", async () => {
    const call: TranscriptItem = {
      kind: "tool",
      key: "t1",
      name: "shell",
      input: { command: "reboot" },
      status: "running",
      output: "",
      startedAt: 0,
      durationMs: null,
    };
    await show(<Waiting items={[call, approval]} />);
    expect(find("tool-card")).toBeNull();
    expect(card()?.dataset.status).toBe("waiting");
    const ended = { ...call, status: "failed" as const, output: "No.", durationMs: 0 };
    await show(<Waiting items={[ended, { ...approval, status: "denied", reason: "not now" }]} />);
    expect(card()).toBeNull();
    expect(find("waits")).toBeNull();
    expect(find("tool-card")?.dataset.mark).toBe("denied");
    expect(find("tool-card")?.textContent).toBe("Denied: reboot“not now”");
  });

  // Bug: the line of a command that a rule refused said “Ran”, and not why it had not.
  it("is no more needed where a rule refuses: the line says which, also of a conversation that was loaded", async () => {
    const call: TranscriptItem = {
      kind: "tool",
      key: "t1",
      name: "shell",
      input: { command: "reboot" },
      status: "failed",
      output: refusedText("shell", "your rule “deny commands with `reboot`”", "in the settings"),
      startedAt: 0,
      durationMs: 0,
    };
    await show(<Waiting items={[call]} />);
    expect(find("tool-card")?.dataset.mark).toBe("denied");
    expect(find("tool-card")?.textContent).toBe(
      "Denied: rebootyour rule “deny commands with `reboot`”. The user can change that in the settings.",
    );
  });

  it("stands beside the line of a command that wants a host: the command runs, and waits", async () => {
    const call: TranscriptItem = {
      kind: "tool",
      key: "t1",
      name: "shell",
      input: { command: "curl x" },
      status: "running",
      output: "",
      startedAt: 0,
      durationMs: null,
    };
    const host = {
      ...approval,
      wish: { who: "A command", what: "to connect to x" },
      holdsInConversation: true,
    };
    await show(<Waiting items={[call, host]} />);
    expect(find("tool-card")?.dataset.mark).toBe("waiting");
    expect(card()).not.toBeNull();
  });

  // Bug: a line with a running spinner stood above the card, and both stayed.
  it("a question stands in the place of its call's line, and afterwards the line says the answer", async () => {
    const call: ToolItem = {
      kind: "tool",
      key: "t1",
      name: "ask_user",
      input: { question: "Which one?" },
      status: "running",
      output: "",
      startedAt: 0,
      durationMs: null,
    };
    const asked = { ...question, toolUseId: "t1" };
    await show(<Waiting items={[call, asked]} />);
    expect(find("tool-card")).toBeNull();
    expect(find("question")?.dataset.status).toBe("waiting");
    const ended: ToolItem = { ...call, status: "done", output: "Left", durationMs: 0 };
    await show(<Waiting items={[ended, { ...asked, status: "answered", answer: "Left" }]} />);
    expect(find("question")).toBeNull();
    expect(find("tool-card")?.textContent).toBe("Asked you: Which one?“Left”");
    await show(
      <Waiting
        items={[
          { ...ended, status: "stopped", output: stoppedText },
          { ...asked, status: "dropped" },
        ]}
      />,
    );
    expect(find("tool-card")?.dataset.mark).toBe("stopped");
    expect(find("tool-card")?.textContent).toBe("Stopped: Which one?");
  });

  // Bug: "Make this change? --- /dev/null +++ site/r…".
  it("the bar names the files of a change and how much of them changes", async () => {
    vi.stubGlobal("IntersectionObserver", OutOfSight);
    const diff = "--- /dev/null\n+++ site/a.json\n@@ -0,0 +1,2 @@\n+one\n+two";
    await show(<Waiting items={[{ ...approval, effect: "write", detail: diff, diff }]} />);
    vi.unstubAllGlobals();
    expect(find("waits")?.textContent).toContain("Make this change? site/a.json +2");
    expect(find("waits")?.textContent).not.toContain("/dev/null");
  });

  // Bug: an answer that was meant for what stood there before landed on the card that had just come.
  it("takes no press while it has just appeared", async () => {
    await showNew(<ApprovalCard item={approval} />);
    await key(card(), "y");
    await key(card(), "n");
    await press("Allow once");
    await press("Deny");
    expect(answers).toEqual([]);
    await wait(freshMs - 1);
    await press("Allow once");
    expect(answers).toEqual([]);
    await wait(1);
    await press("Allow once");
    expect(answers).toHaveLength(1);
  });

  it("takes no press while it has just moved; a key goes to the card that has the keyboard, wherever it stands", async () => {
    await show(<ApprovalCard item={approval} />);
    const section = card();
    if (!section) throw new Error("There is no card.");
    section.getBoundingClientRect = () => new DOMRect(0, 40, 100, 100);
    await press("Allow once");
    expect(answers).toEqual([]);
    await key(section, "y");
    expect(answers).toHaveLength(1);
    await wait(freshMs);
    await press("Allow once");
    expect(answers).toHaveLength(2);
  });

  it("all of it is answered at once only where several wait, and never yes to what runs without a fence", async () => {
    await show(<Waiting items={three.slice(0, 1)} />);
    expect(find("allow-all")).toBeNull();
    expect(find("deny-all")).toBeNull();
    await show(<Waiting items={three.slice(0, 2).map((item) => ({ ...item, runsOutside: true }))} />);
    expect(find("allow-all")).toBeNull();
    await press("Deny all");
    await show(<Waiting items={three} />);
    await press("Allow all");
    expect(answers).toEqual([[false], [true]]);
  });

  it("has Deny as the filled button where no rewind brings back what a yes does", async () => {
    const filled = () => place.querySelector(".primary")?.getAttribute("data-testid");
    await show(<ApprovalCard item={approval} />);
    expect(filled()).toBe("allow");
    await show(<ApprovalCard item={{ ...approval, runsOutside: true }} />);
    expect(filled()).toBe("deny");
  });

  // Bug: Esc threw the reason away, and the keyboard was nowhere.
  it("keeps the reason of a no that was put aside, and has the keyboard again", async () => {
    await show(<ApprovalCard item={approval} />);
    await key(card(), "r");
    await fill("not on main");
    await key(place.querySelector("input"), "Escape");
    expect(document.activeElement).toBe(card());
    await key(card(), "r");
    expect(place.querySelector("input")?.value).toBe("not on main");
  });

  it("leaves the keyboard with the card that has it when another one was answered", async () => {
    await show(<Waiting items={three} />);
    await act(async () => wanted.emit());
    await key(document.activeElement, "ArrowDown");
    await show(<Waiting items={three.slice(1)} />);
    expect(focused()).toBe("a2");
  });

  // Bug: a card takes the keyboard from whoever is typing, and the next letter allows it.
  it("never takes the keyboard by itself", async () => {
    const box = document.createElement("input");
    document.body.append(box);
    box.focus();
    await show(<Waiting items={[]} />);
    await show(<Waiting items={three} />);
    expect(document.activeElement).toBe(box);
    box.remove();
  });
});

describe("a question", () => {
  it("is answered by an option or in one's own words, never with nothing", async () => {
    await show(<QuestionCard item={question} />);
    await press("Right");
    await press("Something else…");
    await fill("  ");
    await press("Answer");
    await fill("neither");
    await press("Answer");
    expect(answers).toEqual([
      ["q1", "Right"],
      ["q1", "neither"],
    ]);
  });

  it("has a box for other words once it is asked for; Esc closes it and keeps what stands there", async () => {
    await show(<QuestionCard item={question} />);
    expect(find("answer")).toBeNull();
    await press("Something else…");
    expect(document.activeElement).toBe(find("answer"));
    await fill("nei");
    await key(find("answer"), "Escape", { isComposing: true });
    await key(find("answer"), "Escape");
    expect(find("answer")).toBeNull();
    expect(document.activeElement).toBe(find("question"));
    await press("Something else…");
    expect(place.querySelector("input")?.value).toBe("nei");
    expect(document.activeElement).toBe(find("answer"));
  });

  it("without options has the box at once, and does not take the keyboard", async () => {
    await show(<QuestionCard item={{ ...question, options: [] }} />);
    expect(find("answer")).not.toBeNull();
    expect(document.activeElement).not.toBe(find("answer"));
  });

  it("stands out while it waits, and shows what each option means", async () => {
    const options = [{ label: "Left", description: "Along the river" }, { label: "Right" }];
    await show(<QuestionCard item={{ ...question, options }} />);
    expect(find("question")?.className).toContain(styles.waiting);
    expect(place.querySelector("small")?.textContent).toBe("Along the river");
    await show(<QuestionCard item={{ ...question, options, status: "answered", answer: "Left" }} />);
    expect(find("question")?.className).not.toContain(styles.waiting);
  });

  it("shows its answer afterwards", async () => {
    await show(<QuestionCard item={{ ...question, status: "answered", answer: "Left" }} />);
    expect(place.textContent).toContain("You: Left");
    expect(place.querySelectorAll("button")).toHaveLength(0);
  });
});
