import type { ConversationView } from "../../../shared/conversation/transcript.ts";
import { voiceLabel } from "../../state/conversation/wording.ts";
import { texts } from "../../texts/texts.ts";

/** Longest part of a reply that is read out by itself, in UTF-16 units. */
const maxChars = 600;

/** For screen readers: what changed, once it is worth saying. Streaming text would be read a syllable at a time. */
export function Announcer({ view }: { view: ConversationView | null }) {
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
export function announcement(view: ConversationView): string {
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
function voiceAnnouncement({ voice }: ConversationView): string {
  const { state, source, detail } = voice;
  const said = state === "hearing" || state === "transcribing" ? "listening" : state;
  const label = voiceLabel(said, source);
  return detail ? texts.voice.saying(label, detail.message) : label;
}
