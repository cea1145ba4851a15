import type { Effort } from "../../../../shared/conversation/effort.ts";
import { texts } from "../../../texts/texts.ts";
import styles from "../TranscriptRow.module.css";

interface ModelNoteProps {
  /** null: it is the same as before. */
  name: string | null;
  effort: Effort;
}

/** A quiet line between two turns: from here on another model answered, or it thought more or less. */
export function ModelNote({ name, effort }: ModelNoteProps) {
  return (
    <p className={styles.note} data-testid="model-note">
      <span>{words(name, effort)}</span>
    </p>
  );
}

function words(name: string | null, effort: Effort): string {
  const { modelChanged, modelChangedWith, modelGone, effortChanged, efforts } = texts.transcript;
  if (name === null) return effortChanged(efforts[effort]);
  if (name === "offline") return modelGone;
  return effort === "default" ? modelChanged(name) : modelChangedWith(name, efforts[effort]);
}
