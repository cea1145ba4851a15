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

/** Elements that have no content, and so no end. */
const empty: ReadonlySet<string> = new Set(
  "area base basefont br col embed frame hr img input link meta param source track wbr".split(" "),
);

/** What ends where one of these begins, if nothing else was opened since: ends that may be left out. */
const ended: Readonly<Record<string, readonly string[]>> = {
  p: ["p"],
  li: ["li"],
  dt: ["dt", "dd"],
  dd: ["dt", "dd"],
  tr: ["tr", "th", "td"],
  th: ["th", "td"],
  td: ["th", "td"],
  thead: ["thead", "tbody", "tfoot"],
  tbody: ["thead", "tbody", "tfoot"],
  tfoot: ["thead", "tbody", "tfoot"],
  option: ["option"],
  optgroup: ["option", "optgroup"],
  body: ["head"],
  rt: ["rt", "rp"],
  rp: ["rt", "rp"],
};

/**
 * Whether elements lie in each other deeper than `maxDepth`, or the depths of all elements and lines together are more than
 * `maxTotal`: whatever goes over each of them once for each that it lies in takes so many steps. Counted without building a tree.
 */
export function isTooDeep(html: string, maxDepth: number, maxTotal: number): boolean {
  const open: string[] = [];
  let total = 0;
  for (const [sign, slash, tag = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9-]{0,30})|\n/gi)) {
    const name = tag.toLowerCase();
    if (slash) {
      const at = open.lastIndexOf(name);
      // The end of what is not open ends nothing.
      if (at >= 0) open.length = at;
      continue;
    }
    const ends = Object.hasOwn(ended, name) ? ended[name] : undefined;
    while (ends?.includes(open.at(-1) ?? "")) open.pop();
    total += open.length;
    if (sign !== "\n" && !empty.has(name)) open.push(name);
    if (open.length > maxDepth || total > maxTotal) return true;
  }
  return false;
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
