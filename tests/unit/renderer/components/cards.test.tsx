// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ApprovalCard,
  type ApprovalItem,
  ApprovalLine,
} from "../../../../renderer/components/approvals/ApprovalCard.tsx";
import { ApprovalList } from "../../../../renderer/components/approvals/ApprovalList.tsx";
import { QuestionCard, type QuestionItem } from "../../../../renderer/components/approvals/QuestionCard.tsx";
import { RowActionsContext } from "../../../../renderer/components/sessions/row-actions.ts";
import styles from "../../../../renderer/components/ui/Card.module.css";
import { Signal } from "../../../../renderer/state/signal.ts";
import { layOut } from "./no-layout.ts";
import { act } from "./react-act.ts";

let root: Root;
let place: HTMLElement;
let answers: unknown[];

beforeEach(() => {
  answers = [];
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
  layOut();
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
});

const show = (card: React.ReactNode) =>
  act(async () =>
    root.render(
      <RowActionsContext
        value={{
          answerApproval: (...answer) => answers.push(answer),
          answerQuestion: (...answer) => answers.push(answer),
          sendAnyway: (...answer) => answers.push(answer),
        }}
      >
        {card}
      </RowActionsContext>,
    ),
  );

const press = (label: string) =>
  act(async () => {
    const buttons = [...place.querySelectorAll("button")];
    const button = buttons.find((one) => (one.querySelector("span") ?? one).textContent === label);
    if (!button) throw new Error(`There is no button ${label}`);
    button.click();
  });

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
    expect(head()).toBe("Run this command? shell");
    const wish = { who: "notes", what: "to use its tool “Find\u202e”", tool: "Find\u202e" };
    await show(<ApprovalCard item={{ ...approval, wish }} />);
    expect(head()).toBe("Use “Find⟨U+202E⟩” from notes?");
    await show(<ApprovalLine item={{ ...approval, wish, status: "allowed" }} />);
    expect(place.textContent).toBe("✓ Allowed: “Find⟨U+202E⟩” from notes");
  });

  it("does not call a yes that lasts one for once", async () => {
    const wish = { who: "notes", what: "to connect to a host", lasts: true };
    await show(<ApprovalCard item={{ ...approval, wish }} />);
    expect(place.textContent).not.toContain("Allow once");
    await press("Allow from now on");
    expect(answers).toEqual([["a1", true, undefined, { scope: "once" }]]);
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

  it("says what becomes of spoken words while it waits, where a microphone is heard", async () => {
    const hint = () => place.querySelector('[data-testid="spoken-words"]')?.textContent;
    await show(<ApprovalCard item={approval} />);
    expect(hint()).toBeUndefined();
    await show(<ApprovalCard item={approval} isListening />);
    expect(hint()).toBe("Say “no” to deny. To allow, click. Anything else you say waits until then.");
    await show(<ApprovalCard item={{ ...approval, mayBeSpoken: true }} isListening />);
    expect(hint()).toContain("Say just “yes” or “no” to answer.");
  });

  it("allows for longer only where it says what that writes", async () => {
    await show(<ApprovalCard item={approval} />);
    expect(find("longer")).toBeNull();
    expect(place.textContent).not.toContain("Always");
    await key(card(), "a");
    await key(card(), "s");
    expect(answers).toEqual([]);

    const rules = [
      { verdict: "allow" as const, command: "git status", exact: true, folder: "/w" },
      { verdict: "allow" as const, command: "git \u202elog *", folder: "/w" },
    ];
    const words = [
      "exactly the command `git status`, in /w",
      "`git ⟨U+202E⟩log` with any words after it, in /w",
    ];
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    expect(find("allow-session")?.title).toBe(`Also allow until you quit: ${words.join("; ")}`);
    await press("Allow in this conversation");
    expect(place.textContent).not.toContain("Always");
    for (const id of ["longer-session", "longer-always"]) {
      await press("▾");
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
    await show(<ApprovalList items={two} />);
    await press("▾");
    for (const letter of ["y", "s", "a", "n", "r"]) await key(document.activeElement, letter);
    expect(answers).toEqual([]);
    await key(document.activeElement, "ArrowDown");
    expect(document.activeElement).toBe(find("longer-always"));
    await key(document.activeElement, "Escape");
    expect(document.activeElement).toBe(find("longer-menu"));
    expect(answers).toEqual([]);
  });

  it("says that a yes for longer to a change of files is one to all edits of the folder", async () => {
    const rules = [{ verdict: "allow" as const, path: "**", folder: "/w" }];
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    expect(find("allow-session")?.title).toBe("Also allow until you quit: edits to any file in /w");
    await press("Allow edits in this folder");
    expect(answers).toEqual([["a1", true, undefined, { scope: "session" }]]);
  });

  it("lets a command run outside of the fence where that is offered, and only by that button", async () => {
    await show(<ApprovalCard item={approval} />);
    expect(find("run-outside")).toBeNull();
    await show(<ApprovalCard item={{ ...approval, mayRunOutside: true }} />);
    await press("Allow once");
    await press("Run outside");
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
    await press("Run outside");
    expect(answers).toEqual([]);
    await press("Back");
    await press("Run outside");
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
    expect(place.textContent).toContain("in this conversation");
  });

  it("says what its keys write where everybody sees it", async () => {
    const rules = [{ verdict: "allow" as const, command: "git \u202elog *", folder: "/w" }];
    await show(<ApprovalCard item={approval} />);
    expect(find("what-is-written")).toBeNull();
    await show(<ApprovalCard item={{ ...approval, rules }} />);
    expect(find("what-is-written")?.textContent).toBe(
      "Y this call only · S until you quit, A always, saved in your settings: `git ⟨U+202E⟩log` with any words after it, in /w",
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
    expect(place.querySelector("pre")?.textContent).toBe(diff.replace("\u202e", "⟨U+202E⟩"));
    expect(place.querySelector('[data-sign="+"]')?.textContent).toBe("+new");
    expect(place.querySelector('[data-sign="-"]')?.textContent).toContain("-old");
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
    expect(place.textContent).toContain("Denied: shell (not on main)");
  });
});

describe("what waits", () => {
  const wanted = new Signal();
  const three = ["a1", "a2", "a3"].map((one): ApprovalItem => ({ ...approval, key: one, toolUseId: one }));
  const focused = () => document.activeElement?.getAttribute("data-key");

  it("is one list, whose cards the arrow keys go through", async () => {
    await show(
      <ApprovalList
        items={[...three, { ...approval, key: "old", status: "allowed" }]}
        focusWanted={wanted}
      />,
    );
    await act(async () => wanted.emit());
    expect(place.textContent).toContain("3 actions need approval");
    expect(place.querySelectorAll('[data-testid="approval"]')).toHaveLength(3);
    expect(focused()).toBe("a1");
    await key(document.activeElement, "ArrowDown");
    expect(focused()).toBe("a2");
    await key(document.activeElement, "ArrowUp");
    await key(document.activeElement, "ArrowUp");
    expect(focused()).toBe("a3");
    await key(document.activeElement, "n");
    expect(answers).toEqual([["a3", false, undefined]]);
  });

  // Bug: a key that is pressed twice also answers the next card, which nobody has read.
  it("gives the keyboard to no other card when the focused one was answered, until the arrows do", async () => {
    const rules = [{ verdict: "allow" as const, tool: "x" }];
    const items = three.map((item) => ({ ...item, rules }));
    await show(<ApprovalList items={items} focusWanted={wanted} />);
    await act(async () => wanted.emit());
    await key(document.activeElement, "y");
    const first = ["a1", true, undefined, { scope: "once" }];
    expect(answers).toEqual([first]);
    await show(<ApprovalList items={items.slice(1)} focusWanted={wanted} />);
    expect(document.activeElement).toBe(find("approvals"));
    for (const letter of ["y", "s", "a", "n", "r"]) await key(document.activeElement, letter);
    expect(answers).toEqual([first]);
    expect(place.querySelector("input")).toBeNull();
    await key(document.activeElement, "ArrowDown");
    expect(focused()).toBe("a2");
    await key(document.activeElement, "y");
    expect(answers).toEqual([first, ["a2", true, undefined, { scope: "once" }]]);
  });

  it("leaves the keyboard with the card that has it when another one was answered", async () => {
    await show(<ApprovalList items={three} focusWanted={wanted} />);
    await act(async () => wanted.emit());
    await key(document.activeElement, "ArrowDown");
    await show(<ApprovalList items={three.slice(1)} focusWanted={wanted} />);
    expect(focused()).toBe("a2");
  });

  // Bug: a card takes the keyboard from whoever is typing, and the next letter allows it.
  it("never takes the keyboard by itself", async () => {
    const box = document.createElement("input");
    document.body.append(box);
    box.focus();
    await show(<ApprovalList items={[]} />);
    await show(<ApprovalList items={three} />);
    expect(document.activeElement).toBe(box);
    box.remove();
  });
});

describe("a question", () => {
  it("is answered by an option or in one's own words, never with nothing", async () => {
    await show(<QuestionCard item={question} />);
    await press("Right");
    await fill("  ");
    await press("Answer");
    await fill("neither");
    await press("Answer");
    expect(answers).toEqual([
      ["q1", "Right"],
      ["q1", "neither"],
    ]);
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
