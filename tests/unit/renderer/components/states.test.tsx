import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { type RowActions, RowActionsContext } from "../../../../renderer/components/sessions/row-actions.ts";
import { ThinkingLine } from "../../../../renderer/components/transcript/messages/ThinkingLine.tsx";
import { TranscriptRow } from "../../../../renderer/components/transcript/TranscriptRow.tsx";
import { ActivityLine } from "../../../../renderer/components/transcript/tools/ActivityLine.tsx";
import { VoiceBar } from "../../../../renderer/components/voice/VoiceBar.tsx";
import { AnswerGuard } from "../../../../renderer/state/conversation/answer-guard.ts";
import { Store } from "../../../../renderer/state/store.ts";
import {
  type ConversationView,
  emptyView,
  type TranscriptItem,
} from "../../../../shared/conversation/transcript.ts";
import type { ModelState } from "../../../../shared/ipc/model-routes.ts";
import { type VoiceNow, voiceIn, voiceOff } from "../../../../shared/voice/voice-snapshot.ts";
import { voiceOn } from "../voice-snapshot.ts";

const empty = { ...emptyView("a", "A"), voice: voiceIn(null, "a") };
const row = (item: TranscriptItem) => renderToStaticMarkup(<TranscriptRow item={item} onRetry={() => {}} />);
const actions = (item: TranscriptItem, given: Partial<RowActions>) =>
  renderToStaticMarkup(
    <RowActionsContext
      value={{
        answerApproval: () => {},
        answerQuestion: () => {},
        guard: new AnswerGuard(),
        sendAnyway: () => {},
        sayRest: () => {},
        ...given,
      }}
    >
      <TranscriptRow item={item} onRetry={() => {}} />
    </RowActionsContext>,
  );
const bar = (now: VoiceNow) =>
  renderToStaticMarkup(
    <VoiceBar
      now={now}
      panel={null}
      level={new Store(0)}
      platform="linux"
      onStart={() => {}}
      onMute={() => {}}
      onDictate={() => {}}
      onSource={() => {}}
      onAsk={() => {}}
      onMeeting={() => {}}
      isAnswering={false}
      talkKey="off"
      onSystemSettings={() => {}}
    />,
  );
const line = (change: Partial<ConversationView>) =>
  renderToStaticMarkup(<ActivityLine view={{ ...empty, ...change }} modelLabel="Claude" />);

describe("the voice bar", () => {
  it("is not there while voice is off", () => {
    expect(bar(voiceOff)).toBe("");
  });

  // Bug: "listening" on screen while the microphone is still being opened.
  it("does not invite to speak before audio arrives", () => {
    expect(bar(voiceOn({ state: "starting" }))).not.toMatch(/speak/i);
    expect(bar(voiceOn())).toMatch(/speak/i);
  });

  it("says what becomes of the words that are being said", () => {
    expect(bar(voiceOn({ state: "hearing" }))).toContain("Sends when you pause");
    const partial = { utteranceId: "u", text: "so far" };
    expect(bar(voiceOn({ state: "hearing", partial }))).toContain('data-filling="false"');
    expect(bar(voiceOn({ state: "transcribing", partial }))).toContain('data-filling="true"');
    expect(bar(voiceOn({ state: "transcribing" }))).not.toContain("Sends");
    expect(bar(voiceOn({ isDictating: true, partial }))).not.toContain("Sends");
    expect(bar(voiceOn({ state: "hearing", isDictating: true }))).not.toContain("Sends");
    expect(bar(voiceOn({ state: "hearing", source: "both" }))).not.toContain("Sends");
  });

  // Bug: a server that does not tell when speech begins: words stood there, and below them that it listens.
  it("says it also where words come without the begin of speech", () => {
    const partial = { utteranceId: "u", text: "so far" };
    expect(bar(voiceOn({ partial }))).toContain("Sends when you pause");
    expect(bar(voiceOn())).not.toContain("Sends");
  });

  it("names the microphone that is heard, and offers to mute it and to dictate", () => {
    const shown = bar(voiceOn({ device: "Yeti" }));
    expect(shown).toContain("Yeti");
    expect(shown).toContain('aria-label="Listen to: Yeti"');
    expect(shown).toContain("Mute");
    expect(shown).toContain("Dictate");
    // A dictation would be refused.
    expect(bar(voiceOn({ source: "loopback" }))).not.toContain("Dictate");
  });

  it("that failed says why and what to do", () => {
    const shown = bar({
      ...{ state: "failed", isTesting: false, conversationId: "a" },
      detail: { code: "NotFoundError", message: "No microphone was found.", hint: "Plug one in." },
    });
    expect(shown).toContain("No microphone was found.");
    expect(shown).toContain("Plug one in.");
    expect(shown).toContain("Try again");
  });

  it("that restarts says why", () => {
    const detail = { code: "x", message: "The speech process ended." };
    expect(bar(voiceOn({ state: "restarting", detail }))).toContain(detail.message);
  });

  it("does not take what a computer plays for the user", () => {
    expect(bar(voiceOn({ state: "hearing", source: "loopback" }))).not.toContain("Hearing you");
  });
});

describe("a row", () => {
  const user = { kind: "user", key: "u", text: "Hi", at: 0 } as const;

  it("marks a prompt that was heard from the computer's sound", () => {
    expect(row({ ...user, origin: "voice", source: "loopback" })).toContain("Heard on this computer");
  });

  // Bug: a pasted log of a megabyte as one text node.
  it("shows the beginning of a very long prompt", () => {
    const shown = row({ ...user, text: "x".repeat(1_000_000), origin: "typed", source: null });
    expect(shown.length).toBeLessThan(5000);
    expect(shown).toContain("Show all 1,000,000 characters");
  });

  it("offers Retry only where asking again may work", () => {
    const item = { kind: "error", key: "e", error: { code: "x", message: "No." }, at: 0 } as const;
    expect(row({ ...item, canRetry: true })).toContain("Retry");
    expect(row({ ...item, canRetry: false })).not.toContain("Retry");
  });

  // Bug: beside the button stood "Type /key to change …", and both buttons went with the next prompt.
  it("a refused key offers to change it, for good, and nothing to type", () => {
    const error = {
      code: "auth",
      message: "Anthropic refused the key.",
      hint: "Type /key.",
      keyVariable: "K",
    };
    const item = { kind: "error", key: "e", error, at: 0 } as const;
    const shown = actions({ ...item, canRetry: false }, { changeKey: () => {} });
    expect(shown).toContain("Replace the key…");
    expect(shown).toContain("It is wrong or has expired.");
    expect(shown).not.toContain("/key");
    // There is no button in the quick window.
    expect(row({ ...item, canRetry: false })).toContain("Type /key.");
  });

  describe("offers the ways out of an error, the best one first and filled", () => {
    const other = { id: "openai:gpt-5", name: "GPT-5" };
    const known: ModelState = {
      ...{ provider: "anthropic", modelId: null, modelName: "", takesImages: false, isForNew: true },
      ...{ effort: "default", efforts: { taken: [], why: null }, price: null },
    };
    const ways = (code: string, given: Partial<RowActions>, keyVariable?: string) => {
      const error = { code, message: "No.", ...(keyVariable !== undefined && { keyVariable }) };
      const shown = actions({ kind: "error", key: "e", error, canRetry: true, at: 0 }, given);
      return [...shown.matchAll(/class="(btn[^"]*)"[^>]*>([^<]+)/g)].map(([, look, words]) => [look, words]);
    };
    const every = { changeKey: () => {}, chooseModel: () => {}, modelState: new Store({ ...known, other }) };
    const alone = { ...every, modelState: new Store(known) };

    it.each([
      ["auth", "K", ["Replace the key…", "Answer with GPT-5", "Retry"]],
      ["no_key", "K", ["Add the key…", "Answer with GPT-5", "Retry"]],
      ["no_credit", undefined, ["Answer with GPT-5", "Choose another model"]],
      ["overloaded", undefined, ["Retry", "Answer with GPT-5"]],
      ["invalid_request", undefined, ["Retry"]],
    ])("%s, where another provider can answer", (code, variable, words) => {
      const [first, ...more] = words;
      const rest = more.map((word) => ["btn", word]);
      expect(ways(code, every, variable)).toEqual([["btn primary", first], ...rest]);
    });

    // Bug: where the chosen provider had lost its key, the hint went and nothing said that another model can answer.
    it("no_key, where no other provider can", () => {
      expect(ways("no_key", alone, "K")).toEqual([
        ["btn primary", "Add the key…"],
        ["btn", "Choose another model"],
        ["btn", "Retry"],
      ]);
    });
  });

  it.each(["no_credit", "not_found"])("%s offers another model", (code) => {
    const item = { kind: "error", key: "e", error: { code, message: "No." }, at: 0 } as const;
    const shown = actions({ ...item, canRetry: true }, { chooseModel: () => {} });
    expect(shown).toContain("Choose another model");
    expect(shown.includes("Retry")).toBe(code === "not_found");
  });

  it("says in words how a tool call went, not by colour alone", () => {
    const tool = { kind: "tool", key: "t", name: "read_file", input: {}, output: "", startedAt: 0 } as const;
    expect(row({ ...tool, status: "done", durationMs: 9 })).toContain('aria-label="Done"');
    expect(row({ ...tool, status: "failed", durationMs: 9 })).toContain('aria-label="Failed"');
    expect(row({ ...tool, status: "stopped", durationMs: 9 })).toContain('aria-label="Stopped"');
  });
});

describe("the activity line", () => {
  it("names what is waited for", () => {
    expect(line({ activity: { kind: "model", model: "m", since: Date.now() } })).toContain(
      "Waiting for Claude",
    );
  });

  it("counts tools that run side by side", () => {
    const names = ["read_file", "read_file", "calculate"];
    expect(line({ activity: { kind: "tools", names, since: Date.now() } })).toContain(
      "Running read_file × 2, calculate",
    );
  });

  it("counts down to the next try, and then says that it is trying", () => {
    const retry = { kind: "retry", reason: "Overloaded.", attempt: 2, delayMs: 60_000 } as const;
    expect(line({ activity: { ...retry, since: Date.now() } })).toContain("Overloaded: Retrying in");
    expect(line({ activity: { ...retry, since: Date.now() - 70_000 } })).toContain("Retrying (attempt 2)");
    const known = { ...retry, of: 3, since: Date.now() - 70_000 };
    expect(line({ activity: known })).toContain("Retrying (2 of 3)");
  });

  it("is gone while text streams and while nothing runs", () => {
    const items: TranscriptItem[] = [
      { kind: "assistant", key: "m", text: "…", streaming: true, interrupted: false, at: 0 },
    ];
    expect(line({ state: "processing", items })).toBe("");
    expect(line({ state: "idle" })).toBe("");
    expect(line({ state: "processing" })).toContain("Working");
  });
});

// Bug: "Running shell · 40 s" while it is the user who is waited for, and the same line again below the card that asks.
it("the activity line leaves it to the card to say that it is the user's turn", () => {
  const activity = { kind: "tools", names: ["shell"], since: 0 } as const;
  const shown = line({ state: "awaiting_input", activity: { ...activity, names: [...activity.names] } });
  expect(shown).toBe("");
});

// Bug: it said “Thought for 0 s”.
it.each([
  [null, "Thought"],
  [400, "Thought"],
  [4000, "Thought for 4 s"],
])("thinking that took %s ms is called so", (ms, called) => {
  const line = renderToStaticMarkup(<ThinkingLine thinking={{ text: "Hm.", isGoingOn: false, ms }} />);
  expect(line).toContain(`</span>${called}</button>`);
});
