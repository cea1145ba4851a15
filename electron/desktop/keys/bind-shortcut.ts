import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { parseTalkKey, type TalkModifier } from "../../../shared/voice/talk-key.ts";
import type { BindableDesktop } from "./shortcut-system.ts";

const run = promisify(execFile);

const keys = "org.gnome.settings-daemon.plugins.media-keys";
const place = "/org/gnome/settings-daemon/plugins/media-keys/custom-keybindings/parley-quick/";

/**
 * Binds a key to `parley --quick` in the desktop's own settings.
 * @param launcher the words that reach Parley @returns what the user still has to know @throws Error in words where it failed
 */
export async function bindShortcut(
  desktop: BindableDesktop,
  key: string,
  launcher: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  return desktop === "gnome" ? await bindInGnome(key, launcher, env) : await bindInKde(key, launcher, env);
}

/** Whether that key opens the quick prompt: the desktop's settings bind it, were read since, and nothing else of the desktop's uses it. */
export async function isBound(
  desktop: BindableDesktop,
  key: string,
  env: NodeJS.ProcessEnv,
): Promise<boolean> {
  try {
    if (desktop === "kde") {
      const file = join(kdeData(env), "kglobalaccel", kdeFile);
      const [entry, written, login] = await Promise.all([readFile(file, "utf8"), stat(file), loginOf(env)]);
      return entry.split("\n").includes(kdeKeyLine(key)) && written.mtimeMs < login;
    }
    const gsettings = gsettingsIn(env);
    const [list, bound, used] = await Promise.all([
      gsettings("get", keys, "custom-keybindings"),
      gsettings("get", entryOfParley, "binding"),
      usedByGnome(gsettings),
    ]);
    const binding = gnomeBinding(key);
    return list.includes(place) && bound === `'${binding}'` && gnomeUserOf(binding, used) === null;
  } catch {
    return false;
  }
}

async function bindInGnome(
  key: string,
  launcher: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const gsettings = gsettingsIn(env);
  const known = await gsettings("get", keys, "custom-keybindings");
  const other = gnomeUserOf(gnomeBinding(key), await usedByGnome(gsettings));
  await gsettings("set", entryOfParley, "name", variantText("Parley: quick prompt"));
  await gsettings(
    "set",
    entryOfParley,
    "command",
    variantText(`${launcher.map(shellWord).join(" ")} --quick`),
  );
  await gsettings("set", entryOfParley, "binding", variantText(gnomeBinding(key)));
  const list = withPlace(known);
  if (list !== known) await gsettings("set", keys, "custom-keybindings", list);
  if (other !== null) {
    return `${key} is bound to \`parley --quick\`, but GNOME uses it already, for “${other}”. Choose another key, or disable that one under Settings › Keyboard › View and Customise Shortcuts.`;
  }
  return `${key} now runs \`parley --quick\`. GNOME lists it under Settings › Keyboard › Custom Shortcuts.`;
}

const entryOfParley = `${keys}.custom-keybinding:${place}`;

const gsettingsIn =
  (env: NodeJS.ProcessEnv) =>
  async (...args: string[]): Promise<string> =>
    (await run("gsettings", args, { env })).stdout.trim();

/** What GNOME's own keys are, as `gsettings list-recursively` prints it. */
async function usedByGnome(gsettings: ReturnType<typeof gsettingsIn>): Promise<string> {
  const lists = gnomeSchemas.map((schema) => gsettings("list-recursively", schema).catch(() => ""));
  return (await Promise.all(lists)).join("\n");
}

/** Where GNOME keeps the keys that come before custom ones: Alt+Space opens the menu of a window there. */
const gnomeSchemas = [
  "org.gnome.desktop.wm.keybindings",
  "org.gnome.mutter.keybindings",
  "org.gnome.shell.keybindings",
];

/**
 * Pure. What uses a key already.
 * @param listed lines of `gsettings list-recursively`: `SCHEMA NAME ['<Alt>space']` @returns its name; null: nothing does
 */
export function gnomeUserOf(binding: string, listed: string): string | null {
  const wanted = comparable(binding);
  for (const line of listed.split("\n")) {
    const [, name = null, values = ""] = /^\S+ (\S+) (.*)$/.exec(line) ?? [];
    if ([...values.matchAll(/'([^']+)'/g)].some(([, value = ""]) => comparable(value) === wanted))
      return name;
  }
  return null;
}

/** Modifiers in one order, under one name. */
function comparable(binding: string): string {
  const plain = binding.toLowerCase().replaceAll(/<(?:primary|ctrl)>/g, "<control>");
  return [...(plain.match(/<[^>]+>/g) ?? []).sort(), plain.replace(/^(?:<[^>]+>)+/, "")].join("");
}

/** A string as GVariants are written: its escapes are those of JSON. A bare one that begins with a quote is refused. */
const variantText = (text: string): string => JSON.stringify(text);

const gnomeModifiers: Record<TalkModifier, string> = {
  Ctrl: "<Control>",
  Alt: "<Alt>",
  Shift: "<Shift>",
  Meta: "<Super>",
};

/** Pure. The key as GTK writes it, such as `<Alt>space`. @throws Error where it is no key */
export function gnomeBinding(key: string): string {
  const parsed = parseTalkKey(key);
  if (!parsed) throw new Error(`${key} is no shortcut.`);
  const named: Record<string, string> = {
    Space: "space",
    PageUp: "Page_Up",
    PageDown: "Page_Down",
    ScrollLock: "Scroll_Lock",
  };
  const name = named[parsed.key] ?? (parsed.key.length === 1 ? parsed.key.toLowerCase() : parsed.key);
  return parsed.modifiers.map((one) => gnomeModifiers[one]).join("") + name;
}

/** Pure. The list of places as gsettings prints it (`@as []`, `['/a/']`), with Parley's. */
export function withPlace(list: string): string {
  if (list.includes(`'${place}'`)) return list;
  const inside = /^(?:@as )?\[(.*)\]$/s.exec(list)?.[1]?.trim();
  if (inside === undefined)
    throw new Error(`GNOME’s list of shortcuts cannot be read: ${list.slice(0, 200)}`);
  return inside === "" ? `['${place}']` : `[${inside}, '${place}']`;
}

async function bindInKde(key: string, launcher: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  const data = kdeData(env);
  // `kglobalaccel` is where Plasma looks for shortcuts to start something.
  for (const folder of ["applications", "kglobalaccel"]) {
    await mkdir(join(data, folder), { recursive: true });
    const file = join(data, folder, kdeFile);
    await writeFile(file, kdeEntry(key, launcher));
    await chmod(file, 0o755);
  }
  return `${key} runs \`parley --quick\` from your next login on. Plasma lists it under System Settings › Shortcuts.`;
}

/** When the user logged in, in milliseconds since the epoch: Plasma reads its shortcuts then. @throws Error where it cannot be told */
async function loginOf({
  XDG_RUNTIME_DIR = "",
  WAYLAND_DISPLAY = "wayland-0",
}: NodeJS.ProcessEnv): Promise<number> {
  return (await stat(resolve(XDG_RUNTIME_DIR, WAYLAND_DISPLAY))).ctimeMs;
}

const kdeFile = "parley-quick.desktop";
const kdeData = (env: NodeJS.ProcessEnv) => env.XDG_DATA_HOME || join(env.HOME ?? homedir(), ".local/share");

/** @throws Error where it is no key */
function kdeKeyLine(key: string): string {
  const parsed = parseTalkKey(key);
  if (!parsed) throw new Error(`${key} is no shortcut.`);
  return `X-KDE-Shortcuts=${[...parsed.modifiers, parsed.key].join("+")}`;
}

/** Pure. @throws Error where it is no key */
export function kdeEntry(key: string, launcher: readonly string[]): string {
  return [
    "[Desktop Entry]",
    "Type=Application",
    "Name=Parley: quick prompt",
    `Exec=${desktopCommand(launcher)} --quick`,
    "NoDisplay=true",
    "StartupNotify=false",
    "X-KDE-GlobalAccel-CommandShortcut=true",
    kdeKeyLine(key),
    "",
  ].join("\n");
}

/** Pure. What a desktop entry's `Exec` begins with. GLib looks for a program as it is written there, `%%` and all, and finds none. */
export function desktopCommand(launcher: readonly string[]): string {
  const words = launcher[0]?.includes("%") ? ["/usr/bin/env", ...launcher] : launcher;
  return words.map(desktopWord).join(" ");
}

/** A word of a desktop entry's `Exec`: quoted, and its own signs escaped; `%` would be a field code. */
function desktopWord(text: string): string {
  if (/[\n\r\0]/.test(text)) throw new Error("A path with a line break cannot be written down.");
  // Twice: for the quoted word, and for the string that it stands in.
  const quoted = text
    .replaceAll(/(["`$\\])/g, "\\$1")
    .replaceAll("\\", "\\\\")
    .replaceAll("%", "%%");
  return `"${quoted}"`;
}

const shellWord = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
