/** The palette: everything by its name. */
export const palette = {
  label: "Search and commands",
  placeholder: "Search, or type a command",
  all: "All",
  kinds: {
    conversations: "Conversations",
    messages: "Messages",
    commands: "Commands",
    settings: "Settings",
    models: "Models",
  },
  /** Lines of commands by a name of their own. */
  lines: {
    "/checkpoint rewind": "Rewind to a prompt…",
    "/checkpoint redo": "Undo the last rewind",
  },
  messageIn: (title: string, rest: string) => `${title} · ${rest}`,
  last: "Last conversations",
  move: "Move",
  narrow: "One kind only",
  open: "Open",
  found: (count: number) => `${count} found`,
  searching: "Searching…",
  nothing: (words: string) => `Nothing found for “${words}”.`,
  openTitle: (key: string) => `Search everything (${key})`,
};
