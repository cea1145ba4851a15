import { linkText, visibleText } from "../../../shared/safety/visible-text.ts";
import { texts } from "../../texts/texts.ts";

const t = texts.transcript.link;

/** What is to be known of a link before it is followed. */
export interface LinkTarget {
  /** Where it leads, to stand beside its text; null where the text says that itself. */
  shown: string | null;
  /** Why it may deceive, in words; each is a reason to ask before it is opened. */
  doubts: string[];
}

/** Characters of an address beside a link. */
const mostShown = 60;

/**
 * Where a link leads, and whether its text may hide that.
 * @param text as it is read; with what is invisible in it @param href http, https or mailto
 */
export function lookAtLink(text: string, href: string): LinkTarget {
  const url = new URL(href);
  const doubts: string[] = [];
  const read = text.trim();
  if (linkText(read) !== read) doubts.push(t.invisible);
  if (url.protocol === "mailto:") {
    const address = decoded(url.pathname);
    const other = /\S+@\S+\.\S+/.exec(plain(read))?.[0];
    if (other !== undefined && other.toLowerCase() !== address.toLowerCase()) {
      doubts.push(t.otherAddress);
    }
    const isSaid = read.toLowerCase() === address.toLowerCase() || read.toLowerCase() === href.toLowerCase();
    return { shown: isSaid ? null : cut(visibleText(address)), doubts };
  }
  if (url.username !== "" || url.password !== "") {
    doubts.push(t.noHost);
  }
  if (url.hostname.split(".").some((label) => label.startsWith("xn--"))) {
    doubts.push(t.lookalikes);
  }
  const named = hostsIn(read);
  if (named.some((host) => !leadsTo(url.hostname, host))) doubts.push(t.otherHost);
  if (isSaid(read, url)) return { shown: null, doubts };
  // Who writes an address means the whole of it.
  const path = named.length > 0 && url.pathname !== "/" ? url.pathname : "";
  return { shown: cut(url.host + path), doubts };
}

/** As a reader takes it: full-width letters are letters, and what is invisible is not there. */
const plain = (text: string) =>
  text.normalize("NFKC").replaceAll(/[\p{Cf}\p{Cc}]|\u034F|[\uFE00-\uFE0F]/gu, "");

function isSaid(text: string, url: URL): boolean {
  const whole = /^https?:\/\//i.test(text) ? text : `${url.protocol}//${text}`;
  if (/\s/.test(text) || !URL.canParse(whole)) return false;
  const said = new URL(whole);
  return said.host === url.host && said.href.replace(/\/$/, "") === url.href.replace(/\/$/, "");
}

/** The hosts that a text names: after a scheme or `www.`, or a word that can hardly be anything else. */
function hostsIn(text: string): string[] {
  const words = plain(text).matchAll(/([a-z][a-z0-9+.-]*:\/\/)?([^\s/?#<>()"'“”]+)/giu);
  return [...words].flatMap(([, scheme, rest = ""]) => {
    const name = rest.split("@").at(-1) ?? "";
    const isHost = scheme !== undefined || /^www\./i.test(name) || looksLikeHost(name);
    if (!isHost || !URL.canParse(`https://${name}`)) return [];
    return [new URL(`https://${name}`).hostname];
  });
}

function looksLikeHost(word: string): boolean {
  const [, ending = ""] = /^(?:[\p{L}\p{N}-]+\.)+(\p{L}{2,})[.,:;!]?$/u.exec(word) ?? [];
  const lower = ending.toLowerCase();
  return commonEndings.has(lower) || (lower.length === 2 && !ofFiles.has(lower));
}

const commonEndings: ReadonlySet<string> = new Set(
  "com org net edu gov mil int info biz bank example".split(" "),
);
/** Countries whose ending is better known from files. */
const ofFiles: ReadonlySet<string> = new Set(
  "md sh py rs pl cc so ml mk ps st tf la js ts cs go vb hs".split(" "),
);

/** A part of what was named is meant, too. */
function leadsTo(host: string, named: string): boolean {
  const [at, wanted] = [host, named].map((name) => name.replace(/^www\./, "").replace(/\.$/, ""));
  return at === wanted || (at?.endsWith(`.${wanted}`) ?? false);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const cut = (text: string) => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text);
