import { openLocalEnvironment } from "../../electron/tools/local-environment.ts";

/** A program that runs one command as Parley does, to be killed meanwhile: FOLDER COMMAND. Prints the output as it comes. */
const [folder = "", command = ""] = process.argv.slice(2);
const environment = await openLocalEnvironment(folder);
await environment.execCommand(command, {
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  environmentPolicy: "filtered",
  onOutput: (text) => process.stdout.write(text),
});
