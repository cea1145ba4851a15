// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ApprovalCard, type ApprovalItem } from "../../../../renderer/components/ApprovalCard.tsx";
import { QuestionCard, type QuestionItem } from "../../../../renderer/components/QuestionCard.tsx";
import { RowActionsContext } from "../../../../renderer/components/row-actions.ts";
import { act } from "./react-act.ts";

let root: Root;
let place: HTMLElement;
let answers: unknown[];

beforeEach(() => {
  answers = [];
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
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
    const button = buttons.find((one) => one.textContent === label);
    if (!button) throw new Error(`There is no button ${label}`);
    button.click();
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

  it("allows, denies, and denies with the user's reason", async () => {
    await show(<ApprovalCard item={approval} />);
    await press("Allow");
    await press("Deny");
    await press("Deny, and say why");
    await fill("not on main");
    await press("Deny");
    expect(answers).toEqual([
      ["a1", true],
      ["a1", false],
      ["a1", false, "not on main"],
    ]);
  });

  // Bug: a card that was answered elsewhere can be answered again.
  it("has no buttons any more once it is settled", async () => {
    await show(<ApprovalCard item={{ ...approval, status: "denied", reason: "not on main" }} />);
    expect(place.querySelectorAll("button")).toHaveLength(0);
    expect(place.textContent).toContain("Denied: shell (not on main)");
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

  it("shows its answer afterwards", async () => {
    await show(<QuestionCard item={{ ...question, status: "answered", answer: "Left" }} />);
    expect(place.textContent).toContain("You: Left");
    expect(place.querySelectorAll("button")).toHaveLength(0);
  });
});
