/** linkedom in one file. Its own types name browser classes without bringing them along. */
declare module "linkedom/worker" {
  export class DOMParser {
    parseFromString(html: string, type: "text/html"): Document & { title: string };
  }
}
