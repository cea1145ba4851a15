import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

export const root = resolve(import.meta.dirname, "../../..");

/** A document, as people read it. */
export interface DocPage {
  /** From the root, with `/`. */
  path: string;
  text: string;
  /** The text without its fenced blocks. */
  prose: string;
}

/** A fenced block. @property language what stands behind the fence, often nothing */
export interface Fence {
  language: string;
  lines: readonly string[];
}

const fence = /^```(.*)\n([\s\S]*?)^```$/gm;

const below = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`);

/** Every document of the project. */
export const docPages: readonly DocPage[] = [
  ...readdirSync(root).filter((name) => name.endsWith(".md")),
  ...below("docs"),
  ...below(".github"),
  "tests/README.md",
  "tests/mutants.md",
].map((path) => {
  const text = readFileSync(join(root, path), "utf8");
  return { path, text, prose: text.replaceAll(fence, "") };
});

/** Those that people follow step by step. */
export const guidePages = docPages.filter(({ path }) => path.startsWith("docs/guide/"));

export const fencesOf = ({ text }: DocPage): Fence[] =>
  [...text.matchAll(fence)].map(([, language = "", inside = ""]) => ({
    language: language.trim(),
    lines: inside.split("\n").filter((line) => line.trim() !== ""),
  }));

/** What stands between backticks, in one line. */
export const codeOf = ({ prose }: DocPage): string[] =>
  [...prose.matchAll(/(`+)((?:(?!\n\n)[\s\S])+?)\1(?!`)/g)].map(([, , code = ""]) =>
    code.replaceAll(/\s+/g, " ").trim(),
  );

export interface Link {
  text: string;
  target: string;
  isPicture: boolean;
}

export const linksOf = ({ prose }: DocPage): Link[] =>
  [...prose.replaceAll(/`[^`\n]*`/g, "").matchAll(/(!?)\[([^\]]*)\]\(([^)\s]+)\)/g)].map(
    ([, mark, text = "", target = ""]) => ({ text, target, isPicture: mark === "!" }),
  );

/** Where headings can be jumped to, by GitHub's rules. */
export function anchorsOf({ prose }: DocPage): Set<string> {
  const seen = new Map<string, number>();
  return new Set(
    [...prose.matchAll(/^#{1,6} +(.+)$/gm)].map(([, heading = ""]) => {
      const slug = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .trim()
        .replaceAll(/\s/g, "-");
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

/** @returns the path from the root that a link of a page means; its own where it names only an anchor */
export function placeOf(page: DocPage, target: string): { path: string; anchor: string } {
  const [file = "", anchor = ""] = target.split("#");
  const path = file === "" ? page.path : join(dirname(page.path), decodeURIComponent(file));
  return { path: path.replaceAll("\\", "/"), anchor };
}
