import type { SearchHit } from "../../../shared/conversation/sessions.ts";
import { listTime } from "../../state/conversation/wording.ts";
import { shownSnippet, snippetPieces } from "../../state/sessions/search.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./SessionRow.module.css";

/** A place where the words were found, with the words around them. */
export function HitRow({ hit, onOpen }: { hit: SearchHit; onOpen: (hit: SearchHit) => void }) {
  return (
    <button
      type="button"
      className={`${styles.sess} ${styles.hit}`}
      data-stop="hit"
      data-testid="search-hit"
      data-kind={hit.kind}
      title={hit.title}
      onClick={() => onOpen(hit)}
    >
      <span className={styles.title}>{hit.title}</span>
      <span className={styles.snippet} dir="auto">
        {snippetPieces(shownSnippet(hit)).map(({ text, isMarked }, index) =>
          isMarked ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of one text never change places
            <mark key={index}>{text}</mark>
          ) : (
            text
          ),
        )}
      </span>
      <small>{texts.sessions.hitAt(texts.sessions.hits[hit.kind], listTime(hit.at))}</small>
    </button>
  );
}
