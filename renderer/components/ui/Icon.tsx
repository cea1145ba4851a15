const paths = {
  mic: "M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3ZM5 11a7 7 0 0 0 14 0M12 18v3",
  dictate: "M8 4c2.5 0 4 1 4 3.5v9c0 2.5-1.5 3.5-4 3.5M16 4c-2.5 0-4 1-4 3.5M16 20c-2.5 0-4-1-4-3.5M9.5 12h5",
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  menu: "M4 7h16M4 12h16M4 17h16",
  plus: "M12 5v14M5 12h14",
  down: "M12 5v14M6 13l6 6 6-6",
  close: "M6 6l12 12M18 6L6 18",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM20.5 20.5 16 16",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  pin: "M9 3h6l-.7 6.5L18 13v2H6v-2l3.7-3.5L9 3ZM12 15v6",
  left: "M15 5l-7 7 7 7",
  right: "M9 5l7 7-7 7",
  edit: "M4 20h4L19.5 8.5a2.1 2.1 0 0 0-3-3L5 17l-1 3ZM14 7.5l3 3",
  rewind: "M4 5v5h5M4.5 10A8 8 0 1 1 4 14",
  fork: "M7 4v16M7 13c0-4 3-5 9-5M13 5l3 3-3 3",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  again: "M20 5v5h-5M19.5 10A8 8 0 1 0 20 14",
  plug: "M9 3v5M15 3v5M6 8h12v4a6 6 0 0 1-12 0ZM12 18v3",
  agent:
    "M6.9 9.6a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM17.1 19.8a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM6.9 9.6v4.2a3 3 0 0 0 3 3h4.2",
  tasks: "m4 7 1.5 1.5 2.7-3M4 16l1.5 1.5 2.7-3M12 7.2h8.4M12 16.2h8.4",
  check: "M5 12.5 9.5 17 19 7.5",
  folder: "M3 6h6l2 2.5h10V19H3Z",
  archive: "M3 5h18v4H3zM5 9v10h14V9M10 13h4",
  alert:
    "M12 8v5M12 16.5v.5M10.3 4.2 2.8 17.5A2 2 0 0 0 4.5 20.5h15a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z",
} as const;

/** A line drawing in the colour of the text around it. Always beside a label, so it has no name of its own. */
export function Icon({ name, size = 16 }: { name: keyof typeof paths; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill={name === "stop" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={paths[name]} />
    </svg>
  );
}
