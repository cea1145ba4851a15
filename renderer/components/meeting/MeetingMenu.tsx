import { type RefObject, useCallback, useRef, useState } from "react";
import type { Meeting } from "../../../shared/conversation/meeting.ts";
import { minutesAndSeconds } from "../../state/meeting/meeting-lanes.ts";
import { meetingTime } from "../../state/meeting/meeting-times.ts";
import { texts } from "../../texts/texts.ts";
import { Icon } from "../ui/Icon.tsx";
import menu from "../ui/Menu.module.css";
import { usePopover } from "../ui/use-popover.ts";

const t = texts.meeting;

interface MeetingMenuProps {
  /** Oldest first. */
  meetings: readonly Meeting[];
  /** By when it began; null: none is shown. */
  shown: number | null;
  onChoose: (startedAt: number) => void;
}

/** The meetings of a conversation, the newest first, to choose one of. Nothing where there is one alone. */
export function MeetingMenu({ meetings, shown, onChoose }: MeetingMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  if (meetings.length < 2) return null;
  const current = meetings.find(({ startedAt }) => startedAt === shown);
  return (
    <>
      <button
        ref={button}
        type="button"
        className="btn small ghost"
        data-testid="meeting-menu"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        title={t.chooseTitle}
        onClick={() => setOpen(true)}
      >
        {current ? whenOf(current) : t.meetings(meetings.length)}
        <Icon name="chevronDown" />
      </button>
      {isOpen && (
        <Menu
          meetings={meetings.toReversed()}
          shown={shown}
          button={button}
          onClose={close}
          onChoose={(startedAt) => {
            close();
            button.current?.focus();
            onChoose(startedAt);
          }}
        />
      )}
    </>
  );
}

interface MenuProps extends MeetingMenuProps {
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

function Menu({ meetings, shown, onChoose, button, onClose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null);
  const onKeyDown = usePopover(box, button, onClose);
  return (
    <div
      ref={box}
      popover="auto"
      role="menu"
      className={menu.menuCard}
      aria-label={t.chooseTitle}
      onKeyDown={onKeyDown}
    >
      {meetings.map((meeting) => (
        <button
          key={meeting.startedAt}
          type="button"
          role="menuitemradio"
          tabIndex={-1}
          aria-checked={meeting.startedAt === shown}
          onClick={() => onChoose(meeting.startedAt)}
        >
          <span aria-hidden="true">{meeting.startedAt === shown ? "✓" : ""}</span>
          {whenOf(meeting)}
          <small>{minutesAndSeconds(meeting.endedAt - meeting.startedAt)}</small>
        </button>
      ))}
    </div>
  );
}

const day = new Intl.DateTimeFormat("en", {
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** Such as `Tue, Nov 25, 2025, 9:32`. */
const whenOf = ({ startedAt }: Meeting) => `${day.format(startedAt)}, ${meetingTime(startedAt)}`;
