import { type KeyboardEvent, useRef, useState } from "react";
import type { WindowAction } from "../../state/keys/window-keys.ts";
import { windowActionOf } from "../../state/keys/window-keys.ts";
import { type PaletteItem, paletteKinds } from "../../state/palette/palette-items.ts";
import { useStore } from "../../state/store.ts";
import { texts } from "../../texts/texts.ts";
import { useHeldKeys } from "../composer/use-held-keys.ts";
import { Dialog } from "../ui/Dialog.tsx";
import { Icon } from "../ui/Icon.tsx";
import { useWindowState } from "../window/window-context.ts";
import styles from "./Palette.module.css";
import { PaletteRow } from "./PaletteRow.tsx";

const t = texts.palette;
const listId = "palette-list";
const rowId = (index: number) => `palette-row-${index}`;

/** Everything by its name. The keyboard stays in the text box, which says which row is current. */
export function Palette({ onAction }: { onAction: (action: WindowAction) => void }) {
  const { palette, library, models } = useWindowState();
  const dialog = useRef<HTMLDialogElement>(null);
  const words = useStore(palette.words);
  const kind = useStore(palette.kind);
  const isSettled = useStore(palette.isSettled);
  // What they hold is read by `groups`.
  useStore(palette.hits);
  useStore(models.list);
  useStore(library.list.sessions);
  const [current, setCurrent] = useState(0);
  const groups = palette.groups(Date.now());
  const items = groups.flatMap((group) => group.items);
  const at = Math.min(current, items.length - 1);
  const isEmpty = words.trim() === "" && kind === null;

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return;
    // Closed before: the keyboard goes back first, and then to where the choice leads.
    dialog.current?.close();
    palette.choose(item, Date.now(), (choice) =>
      choice.type === "action" ? onAction(choice.action) : palette.act(choice),
    );
  };
  const held = useHeldKeys(!isSettled, () => {
    if (isSettled) choose(items[at]);
    return false;
  });
  const onEnter = (event: KeyboardEvent) => {
    const item = items[at];
    // What was found for the words before is not what is meant: the answer for these decides.
    if (isSettled || (item && item.choice.type !== "message")) choose(item);
    else held.press(event);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key !== "Enter") held.drop();
    const last = items.length - 1;
    if (event.key === "ArrowDown") setCurrent(at >= last ? 0 : at + 1);
    else if (event.key === "ArrowUp") setCurrent(at <= 0 ? last : at - 1);
    else if (event.key === "Enter") onEnter(event);
    else if (event.key === "Tab" && !event.ctrlKey && !event.altKey) {
      palette.turn(event.shiftKey ? -1 : 1);
      setCurrent(0);
    } else if (windowActionOf(event) === "palette") dialog.current?.close();
    else return;
    event.preventDefault();
  };
  let place = 0;
  return (
    <Dialog
      dialog={dialog}
      className={styles.palette}
      testId="palette"
      titleId="palette-title"
      byVoice
      onClose={palette.close}
    >
      <h2 id="palette-title" className="visually-hidden">
        {t.label}
      </h2>
      <div className={styles.query}>
        <Icon name="search" size={18} />
        <input
          type="text"
          role="combobox"
          data-testid="palette-input"
          aria-label={t.label}
          aria-expanded={items.length > 0}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={items.length > 0 ? rowId(at) : undefined}
          placeholder={t.placeholder}
          value={words}
          maxLength={1000}
          dir="auto"
          spellCheck={false}
          autoFocus
          onChange={(event) => {
            held.drop();
            palette.change(event.target.value);
            setCurrent(0);
          }}
          onKeyDown={onKeyDown}
        />
        <kbd>{texts.common.keys.escape}</kbd>
      </div>
      <div className={styles.kinds}>
        {[null, ...paletteKinds].map((one) => (
          <button
            key={one ?? "all"}
            type="button"
            tabIndex={-1}
            aria-pressed={one === kind}
            onClick={(event) => {
              held.drop();
              palette.kind.set(one);
              setCurrent(0);
              event.currentTarget.closest("dialog")?.querySelector("input")?.focus();
            }}
          >
            {one === null ? t.all : t.kinds[one]}
          </button>
        ))}
      </div>
      <div className={styles.hits} id={listId} role="listbox" aria-label={t.label}>
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset holds controls, this one options
          <div key={group.kind} role="group" aria-labelledby={`palette-${group.kind}`}>
            <h3 id={`palette-${group.kind}`} role="presentation">
              {isEmpty ? t.last : t.kinds[group.kind]}
            </h3>
            {group.items.map((item) => {
              const index = place++;
              return (
                <PaletteRow
                  key={item.id}
                  id={rowId(index)}
                  item={item}
                  isCurrent={index === at}
                  onChoose={() => choose(item)}
                />
              );
            })}
          </div>
        ))}
      </div>
      {items.length === 0 && isSettled && !isEmpty && <p className={styles.nothing}>{t.nothing(words)}</p>}
      <div className={styles.foot}>
        <span>
          <kbd>↑</kbd>
          <kbd>↓</kbd>
          {t.move}
        </span>
        <span>
          <kbd>{texts.common.keys.tab}</kbd>
          {t.narrow}
        </span>
        <span>
          <kbd>{texts.common.keys.enter}</kbd>
          {t.open}
        </span>
        <span className={styles.found} role="status">
          {isEmpty ? "" : isSettled ? t.found(items.length) : t.searching}
        </span>
      </div>
    </Dialog>
  );
}
