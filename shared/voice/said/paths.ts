import { dotted, nameWords } from "./code.ts";
import { spelledOut } from "./english.ts";
import type { Rule } from "./rules.ts";

/** Of the folders above a file only these are said. */
const maxFolders = 2;
/** They say nothing of where a file is. */
const plainFolders = new Set(["src", "source", ".", "..", "~", "home", ""]);

/** Where code is: their first words tell a path from words with strokes between them. */
const roots =
  "src|tests?|docs?|lib|libs|app|apps|packages|node_modules|home|usr|etc|var|tmp|opt|bin|dist|build|public|assets|components|electron|renderer|shared|scripts|config|api|internal|cmd|pkg|examples?";

const extensions =
  "[cm]?[jt]sx?|json[cl5]?|md|mdx|py|rb|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|php|sh|bash|zsh|ps1|bat|sql|html?|css|s[ac]ss|less|xml|svg|ya?ml|toml|ini|cfg|conf|env|lock|log|txt|csv|tsv|pdf|docx?|xlsx?|pptx?|png|jpe?g|gif|webp|ico|mp[34]|wav|ogg|flac|zip|t?gz|tar|exe|dll|so|deb|rpm|dmg|iso|bin|onnx|wasm|vue|svelte|tex|bak|tmp|db|sqlite|gitignore|dockerfile|plist";

const isFile = new RegExp(`\\.(?:${extensions})$`, "i");
// Also what stands for a value: "users/:id", "users/{id}".
const part = "(?::?[\\p{L}\\p{N}_.@+-]{1,80}|\\{\\w{1,40}\\})";
const lines = "(?::(\\d{1,7})(?:-(\\d{1,7}))?(?::(\\d{1,5}))?)?";

function place(line = "", last = "", column = ""): string {
  if (line === "") return "";
  if (last !== "") return `, lines ${line} to ${last}`;
  return `, line ${line}${column === "" ? "" : `, column ${column}`}`;
}

/** "session dot T S, line 4, in api auth": the file first, as a person would. */
function path(parts: readonly string[], where: string): string {
  const named = parts.map((one) => one.replace(/[:{}]/g, "")).filter((one) => one !== "");
  const name = named.at(-1) ?? "";
  const folders = named.slice(0, -1).filter((folder) => !plainFolders.has(folder));
  const isOfHome = /^(?:home|Users)$/.test(named[0] ?? "") && folders.length > 2;
  const said = folders
    .slice(isOfHome ? 2 : 0)
    .slice(-maxFolders)
    .map(dotted)
    .join(" ");
  return `${fileName(name)}${where}${said === "" ? "" : `, in ${said}`}`;
}

function fileName(name: string): string {
  const [, stem = "", extension = ""] = /^(.*)\.([A-Za-z0-9]{1,12})$/.exec(name) ?? [];
  if (extension === "" || !isFile.test(name)) return dotted(name);
  const isShort = extension.length <= 4 && !wordsAtEnd.has(extension.toLowerCase());
  return `${dotted(stem)} dot ${isShort ? spelledOut(extension) : nameWords(extension)}`.trim();
}

/** Ends of file names that are words. */
const wordsAtEnd = new Set(
  "zip env lock log bat bin tar java less bash conf go swift vue iso tmp".split(" "),
);

export const paths: readonly Rule[] = [
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}])([A-Za-z]):\\\\((?:Program Files(?: \\(x86\\))?\\\\)?(?:[^\\\\\\s"'<>|:*?]{1,80}\\\\){0,20}[^\\\\\\s"'<>|:*?,;]{0,80}[^\\\\\\s"'<>|:*?,;.)])${lines}`,
      "gu",
    ),
    (_, _drive = "", rest = "", line = "", last = "", column = "") =>
      path(rest.split("\\"), place(line, last, column)),
  ],
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}\\p{Sc}%_./~:@-])((?:~|\\.{1,2})?/(?:${part}/){0,20}${part}(?<![.,]))(/?)${lines}(?![/\\p{L}\\p{N}_])`,
      "gu",
    ),
    (found, full = "", _end = "", line = "", last = "", column = "") => {
      const parts = full.split("/");
      // "/help" is a command as likely as a folder.
      if (parts.length === 2 && parts[0] === "" && !isFile.test(full))
        return `slash ${dotted(parts[1] ?? "")}`;
      return found === full && /^\/\d/.test(found) ? found : path(parts, place(line, last, column));
    },
  ],
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}_./~:@-])((?:${part}/){1,20}${part}(?<![.,]))(/?)${lines}(?![/\\p{L}\\p{N}_])`,
      "gu",
    ),
    (found, full = "", end = "", line = "", last = "", column = "") => {
      const parts = full.split("/");
      const isPath =
        isFile.test(full) ||
        end === "/" ||
        new RegExp(`^(?:${roots})$`).test(parts[0] ?? "") ||
        line !== "" ||
        /^@[\w-]+$/.test(parts[0] ?? "");
      return isPath && /\p{L}/u.test(full) && !isPair(parts) ? path(parts, place(line, last, column)) : found;
    },
  ],
  [
    /(?<![\p{L}\p{N}_./])(?![wW]\/)([\p{L}\p{N}_-]{1,60})\/(?=[\s,.)]|$)/gu,
    (_, name = "") => nameWords(name),
  ],
  // Of files and hosts, "file.ts:42", "*.ts", ".env", "Node.js".
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}_/.@])(\\*?)((?:\\.?[\\p{L}\\p{N}_-]{1,60}\\.){1,6}(?:${extensions}))${lines}(?![\\p{L}\\p{N}_]|\\.\\p{L})`,
      "giu",
    ),
    // "D.C." is no file.
    (found, star = "", name = "", line = "", last = "", column = "") =>
      /^[A-Z](?:\.[A-Z])+$/.test(name)
        ? found
        : `${star && "star "}${fileName(name)}${place(line, last, column)}`,
  ],
  [
    new RegExp(
      `(?<![\\p{L}\\p{N}_./])(\\*?)\\.(${extensions}|git|vscode|github|npmrc|eslintrc|bashrc|zshrc|dockerignore|nvmrc)(?![\\p{L}\\p{N}_]|\\.\\p{L})`,
      "gu",
    ),
    (_, star = "", name = "") => `${star && "star "}${fileName(`.${name}`)}`,
  ],
  [/(?<![\p{L}\p{N}_.@/-])[A-Za-z_][\w-]{1,60}(?:\.[a-z_]\w{1,60}){1,8}(?!\w|\.\w)/gu, dotted],
  [/:(?<=\b(?:file|script|module)\S{0,40} ?\w{0,20}:)(\d{1,6})(?!\d|:)/g, ", line $1"],
];

/** "and/or", "he/she". */
const isPair = (parts: readonly string[]): boolean =>
  parts.length === 2 &&
  parts.every((one) => /^\p{L}+$/u.test(one)) &&
  !/^(?:src|tests?|docs?|lib|node_modules|dist)$/.test(parts[0] ?? "");

const alternatives = new Set(
  "he/she she/he his/her him/her yes/no true/false on/off is/are was/were mother/father man/woman left/right up/down day/night win/lose pass/fail".split(
    " ",
  ),
);

/** What has strokes and is no path, date or unit. */
export const strokes: readonly Rule[] = [
  [/\b[sS]\/he\b/g, "she or he"],
  [/(?<![\w/])[wW]\/o(?=\s)/g, "without"],
  [/(?<![\w/])[wW]\/(?=\s?\w)/g, "with "],
  [/\bb\/c\b/g, "because"],
  [/(?<![\w/])n\/a(?![\w/])/gi, "not applicable"],
  [
    /(?<![\p{L}\p{N}/])(\p{L}{1,20})\/(\p{L}{1,20})(?![\p{L}\p{N}/])/gu,
    (found, one = "", other = "") => pair(found, one, other),
  ],
  [/(?<=[\p{L}\p{N}"')]) ?\/ ?(?=[\p{L}\p{N}"'(])/gu, " slash "],
];

function pair(found: string, one: string, other: string): string {
  const lower = found.toLowerCase();
  if (lower === "and/or" || lower === "either/or") return `${one} ${other}`;
  if (alternatives.has(lower)) return `${one} or ${other}`;
  // TCP/IP, I/O
  return /^\p{Lu}+$/u.test(one + other) ? `${one} ${other}` : `${one} slash ${other}`;
}
