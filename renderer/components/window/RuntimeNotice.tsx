import { texts } from "../../texts/texts.ts";
import styles from "./NoticeLine.module.css";

/** Where the runtime that Parley declares could not be had. It stays: what it says stays true. */
export function RuntimeNotice({ version }: { version: string }) {
  return (
    <p className={`${styles.noticeLine} ${styles.warning}`} role="note" data-testid="runtime-notice">
      {texts.window.runtime(version)}
    </p>
  );
}
