import fc from "fast-check";
import { expect, test } from "vitest";
import { parseCommandLine } from "../../../electron/commands/parse.ts";

test.each([
  ["/help", "help", []],
  ["  /Voice  start   file ", "voice", ["start", "file"]],
  ['/voice start file "/tmp/two words.wav" fast', "voice", ["start", "file", "/tmp/two words.wav", "fast"]],
  ["/voice start file 'it''s' a\\ b", "voice", ["start", "file", "its", "a b"]],
  ['/x "say \\"hi\\"" un"quo"ted', "x", ['say "hi"', "unquoted"]],
  ['/x "" last', "x", ["", "last"]],
  ['/x "never closed here', "x", ["never closed here"]],
  ["/", "", []],
])("%s is split as a shell would", (line, name, args) => {
  expect(parseCommandLine(line)).toEqual({ name, args });
});

test.each(["what is /help", "", "   ", "/etc/hosts: what is this?"])("“%s” is a prompt", (line) => {
  expect(parseCommandLine(line)).toBeNull();
});

test("any words that are quoted come back as they were", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (words) => {
      const quoted = words.map((word) => `"${word.replace(/[\\"]/g, "\\$&")}"`);
      expect(parseCommandLine(`/run ${quoted.join(" ")}`)?.args).toEqual(words);
    }),
  );
});
