import { join } from "node:path";
import { filesThatSteer } from "../desktop/ipc/files-that-steer.ts";
import { AppSecrets } from "../desktop/shell/app-secrets.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import { systemCipher } from "../settings/safe-storage.ts";
import { FolderTrust } from "../trust/folder-trust.ts";
import { TrustedFiles } from "../trust/trusted-files.ts";
import type { Base } from "./base.ts";
import { Signal } from "./signal.ts";

/** Which files of folders count, and the keys: the user's own, and those that such files bring. */
export function composeTrust({ userData, workingFolder, redactor, problems, log }: Base, windows: Windows) {
  const answered = new Signal();
  // Keys of its .env are read once, at the start.
  const firstFolder = workingFolder();
  const trust = new FolderTrust({
    files: new TrustedFiles(join(userData, "trust.json")),
    steering: (folder) => filesThatSteer(folder, firstFolder),
    onAnswer: answered.tell,
  });
  answered.on(() => {
    windows.broadcast({ type: "trust" });
    windows.broadcast({ type: "app" });
  });
  const secrets = new AppSecrets({
    userData,
    workingFolder: firstFolder,
    isTrusted: trust.isTrusted,
    redactor,
    real: process.env,
    cipher: systemCipher,
    onProblem: problems.report,
    onFailure: (line) => log.warn(line),
    ask: (request) => windows.askKey(request),
    onChange: () => windows.broadcast({ type: "app" }),
  });
  return { trust, secrets, answered };
}
