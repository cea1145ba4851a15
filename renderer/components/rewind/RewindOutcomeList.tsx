import type { RewindOutcome } from "../../../shared/conversation/checkpoints.ts";

const signs = { restored: "✓", removed: "✓", skipped: "–", failed: "✕" } as const;

/** What became of each path. */
export function RewindOutcomeList({ outcome: { files, messages } }: { outcome: RewindOutcome }) {
  return (
    <div className="plan" data-testid="rewind-outcome" role="status">
      {messages > 0 && (
        <p>
          {messages === 1 ? "One message" : `${messages} messages`} left the conversation; the branch is kept.
        </p>
      )}
      {files.length === 0 ? (
        <p>No file was changed.</p>
      ) : (
        <ul className="files" aria-label="Files">
          {files.map(({ path, result, why }) => (
            <li key={path} className="line" data-testid="rewind-result" data-result={result}>
              <span className={`sign ${result}`} aria-hidden="true">
                {signs[result]}
              </span>
              <code>{path}</code>
              <span className="what">{why === undefined ? result : `${result}: ${why}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
