import { useEffect, useState } from "react";
import { texts } from "../../texts/texts.ts";
import { Icon } from "./Icon.tsx";

const t = texts.common;

interface CopyButtonProps {
  text: string;
  title?: string;
  /** A picture stands for the word, until there is something to say. */
  isIcon?: boolean;
}

/** Copies text and says whether that worked. */
export function CopyButton({ text, title = t.copyCode, isIcon = false }: CopyButtonProps) {
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
      aria-label={isIcon && said === null ? t.copy : undefined}
      onClick={async () => setSaid((await copy(text)) ? t.copied : t.notCopied)}
    >
      {said ?? (
        <>
          <Icon name="copy" size={14} />
          {!isIcon && t.copy}
        </>
      )}
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
