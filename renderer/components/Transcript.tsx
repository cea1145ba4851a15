import { type ReactNode, useEffect } from "react";
import type { AppInfo } from "../../shared/ipc.ts";
import type { ConversationView } from "../../shared/transcript.ts";
import { ActivityLine } from "./ActivityLine.tsx";
import { Icon } from "./Icon.tsx";
import { TranscriptRow } from "./TranscriptRow.tsx";
import { useStickToBottom } from "./use-stick-to-bottom.ts";

interface TranscriptProps {
  view: ConversationView;
  info: AppInfo | null;
  onRetry: () => void;
  /** Shown while nothing has been said. */
  empty: ReactNode;
}

/** The conversation, newest at the end. Render with the conversation's id as key: each starts at its end. */
export function Transcript({ view, info, onRetry, empty }: TranscriptProps) {
  const { scroller, content, isStuck, jump } = useStickToBottom();
  const prompts = view.items.reduce((count, item) => count + (item.kind === "user" ? 1 : 0), 0);
  // Whoever asks wants to see the answer, wherever they had scrolled to.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count is the occasion, not an input
  useEffect(() => jump(), [prompts, jump]);
  return (
    <div className="log-area">
      <div
        className="log"
        data-testid="transcript"
        ref={scroller}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it
        tabIndex={0}
      >
        <div className="col" ref={content}>
          {view.items.length === 0 ? empty : null}
          {view.items.map((item) => (
            <div className={`row-${item.kind} item`} key={item.key}>
              <TranscriptRow item={item} onRetry={onRetry} />
            </div>
          ))}
          <ActivityLine view={view} modelLabel={info?.modelLabel ?? "the model"} />
        </div>
      </div>
      {!isStuck && (
        <button
          type="button"
          className="btn jump"
          onClick={jump}
          title="Jump to latest (End, while the conversation has the focus)"
        >
          <Icon name="down" size={14} /> Jump to latest
        </button>
      )}
    </div>
  );
}
