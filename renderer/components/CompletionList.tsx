import { useEffect, useRef } from "react";
import type { CommandSummary } from "../../shared/ipc.ts";
import { slashed } from "../state/completion.ts";

export const completionListId = "completion";
export const completionId = (command: CommandSummary) => `completion-${command.name.replace(/\W/g, "")}`;

interface CompletionListProps {
  commands: readonly CommandSummary[];
  current: CommandSummary;
  onChoose: (command: CommandSummary) => void;
  onPoint: (index: number) => void;
}

/** The commands that the text may become. The keyboard stays in the text box, which says which row is current. */
export function CompletionList({ commands, current, onChoose, onPoint }: CompletionListProps) {
  return (
    <div className="completion" id={completionListId} role="listbox" aria-label="Commands">
      {commands.map((command, index) => (
        <Row
          key={command.name}
          command={command}
          isCurrent={command === current}
          onChoose={() => onChoose(command)}
          onPoint={() => onPoint(index)}
        />
      ))}
    </div>
  );
}

interface RowProps {
  command: CommandSummary;
  isCurrent: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

function Row({ command, isCurrent, onChoose, onPoint }: RowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    <div
      ref={row}
      id={completionId(command)}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      // A press would take the keyboard away from the text box before the click arrives.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onPoint}
      onClick={onChoose}
      onKeyDown={(event) => {
        if (event.key === "Enter") onChoose();
      }}
    >
      <b>{slashed(command.name)}</b>
      <span>{command.description}</span>
    </div>
  );
}
