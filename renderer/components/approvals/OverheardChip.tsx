import { useWindowState } from "../window/window-context.ts";

/** Words from the computer's sound are part of the conversation: every change asks until the user vouches for them. */
export function OverheardChip() {
  const windowState = useWindowState();
  return (
    <span
      className="pill amber overheard"
      data-testid="overheard"
      title="What this computer played is part of this conversation. These may be somebody else's words, so every change asks."
    >
      Overheard words: all asks
      <button
        type="button"
        data-testid="lift-overheard"
        title="I know these words: go by the level again"
        onClick={windowState.liftOverheard}
      >
        Lift
      </button>
    </span>
  );
}
