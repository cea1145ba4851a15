import type { ModelServerOffer } from "../../../shared/ipc.ts";

interface Props {
  offer: ModelServerOffer;
  onAnswer(id: string, isAgreed: boolean): void;
}

/** A model server was found on this computer. It would get every prompt, so it gets none before the user says yes. */
export function ModelServerNotice({ offer, onAnswer }: Props) {
  const { id, models, more } = offer;
  return (
    <section className="notice-line" role="status" data-testid="model-server-notice">
      <p>
        A model server was found on this computer: <b>{id}</b> ({models.join(", ")}
        {more > 0 && `, and ${more} more`}). It would get your prompts.
      </p>
      <button type="button" className="btn small" onClick={() => onAnswer(id, true)}>
        Use it
      </button>
      <button type="button" className="btn small ghost" onClick={() => onAnswer(id, false)}>
        Not now
      </button>
    </section>
  );
}
