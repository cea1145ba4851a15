import type { KeyAddressOffer } from "../../../shared/ipc/model-routes.ts";
import { rich } from "../../texts/rich.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./NoticeLine.module.css";

const t = texts.window.keyAddress;

interface Props {
  offer: KeyAddressOffer;
  onAnswer(id: string, isAgreed: boolean): void;
}

/** A key and the address that it would go to stand in different places: it goes nowhere before the user says yes. */
export function KeyAddressNotice({ offer, onAnswer }: Props) {
  const { id, key, keyPlace, address, addressPlace, host } = offer;
  return (
    <section className={styles.noticeLine} role="status" data-testid="key-address-notice">
      <p>
        {rich(t.question(<code>{key}</code>, keyPlace, <b>{host}</b>))}
        {rich(t.elsewhere(<code>{address}</code>, addressPlace))}
      </p>
      <button type="button" className="btn small" onClick={() => onAnswer(id, true)}>
        {t.send}
      </button>
      <button type="button" className="btn small ghost" onClick={() => onAnswer(id, false)}>
        {t.notNow}
      </button>
    </section>
  );
}
