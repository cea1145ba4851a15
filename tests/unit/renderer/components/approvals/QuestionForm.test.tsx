// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { QuestionCard } from "../../../../../renderer/components/approvals/QuestionCard.tsx";
import { RowActionsContext } from "../../../../../renderer/components/sessions/row-actions.ts";
import { AnswerGuard } from "../../../../../renderer/state/conversation/answer-guard.ts";
import type { QuestionItem } from "../../../../../shared/conversation/transcript-items.ts";
import type { FormField } from "../../../../../shared/servers/forms.ts";
import { act } from "../react-act.ts";

let root: Root;
let place: HTMLElement;
let answers: [string, unknown][];

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

const fields: FormField[] = [
  { name: "name", label: "Name", isRequired: true, kind: "text", least: 2 },
  { name: "age", label: "Age", isRequired: false, kind: "integer", most: 150, default: 30 },
  { name: "mail", label: "Mail", isRequired: false, kind: "text", format: "email" },
  { name: "news", label: "News", isRequired: false, kind: "boolean", default: true },
  {
    name: "plan",
    label: "Plan",
    isRequired: true,
    kind: "choice",
    choices: [
      { value: "free", label: "Free" },
      { value: "paid", label: "Paid" },
    ],
  },
];
const item = (more: Partial<QuestionItem> = {}): QuestionItem => ({
  kind: "question",
  key: "q1",
  question: "Who are you?",
  options: [],
  form: { server: "s", fields },
  status: "waiting",
  answer: null,
  at: 0,
  ...more,
});
const show = (shown: QuestionItem) =>
  act(async () =>
    root.render(
      <RowActionsContext
        value={{
          answerApproval: () => {},
          guard: new AnswerGuard(),
          answerQuestion: (id, answer) => answers.push([id, JSON.parse(answer)]),
          sendAnyway: () => {},
          sayRest: () => {},
        }}
      >
        <QuestionCard item={shown} />
      </RowActionsContext>,
    ),
  );
const control = (label: string) => {
  const found = [...place.querySelectorAll("label")].find((one) => one.textContent?.startsWith(label));
  const element = found && document.getElementById(found.htmlFor);
  if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement) return element;
  throw new Error(`There is no field ${label}`);
};
const type = (label: string, text: string) =>
  act(async () => {
    const element = control(label);
    const proto = element instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(proto.prototype, "value")?.set?.call(element, text);
    element.dispatchEvent(
      new Event(element instanceof HTMLSelectElement ? "change" : "input", { bubbles: true }),
    );
  });
const press = (testId: string) =>
  act(async () => place.querySelector<HTMLElement>(`[data-testid="${testId}"]`)?.click());
const faults = () => [...place.querySelectorAll('[role="alert"]')].map((one) => one.textContent);

it.each([
  [false, "Don't enter passwords, keys or card numbers here."],
  [true, "This seems to ask for a secret."],
])("warns against secrets (a field that asks for one: %s)", async (isSecret, warning) => {
  const asked = fields.slice(0, 1).map((field) => ({ ...field, isSecret }));
  await act(async () => root.render(<QuestionCard item={item({ form: { server: "s", fields: asked } })} />));
  expect(place.querySelector('[data-testid="form-warning"]')?.textContent).toContain(warning);
});

it("a form is sent only when every field fits; faults stand beside their fields", async () => {
  await show(item());
  expect(control("Age").value).toBe("30");
  await type("Age", "151");
  await type("Mail", "nobody");
  await press("form-send");
  expect(answers).toEqual([]);
  expect(faults()).toEqual([
    "✕ This is needed.",
    "✕ At most 150.",
    "✕ This is not an email address.",
    "✕ This is needed.",
  ]);
  expect(document.activeElement).toBe(control("Name"));
  await type("Name", "Ada");
  await type("Age", "36");
  await type("Mail", "");
  await type("Plan", "paid");
  await press("form-send");
  expect(answers).toEqual([
    ["q1", { action: "accept", content: { name: "Ada", age: 36, news: true, plan: "paid" } }],
  ]);
});

it("it can be declined or put aside, whatever stands in it", async () => {
  await show(item());
  await press("form-decline");
  await press("form-cancel");
  expect(answers).toEqual([
    ["q1", { action: "decline" }],
    ["q1", { action: "cancel" }],
  ]);
});

it("what was sent is shown field by field", async () => {
  const answer = JSON.stringify({ action: "accept", content: { name: "Ada", news: false } });
  await show(item({ status: "answered", answer }));
  expect(place.querySelector("dl")?.textContent).toBe("NameAdaNewsNo");
  await show(item({ status: "answered", answer: '{"action":"decline"}' }));
  expect(place.textContent).toContain("You declined.");
});
