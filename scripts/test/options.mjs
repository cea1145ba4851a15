import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { root } from "../setup/run.mjs";
import { SetUpError } from "../setup/say.mjs";

const usage = `How to call it:
  npm test                              everything, as CI does
  npm test -- --strict                  the same; a test that passes only the second time makes it fail
  npm test -- --repeat 5 FILE…          these test files five times, on a computer that is kept busy`;

/**
 * @param {string[]} args of `npm test`
 * @returns {{ strict: boolean, repeat?: number, files: string[] }}
 * @throws SetUpError that says how to call it
 */
export function readOptions(args) {
  const { values, positionals: files } = parse(args);
  const missing = files.find((file) => !existsSync(join(root, file)));
  if (missing) throw new SetUpError(`There is no file ${missing}.\n${usage}`);
  if (values.repeat === undefined) {
    if (files.length > 0) throw new SetUpError(`To run some files only, say how often.\n${usage}`);
    return { strict: values.strict, files };
  }
  const repeat = Number(values.repeat);
  if (!Number.isInteger(repeat) || repeat < 1)
    throw new SetUpError(`--repeat takes a whole number from 1 on.\n${usage}`);
  if (files.length === 0) throw new SetUpError(`--repeat takes the test files to run.\n${usage}`);
  return { strict: values.strict, repeat, files };
}

function parse(args) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: { strict: { type: "boolean", default: false }, repeat: { type: "string" } },
    });
  } catch (error) {
    throw new SetUpError(`${error.message}\n${usage}`);
  }
}
