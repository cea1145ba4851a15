import { en } from "./en.ts";
import { pseudo } from "./pseudo.ts";

/** What a language says: every text of the windows, texts with values as functions. */
export type Texts = typeof en;

/**
 * `?language=pseudo` behind the page's address, for tests: shows what is not taken from here, and what has no room. `pseudo-rtl` is the
 * same, from right to left.
 */
const language = new URLSearchParams(globalThis.location?.search ?? "").get("language");

/** Every text that the windows show of their own. The language stays the same for as long as a page lives. */
export const texts: Texts = language?.startsWith("pseudo") ? pseudo(en) : en;

/** Which way the language is written: the pages are laid out by it. */
export const direction: "ltr" | "rtl" = language === "pseudo-rtl" ? "rtl" : "ltr";
