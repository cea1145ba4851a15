import { expect, test } from "vitest";
import { Problems } from "../../../../electron/desktop/log/problems.ts";

const locked = { code: "locked", message: "The keyring is locked.", hint: "Unlock it." };
const broken = { code: "broken", message: "settings.json is broken." };

test("what went wrong before there is a log goes into it as soon as there is one, what follows at once", () => {
  const lines: string[] = [];
  const problems = new Problems();
  problems.report(broken);
  problems.connect({ warn: (line) => lines.push(line), onChange: () => lines.push("(shown)") });
  expect(lines).toEqual(["settings.json is broken."]);
  problems.report(locked);
  expect(lines.slice(1)).toEqual(["The keyring is locked. Unlock it.", "(shown)"]);
});

test("the same again is one line more, and not shown twice", () => {
  const lines: string[] = [];
  const problems = new Problems();
  problems.connect({ warn: (line) => lines.push(line), onChange: () => lines.push("(shown)") });
  problems.report(broken);
  problems.report(broken);
  expect(problems.list).toEqual([broken]);
  expect(lines).toEqual(["settings.json is broken.", "(shown)", "settings.json is broken."]);
});

test("what was mended is no longer shown, and is shown when it is wrong again", () => {
  const shown: number[] = [];
  const problems = new Problems();
  problems.connect({ warn: () => {}, onChange: () => shown.push(problems.list.length) });
  problems.report(broken);
  problems.report(locked);
  problems.mended(broken);
  expect(problems.list).toEqual([locked]);
  problems.report(broken);
  expect(shown).toEqual([1, 2, 1, 2]);
});
