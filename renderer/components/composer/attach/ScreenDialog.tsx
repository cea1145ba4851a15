import { useRef } from "react";
import type { ScreenSource } from "../../../../shared/ipc/attachment-routes.ts";
import { texts } from "../../../texts/texts.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import styles from "./AttachmentDialog.module.css";

const t = texts.composer.screens;

interface ScreenDialogProps {
  sources: readonly ScreenSource[];
  onChoose: (id: string) => void;
  onClose: () => void;
}

/** Of which screen or window to take a picture. */
export function ScreenDialog({ sources, onChoose, onClose }: ScreenDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <Dialog
      dialog={dialog}
      className={styles.sheet}
      testId="screen-dialog"
      titleId="screen-title"
      onClose={onClose}
    >
      <h2 id="screen-title">{t.title}</h2>
      {sources.length === 0 && <p className="hint">{t.nothing}</p>}
      <div className={styles.screens}>
        {sources.map(({ id, name, picture }) => (
          <button
            key={id}
            type="button"
            title={name}
            onClick={() => {
              dialog.current?.close();
              onChoose(id);
            }}
          >
            {picture === null ? <span className={styles.noPicture} /> : <img src={picture} alt="" />}
            <span className={styles.name}>{name}</span>
          </button>
        ))}
      </div>
      <div className={styles.buttons}>
        <button type="button" className="btn" onClick={() => dialog.current?.close()}>
          {texts.common.cancel}
        </button>
      </div>
    </Dialog>
  );
}
