// @vitest-environment happy-dom
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import { QuickAnswer } from "../../../../renderer/components/quick/QuickAnswer.tsx";
import { quickActions } from "../../../../renderer/components/quick/quick-actions.ts";
import { RowActionsContext } from "../../../../renderer/components/sessions/row-actions.ts";
import { QuickState } from "../../../../renderer/state/quick-state.ts";
import type { TranscriptItem } from "../../../../shared/conversation/transcript.ts";
import { ScriptedMain } from "../state/scripted-main.ts";
import { act } from "./react-act.ts";

// Bug: a quick prompt waited for a run whose question was not to be seen there.
it("of the run that a quick prompt waits behind, its question is shown and nothing else", async () => {
  const main = new ScriptedMain();
  const state = new QuickState(main.bridge);
  const question: TranscriptItem = {
    ...{ kind: "question", key: "q", question: "Which one?", status: "waiting", at: 0, answer: null },
    options: [{ label: "The first" }],
  };
  const reply: TranscriptItem = { kind: "note", key: "n", text: "Something else.", at: 0 };
  const view = { ...main.view("a"), items: [reply, question] };
  const place = document.createElement("div");
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <RowActionsContext value={quickActions(state)}>
        <QuickAnswer
          {...{ items: null, view, trust: state.trust, modelLabel: "a model" }}
          scrollWanted={state.scrollWanted}
        />
      </RowActionsContext>,
    ),
  );
  expect(place.textContent).toContain("Which one?");
  expect(place.textContent).toContain("The first");
  expect(place.textContent).not.toContain("Something else.");
  await act(async () => root.unmount());
});
