import { useEffect, useState } from "react";
import { texts } from "../../texts/texts.ts";

const t = texts.common;

/** Copies text and says whether that worked. */
export function CopyButton({ text, title = t.copyCode }: { text: string; title?: string }) {
  const [said, setSaid] = useState<string | null>(null);
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
      onClick={async () => setSaid((await copy(text)) ? t.copied : t.notCopied)}
    >
      {said ?? t.copy}
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
