/** The quick window. */
export const quick = {
  label: "Quick prompt",
  placeholder: "Ask anything.  / for commands, @ for files",
  answer: "Answer",
  waiting: "Waiting for the previous turn to finish",
  sendKey: "Enter Send",
  openTitle: "Open this conversation in the main window",
  open: (key: string) => `${key} Open in window`,
  modelAt: (model: string, host: string) => `${model} at ${host}`,
  closeTitle: "Close; the turn goes on",
  close: "Esc Close (the turn goes on)",
};
