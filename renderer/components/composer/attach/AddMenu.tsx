import { type RefObject, useCallback, useRef, useState } from "react";
import { texts } from "../../../texts/texts.ts";
import { Icon } from "../../ui/Icon.tsx";
import menu from "../../ui/Menu.module.css";
import { usePopover } from "../../ui/use-popover.ts";
import styles from "../Composer.module.css";

const t = texts.composer.add;

interface AddMenuProps {
  onFiles: (files: readonly File[]) => void;
  onScreen: () => void;
}

/** The ways to put something beside the prompt. */
export function AddMenu({ onFiles, onScreen }: AddMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const files = useRef<HTMLInputElement>(null);
  const images = useRef<HTMLInputElement>(null);
  const close = useCallback(() => setOpen(false), []);
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
  const choose = (act: () => void) => {
    close();
    button.current?.focus();
    act();
  };
  return (
    <>
      {input(files)}
      {input(images, "image/*")}
      <button
        ref={button}
        type="button"
        className={styles.ib}
        data-testid="attach"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={t.label}
        title={t.label}
        onClick={() => setOpen(true)}
      >
        <Icon name="plus" />
      </button>
      {isOpen && (
        <Menu
          button={button}
          onClose={close}
          items={[
            { label: t.file, act: () => choose(() => files.current?.click()) },
            { label: t.image, act: () => choose(() => images.current?.click()) },
            { label: t.screen, act: () => choose(onScreen) },
          ]}
        />
      )}
    </>
  );
}

interface MenuProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  items: readonly { label: string; act: () => void }[];
}

function Menu({ button, onClose, items }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose);
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={menu.menuCard}
      aria-label={t.label}
      onKeyDown={onKeyDown}
    >
      {items.map(({ label, act }) => (
        <button key={label} type="button" role="menuitem" tabIndex={-1} onClick={act}>
          {label}
        </button>
      ))}
    </div>
  );
}
