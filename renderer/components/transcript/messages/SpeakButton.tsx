import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import { useSaid } from "../../voice/use-said.ts";
import { useWindowState } from "../../window/window-context.ts";

/** Says a reply aloud; while it is being said, stops that. */
export function SpeakButton({ messageId, text }: { messageId: string; text: string }) {
  const windowState = useWindowState();
  const isSpoken = useSaid(messageId) !== null;
  return (
    <button
      type="button"
      className="btn small ghost"
      data-testid="speak"
      aria-label={isSpoken ? texts.common.stop : texts.transcript.speak}
      title={isSpoken ? texts.transcript.stopSpeakingTitle : texts.transcript.speakTitle}
      onClick={() => void (isSpoken ? windowState.say("") : windowState.say(text, messageId))}
    >
      <Icon name={isSpoken ? "stop" : "speaker"} size={14} />
    </button>
  );
}
