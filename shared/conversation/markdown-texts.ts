import type { FootnoteDefinition, Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { linkText, visibleText } from "../safety/visible-text.ts";
import { foldedText } from "./find-text.ts";
import { restoreMarks, shallowMarkdown } from "./markdown-depth.ts";
import { markMath, mathAsCode } from "./math-marks.ts";

/**
 * What is read of Markdown as a window shows it, block by block: without marks, addresses and languages of code. A cell of a
 * table is a block. Raw HTML is shown as text, and a formula counts as its TeX. Pure.
 */
export function markdownTexts(markdown: string): string[] {
  const tree = fromMarkdown(mathAsCode(markMath(shallowMarkdown(markdown))), options);
  restoreMarks(tree);
  const reader = new Reader();
  reader.read(tree);
  reader.readFootnotes();
  return reader.blocks;
}

const options = { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] };

/** What stands in the place of an image, which is never fetched. */
export const imageWords = (alt: string | null | undefined): string => (alt ? `image: ${alt}` : "image");

class Reader {
  readonly blocks: string[] = [];
  readonly #footnotes = new Map<string, FootnoteDefinition>();
  /** Footnotes are numbered as they are first referred to. */
  readonly #numbered: string[] = [];
  #text = "";
  #isInLink = false;

  read(node: Nodes): void {
    switch (node.type) {
      case "text":
      case "inlineCode":
        this.#text += this.#isInLink ? linkText(node.value) : node.value;
        return;
      case "html":
        this.#text += node.value;
        return;
      case "break":
        this.#text += "\n";
        return;
      case "image":
      case "imageReference":
        this.#text += linkText(imageWords(node.alt));
        return;
      case "code":
        this.#endBlock();
        this.#text += node.value;
        this.#endBlock();
        return;
      case "footnoteReference":
        this.#text += this.#numberOf(node.identifier);
        return;
      case "footnoteDefinition":
        if (!this.#footnotes.has(node.identifier)) this.#footnotes.set(node.identifier, node);
        return;
      case "link":
      case "linkReference": {
        const isInLink = this.#isInLink;
        this.#isInLink = true;
        node.children.forEach(this.read, this);
        this.#isInLink = isInLink;
        return;
      }
      case "emphasis":
      case "strong":
      case "delete":
        node.children.forEach(this.read, this);
        return;
      case "root":
      case "blockquote":
      case "list":
      case "listItem":
        this.#endBlock();
        for (const child of node.children) {
          this.read(child);
          // HTML has no block of its own.
          this.#text += "\n";
        }
        this.#endBlock();
        return;
      default:
        this.#endBlock();
        if ("children" in node) node.children.forEach(this.read, this);
        this.#endBlock();
    }
  }

  /** They stand at the end; one that nothing refers to is not shown. */
  readFootnotes(): void {
    for (const name of this.#numbered) {
      for (const child of this.#footnotes.get(name)?.children ?? []) this.read(child);
      this.#endBlock();
    }
  }

  #numberOf(name: string): number {
    if (!this.#numbered.includes(name)) this.#numbered.push(name);
    return this.#numbered.indexOf(name) + 1;
  }

  #endBlock(): void {
    if (this.#text.trim() !== "") this.blocks.push(this.#text);
    this.#text = "";
  }
}

/**
 * What tells, without parsing it, whether a text may stand in what is read of Markdown. It may say so of one that has it not;
 * it never denies one that has it.
 */
export function markdownFilter(sought: string): (markdown: string) => boolean {
  const folded = foldedText(sought);
  const words = folded.match(wordsAlone) ?? [];
  const signs = [...new Set(folded.replace(wordsAlone, "").replace(/\s/g, ""))];
  return (markdown) => {
    const source = foldedText(markdown);
    const bare = source.replace(marks, "");
    const lacking = words.filter((word) => !bare.includes(word));
    const lackingSigns = signs.filter((sign) => !source.includes(sign));
    if (lacking.length + lackingSigns.length === 0 || showsMore.test(source)) return true;
    const hasNames = () => visibleText(source) !== source;
    return (
      lacking.every((word) => mayJoin(word, bare) || (ofNames.test(word) && hasNames())) &&
      lackingSigns.every((sign) => ofNames.test(sign) && hasNames())
    );
  };
}

const wordsAlone = /[\p{L}\p{M}\p{N}]+/gu;

/** Marks that may stand within a word and are not read, and the blanks at the edges of code. */
const marks = /`\s|\s`|[\\*_~`<>$]/g;

/** What stands for other signs, or for none: entities, footnotes, images, brackets of formulas. */
const showsMore = /&#?\w+;|\[\^|!\[|\\[()[\]]/;

/** Parts of the names that invisible characters have in links. */
const ofNames = /^(?:u|[\da-f]{1,6}|[⟨⟩+])$/;

/** Whether the word may begin before an edge of a link and end behind one. @param bare without marks */
function mayJoin(word: string, bare: string): boolean {
  const cuts = Array.from({ length: word.length - 1 }, (_, index) => index + 1);
  const has = (part: string) => bare.includes(part);
  return (
    cuts.some((at) => ["[", "]"].some((edge) => has(word.slice(0, at) + edge))) &&
    cuts.some((at) => ["[", "]", ")"].some((edge) => has(edge + word.slice(at))))
  );
}
