import type { SpeechSource } from "../../shared/conversation/messages.ts";
import { asSpoken, withoutPoliteness } from "../../shared/voice/as-spoken.ts";

/** An approval that waits, as far as a spoken word is concerned. */
export interface SpokenApproval {
  approvalId: string;
  /** False for commands, servers' tools, the network, and whatever a rule or its prompt's origin asks for. */
  mayBeSpoken: boolean;
}

export interface SpokenInput {
  text: string;
  source: SpeechSource;
  /** 0–1; null where the recogniser does not say. */
  confidence: number | null;
}

/** Below this a yes may have been another word. */
const minConfidence = 0.6;

/**
 * What an utterance says to the approvals that wait. Only from the microphone, only as a whole; a yes only to changes of
 * files that nothing but the mode asks for. Where several wait it says which: "allow all", "deny the second".
 * @param waiting in the order in which they are shown
 * @returns null: it is no answer; no ids where several wait and it is not said which is meant
 */
export function spokenAnswer(
  { text, source, confidence }: SpokenInput,
  waiting: readonly SpokenApproval[],
): { approvalIds: readonly string[]; allowed: boolean } | null {
  if (source !== "microphone" || waiting.length === 0) return null;
  const said = withoutPoliteness(asSpoken(text));
  const meant =
    yes.has(said) || no.has(said)
      ? { named: waiting.length === 1 ? waiting : [], verb: said }
      : which(said, waiting);
  if (!meant) return null;
  const approvalIds = meant.named.map(({ approvalId }) => approvalId);
  if (no.has(meant.verb)) return { approvalIds, allowed: false };
  const isSure = confidence === null || confidence >= minConfidence;
  const mayBeSpoken = meant.named.every((approval) => approval.mayBeSpoken);
  return isSure && mayBeSpoken ? { approvalIds, allowed: true } : null;
}

/** "Allow the second one" and the like. @returns null where no such thing is said, or is there */
function which(said: string, waiting: readonly SpokenApproval[]) {
  const [, verb = "", target = ""] =
    /^(yes|allow|approve|no|deny|refuse|reject)(?: to)? (.+)$/.exec(said) ?? [];
  if (all.has(target) && (target !== "both" || waiting.length === 2)) return { verb, named: waiting };
  const [, place = ""] = /^the (\S+)(?: one)?$/.exec(target) ?? [];
  const named = waiting.at(place === "last" ? -1 : places.indexOf(place));
  return named && (place === "last" || places.includes(place)) ? { verb, named: [named] } : null;
}

const all: ReadonlySet<string> = new Set([
  "all",
  "both",
  "all of them",
  "both of them",
  "them all",
  "everything",
]);
const places = ["first", "second", "third", "fourth", "fifth"];
const yes: ReadonlySet<string> = new Set(
  "yes|yes do it|yes go ahead|yes allow it|yes approve|allow it|allow that|allow|go ahead|do it|approve|approve it|approve that|approved".split(
    "|",
  ),
);
const no: ReadonlySet<string> = new Set(
  "no|no don't|don't|do not|don't do it|no don't do it|deny|deny it|deny that|refuse|reject".split("|"),
);
