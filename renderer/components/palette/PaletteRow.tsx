import { useEffect, useRef } from "react";
import type { PaletteChoice, PaletteItem } from "../../state/palette/palette-items.ts";
import { snippetPieces } from "../../state/sessions/search.ts";
import { Icon, type IconName } from "../ui/Icon.tsx";
import styles from "./PaletteRow.module.css";

const icons = {
  conversation: "chat",
  waiting: "hand",
  message: "list",
  action: "slash",
  slash: "slash",
  line: "slash",
  rewind: "rewind",
  setting: "sliders",
  model: "agent",
} as const satisfies Record<PaletteChoice["type"], IconName>;

interface PaletteRowProps {
  id: string;
  item: PaletteItem;
  isCurrent: boolean;
  onChoose: () => void;
}

/** Something that was found, with what of it was meant. */
export function PaletteRow({ id, item, isCurrent, onChoose }: PaletteRowProps) {
  const row = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isCurrent) row.current?.scrollIntoView({ block: "nearest" });
  }, [isCurrent]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard stays in the text box
    <div
      ref={row}
      id={id}
      className={styles.row}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      data-testid="palette-row"
      data-kind={item.kind}
      data-type={item.choice.type}
      title={item.choice.type === "message" ? item.choice.hit.title : undefined}
      // The keyboard stays where it is.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onChoose}
    >
      <Icon name={icons[item.choice.type]} />
      <span className={styles.title} dir="auto">
        {piecesOf(item).map(({ text, isMarked }, index) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
            <mark key={index}>{text}</mark>
          ) : (
            text
          ),
        )}
      </span>
      <span className={styles.about}>{item.about}</span>
    </div>
  );
}

function piecesOf({ title, marks, choice }: PaletteItem): { text: string; isMarked: boolean }[] {
  if (choice.type === "message") return snippetPieces(title);
  let from = 0;
  const pieces = marks.flatMap(({ start, end }) => {
    const before = { text: title.slice(from, start), isMarked: false };
    from = end;
    return [before, { text: title.slice(start, end), isMarked: true }];
  });
  return [...pieces, { text: title.slice(from), isMarked: false }];
}
