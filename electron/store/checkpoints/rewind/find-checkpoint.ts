import type { CheckpointSummary } from "../../../../shared/conversation/checkpoints.ts";
import { shortId } from "../../../../shared/conversation/sessions.ts";

const mostNamed = 8;
/** Whoever types a smaller number counts, and means no id. */
const leastTyped = 4;

/**
 * By whole id, else by a beginning or an end that only one has.
 * @throws Error that lists the candidates or says that there is none
 */
export function findCheckpoint(known: readonly CheckpointSummary[], reference: string): CheckpointSummary {
  const wanted = reference.toLowerCase();
  const ids = known.map((checkpoint) => ({ checkpoint, id: checkpoint.checkpointId.toLowerCase() }));
  const whole = ids.find(({ id }) => id === wanted);
  if (whole) return whole.checkpoint;
  if (wanted.length < leastTyped) {
    throw new Error(
      `\`${reference}\` is too short: type at least ${leastTyped} characters of the id. \`/checkpoint\` lists them.`,
    );
  }
  const matches = ids.filter(({ id }) => id.startsWith(wanted) || id.endsWith(wanted));
  const [only] = matches;
  if (only && matches.length === 1) return only.checkpoint;
  if (!only) throw new Error(`There is no checkpoint \`${reference}\`. \`/checkpoint\` lists them.`);
  const named = matches.slice(0, mostNamed).map(({ checkpoint: { checkpointId, label } }) => {
    return `\`${shortId(checkpointId)}\` (${label})`;
  });
  const more = matches.length > mostNamed ? ", …" : "";
  throw new Error(`\`${reference}\` may be ${named.join(", ")}${more}. Type more of it.`);
}
