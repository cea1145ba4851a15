/**
 * HTML without comments, and without the elements of these names and all that is in them; what is not closed goes up to
 * the end. What begins inside another counts as its content. In one pass: a page that is made to be slow is not.
 */
export function stripElements(html: string, names: readonly string[]): string {
  const open = new RegExp(`<!--|<(${names.join("|")})(?=[\\s/>])`, "gi");
  const closes = new Map(names.map((name) => [name, new RegExp(`</${name}[^>]{0,20}>`, "gi")]));
  const kept: string[] = [];
  let at = 0;
  for (let start = open.exec(html); start; start = open.exec(html)) {
    kept.push(html.slice(at, start.index));
    const close = closes.get(start[1]?.toLowerCase() ?? "") ?? /-->/g;
    close.lastIndex = start.index;
    if (!close.exec(html)) return kept.join("");
    at = close.lastIndex;
    open.lastIndex = at;
  }
  return kept.join("") + html.slice(at);
}

/** The plain text between the tags, in lines as the elements make them. */
export function textBetweenTags(html: string): string {
  return html
    .replace(/<\/?(?:p|div|li|tr|br|h[1-6]|pre|dt|dd)(?=[\s/>])[^<>]*>/gi, "\n")
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (_, name: string) => characters[name] ?? "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/\s*\n\s*/g, "\n")
    .trim();
}

const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  nbsp: " ",
  "#39": "'",
};
