import { memo, useEffect, useMemo, useRef } from "react";
import type { TranscriptItem } from "../../../shared/conversation/transcript.ts";
import { type TranscriptRow as Row, transcriptRows } from "../../state/conversation/transcript-rows.ts";
import { DrawnRow } from "../ui/Drawn.tsx";
import { NearContext } from "./code/near-context.ts";
import { ModelNote } from "./messages/ModelNote.tsx";
import styles from "./Transcript.module.css";
import { TranscriptRow } from "./TranscriptRow.tsx";
import { CallLine } from "./tools/CallLine.tsx";
import { ToolGroup } from "./tools/ToolGroup.tsx";
import { useNear } from "./use-near.ts";

interface TranscriptRowsProps {
  rows: readonly Row[];
  onRetry: () => void;
}

/** The items of a transcript as rows: calls with what was asked about them, those of one step in one line. */
export function useRows(items: readonly TranscriptItem[]): readonly Row[] {
  const before = useRef<readonly Row[]>([]);
  const rows = useMemo(() => transcriptRows(items, before.current), [items]);
  useEffect(() => {
    before.current = rows;
  }, [rows]);
  return rows;
}

export function TranscriptRows({ rows, onRetry }: TranscriptRowsProps) {
  return rows.map((row) => <RowBox key={row.key} row={row} onRetry={onRetry} />);
}

const RowBox = memo(function RowBox({ row, onRetry }: { row: Row; onRetry: () => void }) {
  const box = useRef<HTMLDivElement>(null);
  const isNear = useNear(box);
  return (
    <div
      ref={box}
      className={row.kind === "item" ? styles.item : `${styles.item} ${styles.toolRow}`}
      data-row={row.key}
      data-calls={row.kind === "group" ? row.calls.map(({ key }) => key).join("\n") : undefined}
    >
      <NearContext value={isNear}>
        <DrawnRow of={row}>
          <RowContent row={row} onRetry={onRetry} />
        </DrawnRow>
      </NearContext>
    </div>
  );
});

const RowContent = memo(function RowContent({ row, onRetry }: { row: Row; onRetry: () => void }) {
  if (row.kind === "call") return <CallLine call={row} />;
  if (row.kind === "group") return <ToolGroup group={row} />;
  if (row.kind === "model") return <ModelNote name={row.name} effort={row.effort} />;
  const { item, said, isNewest } = row;
  const replyText = said?.join("\n\n") ?? null;
  return <TranscriptRow item={item} replyText={replyText} isNewest={isNewest} onRetry={onRetry} />;
});
