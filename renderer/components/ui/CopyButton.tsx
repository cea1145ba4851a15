import { useEffect, useState } from "react";

/** Copies text and says whether that worked. */
export function CopyButton({ text, title = "Copy this code" }: { text: string; title?: string }) {
  const [said, setSaid] = useState<"Copied" | "Not copied" | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), 1600);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <button
      type="button"
      className="btn small ghost"
      title={title}
      onClick={async () => setSaid((await copy(text)) ? "Copied" : "Not copied")}
    >
      {said ?? "Copy"}
    </button>
  );
}

/** The clipboard API needs a permission that a strict app may refuse; a copy command during a click needs none. */
async function copy(text: string): Promise<boolean> {
  const put = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
  };
  document.addEventListener("copy", put, { once: true });
  const done = document.execCommand("copy");
  document.removeEventListener("copy", put);
  if (done) return true;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}
