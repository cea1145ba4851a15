import { expect, test } from "vitest";
import { type StopWords, stopWordsHint } from "../../../../electron/voice/session/stop-words-hint.ts";

const all: StopWords = { model: "vosk", listened: ["stop", "wait"], unknown: [] };

test.each<[string, StopWords | null, string | null, RegExp | null]>([
  ["all are listened for", all, null, null],
  ["nobody knows yet", null, null, null],
  ["another server says that it does", all, "ears", null],
  ["another server does not say so", null, "ears", /^ears does not listen for stop words/],
  ["there is no model", { model: null, listened: [], unknown: ["stop"] }, null, /Download Vosk small/],
  [
    "the model does not know some",
    { model: "vosk-de", listened: ["stop"], unknown: ["never mind", "wait"] },
    null,
    /cannot listen for “never mind”, “wait”: the model vosk-de does not know them\. It listens for “stop”\./,
  ],
])("of the words to stop it says what is not listened for where %s", (_when, told, server, hint) => {
  if (hint === null) expect(stopWordsHint(told, server)).toBeNull();
  else expect(stopWordsHint(told, server)).toMatch(hint);
});
