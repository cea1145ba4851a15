import { texts } from "../../texts/texts.ts";
import styles from "./Welcome.module.css";

/** The empty transcript: what stands over the text box of a new conversation. */
export function Welcome() {
  return (
    <div className={styles.welcome} data-testid="welcome">
      <h2>{texts.transcript.welcome.title}</h2>
    </div>
  );
}
