import { Fragment } from "react";
import { codePieces } from "../../state/code-words.ts";
import styles from "./CodeWords.module.css";

/** Words that mark code by backticks, as those from main do: the code in its own type. */
export function CodeWords({ text }: { text: string }) {
  return codePieces(text).map((piece, place) => {
    const key = `${place} ${piece}`;
    return place % 2 === 1 ? (
      <code key={key} className={styles.code}>
        {piece}
      </code>
    ) : (
      <Fragment key={key}>{piece}</Fragment>
    );
  });
}
