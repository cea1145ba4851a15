import type { QueuedInput } from "../../shared/events.ts";
import { originLabel } from "../state/wording.ts";
import { Icon } from "./Icon.tsx";

/** The prompts that wait for their turn, the next one first. */
export function QueueList({
  queue,
  onDrop,
}: {
  queue: readonly QueuedInput[];
  onDrop: (inputId: string) => void;
}) {
  if (queue.length === 0) return null;
  return (
    <ol className="queue" aria-label="Waiting prompts">
      {queue.map((input, index) => (
        <li key={input.inputId} data-testid="queue-item" data-key={input.inputId}>
          <span className="place">{index === 0 ? "Next" : `${index + 1}.`}</span>
          <span className="text">{input.text.slice(0, 300)}</span>
          <span className="from">{originLabel(input.origin, input.source)}</span>
          <button
            type="button"
            className="btn icon ghost"
            aria-label={`Drop: ${input.text.slice(0, 60)}`}
            title="Drop this prompt (Enter, while focused)"
            onClick={() => onDrop(input.inputId)}
          >
            <Icon name="close" size={13} />
          </button>
        </li>
      ))}
    </ol>
  );
}
