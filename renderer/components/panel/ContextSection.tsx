import { type ContextFacts, isNearlyFull } from "../../../shared/conversation/context-facts.ts";
import { grouped } from "../../../shared/grouped.ts";
import { texts } from "../../texts/texts.ts";
import styles from "./ContextSection.module.css";
import { Section } from "./Section.tsx";

const t = texts.panel.context;

/** How full the model's window is, of what, and what all of it has cost, by the provider's own counts. */
export function ContextSection({ facts }: { facts: ContextFacts }) {
  const { usedTokens, windowTokens, isCounted, cachedShare, usd } = facts;
  const used = isCounted ? grouped(usedTokens) : t.about(grouped(usedTokens));
  const share = windowTokens === null ? null : t.percent(Math.round((100 * usedTokens) / windowTokens));
  const isFull = isNearlyFull(facts);
  return (
    <Section title={t.title} end={share} testId="context">
      {windowTokens !== null && <Meter facts={facts} windowTokens={windowTokens} isFull={isFull} />}
      {isFull && (
        <p className={styles.full} data-testid="context-warning">
          {facts.summarisedAtTokens === null ? t.nearlyFullForGood : t.nearlyFull}
        </p>
      )}
      <Fact name={windowTokens === null ? t.tokens : t.tokensOf(grouped(windowTokens))}>{used}</Fact>
      {cachedShare !== null && <Fact name={t.cached}>{t.percent(Math.round(100 * cachedShare))}</Fact>}
      {usd !== null && usd > 0 && <Fact name={t.cost}>{costText(usd)}</Fact>}
    </Section>
  );
}

interface MeterProps {
  facts: ContextFacts;
  windowTokens: number;
  isFull: boolean;
}

function Meter({ facts, windowTokens, isFull }: MeterProps) {
  const { usedTokens, baseTokens, earlierTokens, turnTokens, summarisedAtTokens } = facts;
  const widthOf = (tokens: number) => ({ inlineSize: `${Math.min(100, (100 * tokens) / windowTokens)}%` });
  const parts = [
    { kind: "base", tokens: baseTokens, label: t.base },
    { kind: "earlier", tokens: earlierTokens, label: t.earlier },
    { kind: "turn", tokens: turnTokens, label: t.turn },
  ] as const;
  const shown = parts.filter(({ tokens }) => tokens > 0);
  const tick = summarisedAtTokens !== null && summarisedAtTokens < windowTokens ? summarisedAtTokens : null;
  return (
    <>
      <div className={styles.wrap}>
        {/* biome-ignore lint/a11y/useSemanticElements: a meter element has one part, this one three */}
        <div
          className={styles.meter}
          role="meter"
          aria-label={t.meter}
          aria-valuenow={Math.min(usedTokens, windowTokens)}
          aria-valuemin={0}
          aria-valuemax={windowTokens}
          data-full={isFull || undefined}
        >
          {shown.map(({ kind, tokens }) => (
            <span key={kind} className={styles[kind]} style={widthOf(tokens)} />
          ))}
        </div>
        {tick !== null && (
          <span
            className={styles.tick}
            style={{ insetInlineStart: `${(100 * tick) / windowTokens}%` }}
            role="img"
            aria-label={t.summarised(grouped(tick))}
            title={t.summarised(grouped(tick))}
            data-testid="context-tick"
          />
        )}
      </div>
      {!isFull && (
        <div className={styles.legend}>
          {shown.map(({ kind, label }) => (
            <span key={kind}>
              <i className={styles[kind]} />
              {label}
            </span>
          ))}
        </div>
      )}
    </>
  );
}

const costText = (usd: number) => (usd < 0.01 ? t.underCent : t.cent(usd.toFixed(2)));

/** A name and a figure. */
export function Fact({ name, children }: { name: string; children: string }) {
  return (
    <div className={styles.fact}>
      <span>{name}</span>
      <b>{children}</b>
    </div>
  );
}
