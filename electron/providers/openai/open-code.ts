/**
 * The mark that opened the code in which this text of Markdown ends; empty where it ends in none.
 * @param text begins a line, or with something that is no mark of code
 * @param open what was open before it
 */
export function openCode(text: string, open = ""): string {
  let isOpen = open;
  for (const [mark] of text.matchAll(/^ {0,3}~{3,}|`+|\n[ \t\r]*\n/gm)) {
    const ticks = mark.trim();
    // Code within a paragraph ends with it at the latest: that was a stray tick.
    if (ticks === "") isOpen = isOpen.length < 3 ? "" : isOpen;
    else if (isOpen === "") isOpen = ticks;
    else if (ticks === isOpen || (isOpen.length >= 3 && ticks.startsWith(isOpen))) isOpen = "";
  }
  return isOpen;
}
