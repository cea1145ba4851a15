import type { AttachedFile, AttachmentChoice } from "../../../../shared/conversation/attachments.ts";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import styles from "./AttachmentChips.module.css";

const t = texts.composer;

interface AttachmentChipsProps {
  chosen: readonly AttachmentChoice[];
  /** Names of files that are being read. */
  reading?: readonly string[] | undefined;
  onRemove: (choice: AttachmentChoice) => void;
  /** Shows it; absent where nothing can be shown. */
  onOpen?: ((choice: AttachmentChoice) => void) | undefined;
}

/** What goes beside the prompt that is being written. */
export function AttachmentChips({ chosen, reading = [], onRemove, onOpen }: AttachmentChipsProps) {
  if (chosen.length === 0 && reading.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t.attached}>
      {chosen.map((choice) => (
        <li key={choice.reference} className={styles.chip} data-testid="attachment">
          <ChipBody label={choice.label} file={choice.file} onOpen={onOpen && (() => onOpen(choice))} />
          <button
            type="button"
            className={styles.remove}
            aria-label={t.removeAttachment(choice.label)}
            title={t.removeAttachmentTitle}
            onClick={() => onRemove(choice)}
            onKeyDown={(event) => {
              if (event.key === "Delete" || event.key === "Backspace") onRemove(choice);
            }}
          >
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
      {reading.map((name) => (
        <li key={name} className={styles.chip} data-testid="attachment-reading">
          <span className={styles.name}>{name}</span>
          <span className={styles.size}>{t.files.reading}</span>
        </li>
      ))}
    </ul>
  );
}

interface ChipBodyProps {
  label: string;
  file: AttachedFile | undefined;
  onOpen?: (() => void) | undefined;
}

/** What it is, and how large; pressed, it opens. */
export function ChipBody({ label, file, onOpen }: ChipBodyProps) {
  const body = (
    <>
      {file?.thumbnail === undefined ? <Icon name="file" size={14} /> : <img src={file.thumbnail} alt="" />}
      <span className={styles.name}>{label}</span>
      {file && <span className={styles.size}>{sizeOf(file)}</span>}
    </>
  );
  if (!file || !onOpen) return body;
  return (
    <button type="button" className={styles.open} title={t.openAttachment(label)} onClick={onOpen}>
      {body}
    </button>
  );
}

const sizeOf = ({ kind, lines, bytes }: AttachedFile): string =>
  kind === "image" || lines === undefined ? t.size(bytes) : t.lines(lines);
