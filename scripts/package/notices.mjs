import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shippedPackages } from "./shipped-packages.mjs";

/** Files of a package that say under what terms it may be passed on. */
const ofTerms = /^(licen[cs]e|copying|notice|copyright)/i;

/**
 * Writes what the makers of the packages in an app folder want passed on with them: `third-party-licences.txt` has the words of
 * each licence and the packages that have it, `licences.json` what About lists.
 * @param options as `shippedPackages` has them
 */
export async function writeNotices({ resources, built }) {
  const packages = await shippedPackages({ resources, built });
  const byText = new Map();
  for (const each of packages) {
    const text = await termsOf(each);
    byText.set(text, [...(byText.get(text) ?? []), `${each.name} ${each.version}`]);
  }
  const parts = [...byText].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
  await writeFile(join(resources, "third-party-licences.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
  const list = packages.map(({ name, version, license }) => ({ name, version, licence: nameOf(license) }));
  await writeFile(join(resources, "licences.json"), JSON.stringify(list));
}

async function termsOf({ folder, license }) {
  const names = (await readdir(folder)).filter((name) => ofTerms.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8").catch(() => "")));
  const text = texts.map((each) => each.trim()).join("\n\n");
  return text || `Licence: ${nameOf(license)}. The package brings no text of it.`;
}

/** Old manifests say it in other ways. */
function nameOf(license) {
  const one = Array.isArray(license) ? license[0] : license;
  return typeof one === "string" ? one : (one?.type ?? "see its folder");
}
