import { useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { type AnnouncedFacts, type Announcement, Announcements } from "../../state/announcements.ts";
import { useStore } from "../../state/store.ts";
import type { ShownView } from "../../state/voice/shown-view.ts";
import { announcerPlaces } from "./announcer-places.ts";

/** So many stay, for screen readers that come late to them. */
const maxLines = 12;

type Line = Announcement & { id: number };

interface Told {
  /** Inside of which dialog; null: none was open. */
  place: HTMLElement | null;
  lines: readonly Line[];
}

/** `view`: null while nothing is shown; what is shown after that is opened anew. */
type AnnouncerProps = Omit<AnnouncedFacts, "view"> & { view: ShownView | null };

/**
 * Tells screen readers what changed. Each line is new text beside those before it: nothing is read twice. While a dialog is open
 * it tells that inside of it, and begins anew there and behind it: text that comes back into sight would be read again.
 */
export function Announcer({ view, replies, elsewhere, trust, since }: AnnouncerProps) {
  const announcements = useRef<Announcements | null>(null);
  const place = useStore(announcerPlaces.top);
  const [told, setTold] = useState<Told>({ place: null, lines: [] });
  useEffect(() => {
    if (!view) {
      announcements.current = null;
      return;
    }
    announcements.current ??= new Announcements();
    const news = announcements.current.take({ view, replies, elsewhere, trust, since });
    if (news.length === 0) return;
    setTold((before) => {
      const lines = before.place === place ? before.lines : [];
      const next = (before.lines.at(-1)?.id ?? 0) + 1;
      const more = news.map((one, index) => ({ ...one, id: next + index }));
      return { place, lines: [...lines, ...more].slice(-maxLines) };
    });
  }, [view, replies, elsewhere, trust, since, place]);
  const lines = told.place === place ? told.lines : [];
  const regions = (
    <div className="visually-hidden" data-testid="announcer">
      <Lines lines={lines.filter(({ isUrgent }) => !isUrgent)} live="polite" />
      <Lines lines={lines.filter(({ isUrgent }) => isUrgent)} live="assertive" />
    </div>
  );
  return place ? createPortal(regions, place) : regions;
}

function Lines({ lines, live }: { lines: readonly Line[]; live: "polite" | "assertive" }) {
  return (
    <div aria-live={live} aria-relevant="additions" data-announced={live}>
      {lines.map(({ id, text }) => (
        <p key={id}>{text}</p>
      ))}
    </div>
  );
}
