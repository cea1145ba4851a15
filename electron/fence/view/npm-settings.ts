import { readFile, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import type { FencePlace } from "../place.ts";

/** Bytes; a larger one is no settings file that anybody wrote. */
const maxBytes = 200_000;

/** What says where packages come from and how they are written down. Nothing of it is a secret, or runs anything. */
const known =
  /^(@[\w.~-]+:)?registry$|^(strict-ssl|save-exact|save-prefix|engine-strict|legacy-peer-deps|strict-peer-deps|install-strategy|lockfile-version|omit-lockfile-registry-resolved|prefer-dedupe|fund|audit|loglevel|progress|color|unicode|fetch-retries|fetch-timeout|replace-registry-host|init-license|init-version)$/;

/**
 * The user's own npm settings, as far as a command in the fence may know them: registries without their passwords, and no
 * proxies, since those of the fence count there. The file itself is not there for it.
 * @returns lines of an `.npmrc`
 */
export async function npmSettings({ env, home }: Pick<FencePlace, "env" | "home">): Promise<string> {
  const named = env.NPM_CONFIG_USERCONFIG ?? env.npm_config_userconfig;
  const file = named && isAbsolute(named) ? named : join(home, ".npmrc");
  const lines = (await readSmall(file)).split(/\r?\n/).filter(isKnown);
  return lines.map((line) => `${line}\n`).join("");
}

function isKnown(line: string): boolean {
  const [, name = "", value = ""] = /^\s*([^=\s;#[]+)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
  if (!known.test(name) || value.includes("${")) return false;
  return !/registry$/.test(name) || isPlainAddress(value.replace(/^(["'])(.*)\1$/, "$2"));
}

/** Without user, password and parameters. */
function isPlainAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, search, hash].every((part) => part === "");
}

async function readSmall(file: string): Promise<string> {
  try {
    const info = await stat(file);
    return info.isFile() && info.size <= maxBytes ? await readFile(file, "utf8") : "";
  } catch {
    return "";
  }
}
