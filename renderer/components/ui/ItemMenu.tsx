import { type RefObject, useCallback, useRef, useState } from "react";
import { Icon, type IconName } from "./Icon.tsx";
import menu from "./Menu.module.css";
import { usePopover } from "./use-popover.ts";

interface MenuItem {
  label: string;
  title?: string;
  act: () => void;
}

interface ItemMenuProps {
  /** The button has it as its name, and so has the menu. */
  label: string;
  icon: IconName;
  iconSize?: number;
  className: string | undefined;
  testId: string;
  items: readonly MenuItem[];
}

/** A button with a sign that opens a menu of things to do. */
export function ItemMenu({ label, icon, iconSize = 16, className, testId, items }: ItemMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        data-testid={testId}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <Icon name={icon} size={iconSize} />
      </button>
      {isOpen && (
        <Menu
          label={label}
          button={button}
          items={items}
          onClose={close}
          onChoose={({ act }) => {
            close();
            button.current?.focus();
            act();
          }}
        />
      )}
    </>
  );
}

interface MenuProps extends Pick<ItemMenuProps, "label" | "items"> {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  onChoose: (item: MenuItem) => void;
}

function Menu({ label, items, button, onClose, onChoose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose);
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={menu.menuCard}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {items.map((item) => (
        <button
          key={item.label}
          type="button"
          role="menuitem"
          tabIndex={-1}
          title={item.title}
          onClick={() => onChoose(item)}
        >
          {item.label}
        </button>
      ))}
    </div>
  );
}
