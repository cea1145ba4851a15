import { texts } from "../../texts/texts.ts";
import styles from "./NoticeLine.module.css";

/** A newer Parley was fetched. Nothing happens before the user asks for it. */
export function UpdateNotice({ version }: { version: string }) {
  return (
    <p className={styles.noticeLine} role="status" data-testid="update-ready">
      {texts.window.updateReady(version)}
    </p>
  );
}
