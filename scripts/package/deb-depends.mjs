import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { SetUpError } from "../setup/say.mjs";
import { elfNeeds } from "./elf.mjs";

/** The Debian package of each library; since Debian 13 and Ubuntu 24.04 some are called `…t64`. */
const packageOf = {
  "libX11.so.6": "libx11-6",
  "libXcomposite.so.1": "libxcomposite1",
  "libXdamage.so.1": "libxdamage1",
  "libXext.so.6": "libxext6",
  "libXfixes.so.3": "libxfixes3",
  "libXrandr.so.2": "libxrandr2",
  "libXt.so.6": "libxt6 | libxt6t64",
  "libXtst.so.6": "libxtst6",
  "libasound.so.2": "libasound2 | libasound2t64",
  "libatk-1.0.so.0": "libatk1.0-0 | libatk1.0-0t64",
  "libatk-bridge-2.0.so.0": "libatk-bridge2.0-0 | libatk-bridge2.0-0t64",
  "libatspi.so.0": "libatspi2.0-0 | libatspi2.0-0t64",
  "libcairo.so.2": "libcairo2",
  "libcups.so.2": "libcups2 | libcups2t64",
  "libdbus-1.so.3": "libdbus-1-3",
  "libdrm.so.2": "libdrm2",
  "libexpat.so.1": "libexpat1",
  "libgbm.so.1": "libgbm1",
  "libgcc_s.so.1": "libgcc-s1",
  "libgio-2.0.so.0": "libglib2.0-0 | libglib2.0-0t64",
  "libglib-2.0.so.0": "libglib2.0-0 | libglib2.0-0t64",
  "libgobject-2.0.so.0": "libglib2.0-0 | libglib2.0-0t64",
  "libgtk-3.so.0": "libgtk-3-0 | libgtk-3-0t64",
  "libnspr4.so": "libnspr4",
  "libnss3.so": "libnss3",
  "libnssutil3.so": "libnss3",
  "libpango-1.0.so.0": "libpango-1.0-0",
  "libsmime3.so": "libnss3",
  "libstdc++.so.6": "libstdc++6",
  "libudev.so.1": "libudev1",
  "libxcb.so.1": "libxcb1",
  "libxkbcommon.so.0": "libxkbcommon0",
};

/** Part of libc6, which is named with its version. */
const ofLibc = /^ld-linux[\w-]*\.so\.\d+$|^lib(c|m|dl|pthread|rt|util|resolv)\.so\.\d+$/;

/** Opened by name while Parley runs: notifications, the key store, the microphone, links in the browser. */
const openedLater = ["libnotify4", "libsecret-1-0", "libpulse0", "xdg-utils"];

/**
 * What a Debian system needs for an app folder to run there, as the field Depends wants it.
 * @throws SetUpError naming a library whose package nobody wrote down above, and the files that need it
 */
export async function debDepends(folder) {
  const needs = await needsOf(folder);
  const own = new Set(needs.map(({ file }) => basename(file)));
  const packages = new Set(openedLater);
  const unknown = new Map();
  for (const { file, libraries } of needs) {
    for (const library of libraries) {
      if (own.has(library) || ofLibc.test(library)) continue;
      const name = packageOf[library];
      if (name) packages.add(name);
      else unknown.set(library, [...(unknown.get(library) ?? []), file]);
    }
  }
  if (unknown.size > 0) {
    const lines = [...unknown].map(([library, files]) => `${library}, for ${files.join(", ")}`);
    throw new SetUpError(
      `No Debian package is known for ${lines.join("; ")}. Add it to scripts/package/deb-depends.mjs.`,
    );
  }
  const glibc = Math.max(...needs.map((need) => need.glibc));
  return [`libc6 (>= 2.${glibc})`, ...[...packages].sort()];
}

async function needsOf(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const needs = [];
  for (const file of files) {
    if (!/\.(pak|bin|dat|asar|json|html|txt|png|js|onnx)$/.test(file)) {
      const found = await elfNeeds(file);
      if (found) needs.push({ file: file.slice(folder.length + 1), ...found });
    }
  }
  return needs;
}
