import type { TurnParts } from "../../../../shared/voice/voice-panel.ts";
import { duration } from "../../../state/conversation/wording.ts";

const parts = [
  ["recogniseMs", "Silence and recognition", "From the end of speech to its words"],
  ["deliverMs", "To the prompt", "From the words to the prompt"],
  ["requestMs", "To the request", "From the prompt to the request to the model"],
  ["firstWordsMs", "First words", "From the request to the reply's first words"],
  ["firstAudioMs", "First sound", "From the first words to the first sound of the spoken reply"],
] as const satisfies readonly (readonly [keyof TurnParts, string, string])[];

/** Where the time of the last spoken turn went, from the end of speech to the reply. */
export function TurnTimes({ turn }: { turn: TurnParts | null }) {
  if (!turn) return null;
  const known = parts.flatMap(([key]) => turn[key] ?? []);
  const total = known.reduce((sum, ms) => sum + ms, 0);
  return (
    <section data-testid="turn-times">
      <h3>
        Last spoken turn <b>{duration(total)}</b>
      </h3>
      <ul className="times">
        {parts.map(([key, name, title]) => {
          const ms = turn[key];
          if (ms === null && key === "firstAudioMs") return null;
          return (
            <li key={key} title={title}>
              <span>{name}</span>
              <i aria-hidden="true">
                <b style={{ width: `${total > 0 ? ((ms ?? 0) / total) * 100 : 0}%` }} />
              </i>
              <b>{ms === null ? "not known" : duration(ms)}</b>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
