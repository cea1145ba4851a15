import type { KeyAddressOffer } from "../../../shared/ipc.ts";

interface Props {
  offer: KeyAddressOffer;
  onAnswer(id: string, isAgreed: boolean): void;
}

/** A key and the address that it would go to stand in different places: it goes nowhere before the user says yes. */
export function KeyAddressNotice({ offer, onAnswer }: Props) {
  const { id, key, keyPlace, address, addressPlace, host } = offer;
  return (
    <section className="notice-line" role="status" data-testid="key-address-notice">
      <p>
        Send the key <code>{key}</code> from {keyPlace}, and your prompts, to <b>{host}</b>? That address
        comes from elsewhere: <code>{address}</code> in {addressPlace}.
      </p>
      <button type="button" className="btn small" onClick={() => onAnswer(id, true)}>
        Send it there
      </button>
      <button type="button" className="btn small ghost" onClick={() => onAnswer(id, false)}>
        Not now
      </button>
    </section>
  );
}
