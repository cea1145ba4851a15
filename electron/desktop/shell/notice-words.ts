import { visibleText } from "../../../shared/safety/visible-text.ts";

/** UTF-16 units. */
const maxChars = 200;

/**
 * What a notice says below its title, as it is read: cut, and with nothing hidden in it. Desktops on Linux read markup there,
 * which Electron hands on as it is: `<b>` would not be seen, and `<a>` would be a link of the model's. Pure.
 * https://specifications.freedesktop.org/notification-spec/latest/markup.html
 */
export function noticeWords(text: string, platform: NodeJS.Platform = process.platform): string {
  const words = visibleText(text);
  const short = words.length > maxChars ? `${words.slice(0, maxChars)}…` : words;
  if (platform !== "linux") return short;
  return short.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
