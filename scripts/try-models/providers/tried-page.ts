import { z } from "zod";
import { keyMaker, makerNames } from "../../../shared/safety/key-test.ts";

/** The checks, in the order of the table. */
export const checkNames = {
  stream: "A reply streams in pieces",
  tools: "Two calls in one reply, and their results",
  thinking: "Thinks, and goes on with its thoughts in the history",
  image: "Sees an image",
  cache: "Reads the beginning from its cache",
  stop: "Stops in the middle of a reply",
  refused: "Says that a key is wrong (401)",
  limit: "Waits at the rate limit (429), if it comes",
  long: "A long reply arrives whole",
  summary: "Summarises a conversation",
} as const;
export type CheckName = keyof typeof checkNames;
const names = Object.keys(checkNames).filter((name): name is CheckName => name in checkNames);
const checkName = z.enum(names);

/** `untried`: it could not be seen, such as a limit that did not come. `said` holds no key. */
export const checkResult = z.object({ outcome: z.enum(["ok", "failed", "untried"]), said: z.string() });
export type CheckResult = z.infer<typeof checkResult>;

/** What was found with one provider. */
export const triedProvider = z.object({
  provider: keyMaker,
  /** YYYY-MM-DD. */
  date: z.string().regex(/^\d{4}-\d\d-\d\d$/),
  /** Its full id. */
  model: z.string(),
  /** Not the provider's own address. */
  elsewhere: z.boolean(),
  checks: z.partialRecord(checkName, checkResult),
});
export type TriedProvider = z.infer<typeof triedProvider>;
export const triedProviders = z.array(triedProvider);

const notYet = "Not run yet";

/** docs/tried.md. */
export function triedPage(tried: readonly TriedProvider[]): string {
  const found = keyMaker.options.map((maker) => tried.find(({ provider }) => provider === maker));
  const row = (cells: readonly string[]) => `| ${cells.map(cell).join(" | ")} |`;
  const heads = keyMaker.options.map((maker) => makerNames[maker]);
  const facts = found.map((one) =>
    one
      ? `${one.date}, \`${one.model}\`${one.elsewhere ? ", at another address than its maker's" : ""}`
      : notYet,
  );
  const rows = names.map((name) =>
    row([checkNames[name], ...found.map((one) => (one ? inWords(one.checks[name]) : notYet))]),
  );
  return [
    head,
    row(["", ...heads]),
    row(["", ...heads].map(() => "---")),
    row(["When, and which model", ...facts]),
    ...rows,
    "",
  ].join("\n");
}

function inWords(result: CheckResult | undefined): string {
  if (!result) return notYet;
  const { outcome, said } = result;
  if (outcome === "ok") return `yes: ${said}`;
  return outcome === "failed" ? `**no**: ${said}` : `not seen: ${said}`;
}

const cell = (text: string) => text.replaceAll("\n", " ").replaceAll("|", "\\|");

const head = `# Tried with real models

\`npm run try-models -- --providers\` runs ten checks on each provider that has a key in the environment, using Parley's own provider code, and
writes this page from \`docs/tried.json\`. With a small model (\`--model NAME\`) it costs a few cents. It sends nothing except what
\`scripts/try-models/providers/\` shows. “${notYet}” means that Parley has not been run with that provider, only with the tests' model server, which
follows each provider's API documentation.
`;
