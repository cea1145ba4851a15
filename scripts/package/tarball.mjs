import { basename, dirname, join } from "node:path";
import { run } from "../setup/run.mjs";
import { SetUpError } from "../setup/say.mjs";

/**
 * Packs an app folder, in a folder of the archive's own name. Whoever unpacks it owns the files; its `chrome-sandbox` is
 * theirs to give to root where the system has no user namespaces.
 * @returns the file
 */
export async function makeTarball({ app, version, output, isFast = false, arch = process.arch }) {
  const name = `parley-${version}-linux-${arch}`;
  const file = join(output, `${name}.tar.gz`);
  const args = [
    "--create",
    `--file=${file}`,
    `--use-compress-program=gzip -${isFast ? 1 : 9}`,
    "--owner=0",
    "--group=0",
    "--mode=u+rwX,go+rX,go-w",
    `--transform=s,^${basename(app)},${name},`,
    "-C",
    dirname(app),
    basename(app),
  ];
  const { code, output: said } = await run("tar", args, { quiet: true });
  if (code !== 0) throw new SetUpError(`tar could not pack the app: ${said.trim()}`);
  return file;
}
