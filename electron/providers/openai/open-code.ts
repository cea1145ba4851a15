/**
 * The mark that opened the code in which this text of Markdown ends; empty where it ends in none.
 * @param text begins a line, or with something that is no mark of code
 * @param open what was open before it
 */
export function openCode(text: string, open = ""): string {
  let opened = open;
  for (const [mark] of text.matchAll(/^ {0,3}~{3,}|`+|\n[ \t\r]*\n/gm)) {
    const ticks = mark.trim();
    // Code within a paragraph ends with it at the latest: that was a stray tick.
    if (ticks === "") opened = opened.length < 3 ? "" : opened;
    else if (opened === "") opened = ticks;
    else if (ticks === opened || (opened.length >= 3 && ticks.startsWith(opened))) opened = "";
  }
  return opened;
}
