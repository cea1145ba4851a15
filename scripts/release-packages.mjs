import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { signing } from "./package/signing.mjs";
import { root } from "./setup/run.mjs";
import { runToEnd } from "./setup/run-to-end.mjs";
import { orExit } from "./setup/say.mjs";

// node scripts/release-packages.mjs [FOLDER]: what the release job runs on each system. Makes the packages of a release in FOLDER (dist), and writes
// beside them how they are signed, for the text of the draft.

await orExit(async () => {
  const { env, note } = signing(process.env);
  const { FEED: feed } = process.env;
  const folder = resolve(root, process.argv[2] ?? "dist");
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `signing-${process.platform}.md`), note);
  const options = ["--release", ...(feed ? ["--feed", feed] : []), folder];
  await runToEnd(process.execPath, [join(root, "scripts/package.mjs"), ...options], { env });
});
