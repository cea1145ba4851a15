import { visibleText } from "../../../shared/safety/visible-text.ts";

/** What a link can ask for: something is shown, or words stand in a text box. It sends nothing, hears nothing, allows nothing. */
export type LinkRequest =
  | { type: "open" }
  | { type: "quick"; text?: string | undefined }
  | { type: "session"; reference: string }
  | { type: "settings" };

export const linkScheme = "parley:";

/** UTF-16 units. */
export const maxLinkChars = 8000;
export const maxLinkTextChars = 2000;
const maxReferenceChars = 200;

/**
 * Reads `parley://quick?text=WORDS`, `parley://session/REFERENCE`, `parley://settings`. Anybody can make a link: whatever is
 * not one of these only opens the window. Pure.
 */
export function parseLink(link: string): LinkRequest {
  const open = { type: "open" } as const;
  if (link.length > maxLinkChars || !URL.canParse(link)) return open;
  const { protocol, host, pathname, searchParams, username, password, port } = new URL(link);
  if (protocol !== linkScheme || username !== "" || password !== "" || port !== "") return open;
  const rest = pathname.replace(/^\/+|\/+$/g, "");
  if (host === "quick" && rest === "") {
    const text = filledIn(searchParams.get("text") ?? "");
    return text === "" ? { type: "quick" } : { type: "quick", text };
  }
  if (host === "session") {
    const reference = decoded(rest);
    return isReference(reference) ? { type: "session", reference } : open;
  }
  return host === "settings" && rest === "" ? { type: "settings" } : open;
}

/** Words as they will be read, on one line: nothing is hidden below it, and none of it is a command. */
function filledIn(text: string): string {
  const line = visibleText(text.slice(0, maxLinkTextChars)).replaceAll(/\s+/g, " ").trim();
  return line.replace(/^[/\s]+/, "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

const isReference = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.trim() !== "" && text.length <= maxReferenceChars && !/[\u0000-\u001f\u007f]/.test(text);
