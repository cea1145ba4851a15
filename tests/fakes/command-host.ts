import { randomUUID } from "node:crypto";
import { openLocalEnvironment } from "../../electron/tools/environment/local-environment.ts";
import { GroupRecord } from "../../electron/tools/process/group-record.ts";

/**
 * A program that runs one command as Parley does, to be killed meanwhile: FOLDER COMMAND [RECORD]. Prints the output as
 * it comes. RECORD: the folder where its process group is on record.
 */
const [folder = "", command = "", recordFolder] = process.argv.slice(2);
const record =
  recordFolder === undefined
    ? undefined
    : new GroupRecord({ folder: recordFolder, newId: randomUUID, log: console.error });
const environment = await openLocalEnvironment(folder, { record });
await environment.execCommand(command, {
  timeoutMs: 600_000,
  signal: new AbortController().signal,
  environmentPolicy: "filtered",
  fence: null,
  onOutput: (text) => process.stdout.write(text),
});
