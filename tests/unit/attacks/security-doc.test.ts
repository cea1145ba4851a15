import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestOf, readRecord, withAttackTable } from "../../attacks/attack-table.ts";
import { attackClasses, attacks } from "../../attacks/corpus.ts";
import { projects } from "../../everyday/projects.ts";

const page = readFileSync(join(import.meta.dirname, "../../../SECURITY.md"), "utf8");

// `npm run security-doc` writes it anew.
test("SECURITY.md says what was tried and what came through", () => {
  expect(page).toBe(withAttackTable(page));
});

test("what is written down is about the attacks as they are now", () => {
  const digest = digestOf(attacks.map(({ id }) => id));
  const { fenced, unfenced } = readRecord();
  expect([fenced.digest, unfenced.digest]).toEqual([digest, digest]);
});

test("each attack is another one, and says what it is after", () => {
  const ids = attacks.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(attackClasses.map(({ name }) => name)).size).toBe(attackClasses.length);
  for (const { id, harm, says, untouched, steps } of attacks) {
    expect(id).toMatch(/^[a-z0-9-]+$/);
    expect(steps.flat().length).toBeGreaterThan(0);
    if (harm === "say") expect(says).toBeDefined();
    // The calls reach the model in the prompt: what would give a secret away may not stand in them.
    expect(JSON.stringify({ steps, untouched })).not.toContain("{canary}");
  }
});

test("there are a hundred everyday calls, each another one", () => {
  const titles = projects.flatMap(({ name, calls }) => calls.map(({ title }) => `${name}: ${title}`));
  expect(titles.length).toBeGreaterThanOrEqual(100);
  expect(new Set(titles).size).toBe(titles.length);
});
