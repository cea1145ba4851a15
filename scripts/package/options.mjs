import { parseArgs } from "node:util";
import { SetUpError } from "../setup/say.mjs";

/** What can be made on each system, and what is made without a word about it. */
const kindsOf = {
  linux: { all: ["dir", "tar.gz", "deb", "AppImage"], usual: ["dir", "tar.gz", "deb"] },
  darwin: { all: ["dir", "dmg", "zip"], usual: ["dir"] },
  win32: { all: ["dir", "nsis"], usual: ["dir"] },
};

export const packageUsage = `Usage: npm run package [-- [--only KIND,…] [--fast] [--feed URL] [--release] [--try] [FOLDER]]

  --only KIND,…  of Linux: dir, tar.gz, deb, AppImage; of macOS: dir, dmg, zip; of Windows: dir, nsis
  --fast         compresses less, or not at all: for tests
  --feed URL     where the packaged app looks for newer ones; without it never
  --release      all kinds of this system but the folder; refuses a runtime that is past its end of life
  --try          installs the .deb on a bare Debian and uses it there; needs root, debootstrap and Xvfb
  FOLDER         where they are put (dist)
`;

/**
 * Reads what comes behind `npm run package --`. Pure.
 * @returns folder (null: the usual one), kinds, and the switches
 * @throws SetUpError with the usage for anything else
 */
export function packageOptions(words, platform = process.platform) {
  const kinds = kindsOf[platform];
  if (!kinds) throw new SetUpError(`Parley cannot be packaged on ${platform}.`);
  const { values, positionals } = parsed(words);
  if (positionals.length > 1) throw new SetUpError(`One folder at a time.\n\n${packageUsage}`);
  if (values.feed !== undefined && !isSafe(values.feed)) {
    throw new SetUpError(`--feed wants an https address, or one at 127.0.0.1, not ${values.feed}.`);
  }
  const usual = values.release ? kinds.all.filter((kind) => kind !== "dir") : kinds.usual;
  const wanted = values.only?.split(",") ?? usual;
  const unknown = wanted.find((kind) => !kinds.all.includes(kind));
  if (unknown !== undefined) {
    throw new SetUpError(`${JSON.stringify(unknown)} cannot be made here; ${kinds.all.join(", ")} can.`);
  }
  return {
    folder: positionals[0] ?? null,
    kinds: wanted,
    isFast: values.fast,
    feed: values.feed ?? null,
    isRelease: values.release,
    tries: values.try,
  };
}

function parsed(words) {
  const flag = { type: "boolean", default: false };
  try {
    return parseArgs({
      args: words,
      allowPositionals: true,
      options: { only: { type: "string" }, feed: { type: "string" }, fast: flag, release: flag, try: flag },
    });
  } catch (error) {
    throw new SetUpError(`${error.message}\n\n${packageUsage}`);
  }
}

/** Whoever sits between could put another program in its place. */
function isSafe(address) {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || (protocol === "http:" && hostname === "127.0.0.1");
}
