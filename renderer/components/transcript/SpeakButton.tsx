import { useStore } from "../../state/store.ts";
import { useWindow } from "../window/window-context.ts";

/** Says a reply aloud; while it is being said, stops that. */
export function SpeakButton({ messageId, text }: { messageId: string; text: string }) {
  const window = useWindow();
  const isSpoken = useStore(window.view)?.voice.speech?.messageId === messageId;
  return (
    <button
      type="button"
      className="btn small ghost"
      data-testid="speak"
      title={isSpoken ? "Stop speaking" : "Say this reply aloud"}
      onClick={() => void (isSpoken ? window.say("") : window.say(text, messageId))}
    >
      {isSpoken ? "Stop" : "Speak"}
    </button>
  );
}
