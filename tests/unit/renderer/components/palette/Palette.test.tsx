// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { hitOf, summaryOf } from "../../state/summaries.ts";
import { act } from "../react-act.ts";
import { WindowRig } from "../window-rig.tsx";

let rig: WindowRig;
beforeEach(async () => {
  rig = new WindowRig();
  await rig.open({}, [summaryOf("1", { title: "Qqyaks" })]);
  await act(async () => rig.state.palette.open());
});
afterEach(() => rig.dispose());

const field = () => rig.one('[data-testid="palette-input"]');
const message = (conversationId: string) => hitOf(conversationId, { kind: "reply" });
const opened = () =>
  rig.main.calls.flatMap(({ route, input }) =>
    route === "conversation.attach" ? [Object(input).conversationId] : [],
  );

// Bug: Enter pressed before the answer was there opened the message that had been found for the words before.
it("opens with Enter the message that has these words, and waits for that", async () => {
  await rig.type(field(), "qqzebra");
  await act(() => rig.main.answer("conversation.search", [message("z")]));
  await rig.type(field(), "qqnothing");
  await rig.press(field(), "Enter");
  expect(opened()).toEqual([]);
  await act(() => rig.main.answer("conversation.search", [message("n")]));
  expect(opened()).toEqual(["n"]);
  expect(rig.all('[data-testid="palette"]')).toEqual([]);
});

it("forgets an Enter after which another key was pressed", async () => {
  await rig.type(field(), "qqzebra");
  await rig.press(field(), "Enter");
  await rig.press(field(), "Tab");
  await act(() => rig.main.answer("conversation.search", [message("z")]));
  expect(opened()).toEqual([]);
});

it("opens at once what has the words in its name", async () => {
  await rig.type(field(), "qqyak");
  await rig.press(field(), "Enter");
  expect(opened()).toEqual(["1"]);
});
