import type { RewindPlan } from "../../../shared/conversation/checkpoints.ts";
import { Diff } from "../transcript/Diff.tsx";

const actions = {
  restore: { sign: "↺", label: "comes back" },
  remove: { sign: "−", label: "is removed" },
  same: { sign: "=", label: "stays" },
} as const;

/** What would happen, path by path, before anything does. */
export function RewindPreviewList({ plan: { part, files, notRestorable, messages } }: { plan: RewindPlan }) {
  const touchesFiles = part !== "conversation";
  return (
    <div className="plan" data-testid="rewind-preview">
      <p aria-live="polite">{summary(part, files.length, messages)}</p>
      {touchesFiles && files.length > 0 && (
        <ul className="files" aria-label="Files">
          {files.map(({ path, action, isConflict, diff }) => {
            const line = (
              <>
                <span className={`sign ${action}`} aria-hidden="true">
                  {actions[action].sign}
                </span>
                <code>{path}</code>
                {isConflict && <span className="pill amber">⚠ changed since</span>}
                <span className="what">{actions[action].label}</span>
              </>
            );
            return (
              <li key={path} data-testid="rewind-file" data-action={action} data-conflict={isConflict}>
                {diff === null ? (
                  <div className="line">{line}</div>
                ) : (
                  <details>
                    <summary className="line" title="Show the difference (Enter)">
                      {line}
                    </summary>
                    <Diff text={diff} label={`Difference in ${path}`} />
                  </details>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {touchesFiles && notRestorable.length > 0 && (
        <details className="not-restorable" data-testid="not-restorable">
          <summary>
            {notRestorable.length === 1 ? "One path" : `${notRestorable.length} paths`} cannot be brought back
          </summary>
          <ul>
            {notRestorable.map(({ path, why }) => (
              <li key={path}>
                <code>{path}</code> {why}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  );
}

function summary(part: RewindPlan["part"], files: number, messages: number): string {
  const said = [
    part !== "conversation" && (files === 0 ? "No file was changed since." : `${counted(files, "file")}.`),
    part !== "files" &&
      (messages === 0
        ? "No message leaves the conversation."
        : `${counted(messages, "message")} ${messages === 1 ? "leaves" : "leave"} the conversation; the branch is kept.`),
  ];
  return said.filter(Boolean).join(" ");
}

const counted = (count: number, name: string) => `${count} ${name}${count === 1 ? "" : "s"}`;
