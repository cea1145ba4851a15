import { type RefObject, useRef } from "react";
import { texts } from "../../../texts/texts.ts";
import { ItemMenu } from "../../ui/ItemMenu.tsx";
import styles from "../Composer.module.css";

const t = texts.composer.add;

interface AddMenuProps {
  onFiles: (files: readonly File[]) => void;
  onScreen: () => void;
}

/** The ways to put something beside the prompt. */
export function AddMenu({ onFiles, onScreen }: AddMenuProps) {
  const files = useRef<HTMLInputElement>(null);
  const images = useRef<HTMLInputElement>(null);
  const input = (field: RefObject<HTMLInputElement | null>, accept?: string) => (
    <input
      ref={field}
      type="file"
      multiple
      hidden
      accept={accept}
      onChange={({ target }) => {
        onFiles([...(target.files ?? [])]);
        // The same file can be picked again.
        target.value = "";
      }}
    />
  );
  return (
    <>
      {input(files)}
      {input(images, "image/*")}
      <ItemMenu
        label={t.label}
        icon="plus"
        className={styles.ib}
        testId="attach"
        items={[
          { label: t.file, act: () => files.current?.click() },
          { label: t.image, act: () => images.current?.click() },
          { label: t.screen, act: onScreen },
        ]}
      />
    </>
  );
}
