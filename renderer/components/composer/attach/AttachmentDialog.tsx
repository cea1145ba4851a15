import { useEffect, useRef, useState } from "react";
import type { OpenedAttachment } from "../../../../shared/conversation/attachments.ts";
import { texts } from "../../../texts/texts.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import styles from "./AttachmentDialog.module.css";

const t = texts.composer.opened;

interface AttachmentDialogProps {
  /** @returns null where it cannot be had, which is shown */
  load: () => Promise<OpenedAttachment | null>;
  /** Makes it words of the prompt; absent where it is none. */
  onToText?: ((text: string) => void) | undefined;
  onClose: () => void;
}

/** What is attached, whole. */
export function AttachmentDialog({ load, onToText, onClose }: AttachmentDialogProps) {
  const [opened, setOpened] = useState<OpenedAttachment | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is what it was when it was opened
  useEffect(() => {
    let isLate = false;
    void load().then((found) => {
      if (isLate) return;
      if (found) setOpened(found);
      else onClose();
    });
    return () => {
      isLate = true;
    };
  }, []);
  return opened && <Opened opened={opened} onToText={onToText} onClose={onClose} />;
}

type OpenedProps = Omit<AttachmentDialogProps, "load"> & { opened: OpenedAttachment };

function Opened({ opened: { label, text, image }, onToText, onClose }: OpenedProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <Dialog
      dialog={dialog}
      className={styles.sheet}
      testId="attachment-dialog"
      titleId="attachment-title"
      byVoice
      onClose={onClose}
    >
      <h2 id="attachment-title">{label}</h2>
      {image === null ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys
        <pre className={styles.text} tabIndex={0}>
          {text}
        </pre>
      ) : (
        <img className={styles.image} src={image} alt={label} />
      )}
      <div className={styles.buttons}>
        {onToText && image === null && (
          <button
            type="button"
            className="btn"
            onClick={() => {
              dialog.current?.close();
              onToText(text);
            }}
          >
            {t.toText}
          </button>
        )}
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          {texts.common.close}
        </button>
      </div>
    </Dialog>
  );
}
