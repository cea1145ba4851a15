// As far as they are used: linkedom's own types name browser classes without bringing them along, domino's name another package.

interface ParsedElement {
  readonly textContent: string | null;
  readonly innerHTML: string;
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  remove(): void;
}

interface ParsedPage {
  readonly title: string;
  readonly documentElement: ParsedElement;
  /** null where the page has frames instead. */
  readonly body: ParsedElement | null;
  querySelector(selectors: string): ParsedElement | null;
}

declare module "linkedom/worker" {
  export class DOMParser {
    parseFromString(
      html: string,
      type: "text/html",
    ): ParsedPage & Document & { querySelectorAll(selectors: string): Iterable<ParsedElement> };
  }
}

declare module "@mixmark-io/domino" {
  export function createDocument(html: string): ParsedPage;
}
