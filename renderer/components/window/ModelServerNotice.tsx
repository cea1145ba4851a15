import type { ModelServerOffer } from "../../../shared/ipc/model-routes.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./NoticeLine.module.css";

const t = texts.window.modelServer;

interface Props {
  offer: ModelServerOffer;
  onAnswer(id: string, isAgreed: boolean): void;
}

/** A model server was found on this computer. It would get every prompt, so it gets none before the user says yes. */
export function ModelServerNotice({ offer, onAnswer }: Props) {
  const { id, models, more } = offer;
  return (
    <section className={styles.noticeLine} role="status" data-testid="model-server-notice">
      <p>
        {t.found}
        <b>{id}</b>
        {t.models(more > 0 ? t.andMore(models.join(", "), more) : models.join(", "))}
      </p>
      <button type="button" className="btn small" onClick={() => onAnswer(id, true)}>
        {t.use}
      </button>
      <button type="button" className="btn small ghost" onClick={() => onAnswer(id, false)}>
        {t.notNow}
      </button>
    </section>
  );
}
