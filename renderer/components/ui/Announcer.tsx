import type { ShownView } from "../../state/voice/shown-view.ts";
import { texts } from "../../texts/texts.ts";

/** Longest part of a reply that is read out by itself, in UTF-16 units. */
const maxChars = 600;

/** For screen readers: what changed, once it is worth saying. Streaming text would be read a syllable at a time. */
export function Announcer({ view }: { view: ShownView | null }) {
  return (
    <>
      <div className="visually-hidden" role="status" data-testid="announcer">
        {view ? announcement(view) : ""}
      </div>
      <div className="visually-hidden" role="status">
        {view ? voiceAnnouncement(view) : ""}
      </div>
    </>
  );
}

/** What the end of the transcript says: working, the finished reply, or what went wrong. */
export function announcement(view: ShownView): string {
  if (view.state === "processing") return texts.transcript.working;
  const last = view.items.at(-1);
  switch (last?.kind) {
    case "assistant":
      return last.text.slice(0, maxChars);
    case "command":
      return last.output.slice(0, maxChars);
    case "error":
      return [last.error.message, last.error.hint].filter(Boolean).join(" ");
    case "note":
      return last.text;
    default:
      return "";
  }
}

/** Hearing and transcribing change with every sentence; saying so would talk over the user. */
function voiceAnnouncement({ voice }: ShownView): string {
  const { now } = voice;
  const { state } = now;
  const label = texts.voice.states[state === "hearing" || state === "transcribing" ? "listening" : state];
  const detail = state === "off" ? null : now.detail;
  return detail ? texts.voice.saying(label, detail.message) : label;
}
