/** linkedom in one file. Its own types name browser classes without bringing them along. */
declare module "linkedom/worker" {
  /** As far as it is used. */
  export interface ParsedElement {
    readonly textContent: string | null;
    getAttribute(name: string): string | null;
    remove(): void;
  }
  export type ParsedPage = Document & {
    title: string;
    readonly body: ParsedElement;
    querySelector(selectors: string): ParsedElement | null;
    querySelectorAll(selectors: string): Iterable<ParsedElement>;
  };
  export class DOMParser {
    parseFromString(html: string, type: "text/html"): ParsedPage;
  }
}
