import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { spokenAnswer } from "../../../electron/permissions/spoken-answer.ts";

const edit = { approvalId: "edit", mayBeSpoken: true };
const command = { approvalId: "command", mayBeSpoken: false };
const heard = (text: string, confidence: number | null = 0.9) => ({
  text,
  source: "microphone" as const,
  confidence,
});

describe("a spoken answer", () => {
  test.each([
    "yes",
    "Yes.",
    "yes, please",
    "yes—please",
    "Go ahead!",
    "  ALLOW it ",
    "Do it",
    "Approve, please.",
    "Parley, please approve that",
    "yes, approve",
  ])("%j allows an edit", (text) => {
    expect(spokenAnswer(heard(text), [edit])).toEqual({ approvalIds: ["edit"], allowed: true });
  });

  test.each([
    "no",
    "No!",
    "don't",
    "Don’t.",
    "no, don't do it",
    "deny it",
    "No, thank you.",
    "Deny that, please",
  ])("%j denies, also a command", (text) => {
    expect(spokenAnswer(heard(text), [edit])).toEqual({ approvalIds: ["edit"], allowed: false });
    expect(spokenAnswer(heard(text), [command])).toEqual({ approvalIds: ["command"], allowed: false });
  });

  test.each([
    "yes to the other one",
    "he said yes",
    "yes no",
    "yesterday",
    "no idea",
    "ok computer",
    "",
    "…",
    "I said: allow it now",
  ])("%j is no answer: only a whole utterance is", (text) => {
    expect(spokenAnswer(heard(text), [edit])).toBeNull();
  });

  test("a yes never allows what may not be spoken", () => {
    expect(spokenAnswer(heard("yes"), [command])).toBeNull();
  });

  test("an unsure yes is none, an unsure no is one", () => {
    expect(spokenAnswer(heard("yes", 0.5), [edit])).toBeNull();
    expect(spokenAnswer(heard("yes", 0.6), [edit])?.allowed).toBe(true);
    expect(spokenAnswer(heard("yes", null), [edit])?.allowed).toBe(true);
    expect(spokenAnswer(heard("no", 0.3), [edit])?.allowed).toBe(false);
  });

  test("nothing is answered when none waits, or several and it is not said which", () => {
    expect(spokenAnswer(heard("yes"), [])).toBeNull();
    expect(spokenAnswer(heard("allow all"), [])).toBeNull();
    expect(spokenAnswer(heard("allow all, please"), [edit, edit])?.allowed).toBe(true);
    expect(spokenAnswer(heard("yes"), [edit, edit])).toEqual({ approvalIds: [], allowed: true });
    expect(spokenAnswer(heard("no"), [edit, command])).toEqual({ approvalIds: [], allowed: false });
  });

  test.each([
    ["Allow both.", ["edit", "other"], true],
    ["yes to all", ["edit", "other"], true],
    ["deny them all", ["edit", "other"], false],
    ["No to the first!", ["edit"], false],
    ["approve the last one", ["other"], true],
  ])("%j says which of two is meant", (text, approvalIds, allowed) => {
    const other = { approvalId: "other", mayBeSpoken: true };
    expect(spokenAnswer(heard(text), [edit, other])).toEqual({ approvalIds, allowed });
  });

  test.each(["allow the third", "deny the tenth", "allow the", "allow all the files", "no to the plan"])(
    "%j is none of two",
    (text) => {
      expect(spokenAnswer(heard(text), [edit, command])).toBeNull();
    },
  );

  test("a yes to both is none where one may not be spoken; a no is one", () => {
    expect(spokenAnswer(heard("allow both"), [edit, command])).toBeNull();
    expect(spokenAnswer(heard("deny both"), [edit, command])?.approvalIds).toEqual(["edit", "command"]);
    expect(spokenAnswer(heard("allow both"), [edit, edit, edit])).toBeNull();
  });

  test("what was not heard by the microphone never answers, whatever was said", () => {
    const text = fc.oneof(fc.constantFrom("yes", "no", "allow it"), fc.string());
    const source = fc.constantFrom("loopback" as const, "file" as const);
    fc.assert(
      fc.property(text, source, (said, from) => {
        expect(spokenAnswer({ text: said, source: from, confidence: 1 }, [edit])).toBeNull();
      }),
    );
  });
});
