import { texts } from "../../../texts/texts.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ColouredCode } from "../code/ColouredCode.tsx";
import styles from "./Markdown.module.css";

/** Code as it is, with its language and a way to take it along. */
export function CodeBlock({ code, language }: { code: string; language: string }) {
  return (
    <figure className={styles.code}>
      <figcaption data-beside="">
        <span>{language || texts.transcript.code}</span>
        <CopyButton text={code} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach it */}
      <pre tabIndex={0}>
        <ColouredCode code={code} language={language.toLowerCase()} />
      </pre>
    </figure>
  );
}
