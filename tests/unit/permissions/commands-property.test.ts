import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readShellScript } from "../../../electron/permissions/commands/shell-script.ts";
import { rules } from "./command-tables.ts";
import { createPolicyRig, type PolicyRig } from "./policy-rig.ts";

let rig: PolicyRig;
beforeAll(async () => {
  rig = await createPolicyRig(rules);
});
afterAll(() => rig.close());

describe("whatever the text", () => {
  const known = fc.constantFrom("git fetch", "mkdir x", "git fetch --prune", "npm test", "bash deploy.sh");
  const glue = fc.constantFrom("&&", "||", ";", "|", "&", "\n", "|&", " ; ", "\r\n");
  // What no rule names, in every shape that a shell has for it.
  const foreign = fc
    .tuple(
      fc.constantFrom("rm -rf x", "wget x", "reboot", "nc -l 1", "touch a", "chmod 777 a", "kill 1"),
      fc.constantFrom<(command: string) => string>(
        (command) => command,
        (command) => `(${command})`,
        (command) => `$(${command})`,
        (command) => `\`${command}\``,
        (command) => `{ ${command}; }`,
        (command) => `A=1 ${command}`,
        (command) => `sh -c '${command}'`,
        (command) => `eval ${command}`,
        (command) => `! ${command}`,
        (command) => `"${command.split(" ")[0]}" x`,
        (command) => `\\${command}`,
        (command) => `<(${command})`,
      ),
    )
    .map(([command, shape]) => shape(command));

  test("an allowed command joined with another one is never allowed", () => {
    fc.assert(
      fc.property(known, glue, foreign, fc.boolean(), (command, sign, other, isFirst) => {
        const both = isFirst ? `${other}${sign}${command}` : `${command}${sign}${other}`;
        expect(rig.shell(both).verdict).toBe("ask");
      }),
      { numRuns: 500 },
    );
  });

  test("an allowed command with a substitution anywhere in it is never allowed", () => {
    fc.assert(
      fc.property(known, foreign, fc.nat(), (command, other, where) => {
        const at = where % (command.length + 1);
        const mixed = `${command.slice(0, at)}$(${other})${command.slice(at)}`;
        expect(rig.shell(mixed).verdict).toBe("ask");
      }),
      { numRuns: 300 },
    );
  });

  test("what is sure is what bash makes of it, word by word", () => {
    const sign = fc.constantFrom(..."abc '\"\\$`;&|<>(){}[]*?~#!=^-\n\t./é".split(""));
    const words = fc.array(sign, { maxLength: 14 }).map((signs) => `printf ${signs.join("")}`);
    const samples = fc.sample(words, { numRuns: 3000, seed: 7 });
    const sure = samples.flatMap((source) => {
      const { plain } = readShellScript(source);
      return plain?.length === 1 && plain[0] ? [{ source, words: plain[0] }] : [];
    });
    expect(sure.length).toBeGreaterThan(50);
    // One bash for all: it says which words its first command gets, each ended by a byte that no word holds.
    const script = sure.map(
      ({ source }) => `printf() { builtin printf '%s\\1' "$@"; builtin printf '\\2'; }\n${source}`,
    );
    const said = execFileSync("/bin/bash", ["--norc", "-c", script.join("\n")], { encoding: "utf8" });
    const heard = said
      .split("\x02")
      .slice(0, -1)
      .map((words) => words.split("\x01").slice(0, -1));
    // Without words printf still says one empty one.
    expect(
      heard.map((args) => args.filter((arg, index) => index > 0 || arg !== "" || args.length > 1)),
    ).toEqual(
      sure.map(({ words: [, ...args] }) =>
        args.filter((arg, index) => index > 0 || arg !== "" || args.length > 1),
      ),
    );
  });
});
