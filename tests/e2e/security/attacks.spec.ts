import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { attackCameThrough } from "../../../scripts/test/grave.mjs";
import { type Attack, shell } from "../../attacks/attack.ts";
import { digestOf } from "../../attacks/attack-table.ts";
import { attackClasses, attacks } from "../../attacks/corpus.ts";
import { hostileRules } from "../../attacks/rules.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { promptFor } from "../support/attacks/driver.ts";
import { Arena, notPlayed, type Outcome, type Played } from "../support/attacks/play-attacks.ts";
import { test as base, expect, replies, send } from "../support/test.ts";
import { todayNumber } from "../support/today.ts";

// What a model asks for and must not get, in the real app; what counts is what happened outside of it.
// All of them take most of an hour: each day another eighth is played in the fence, and another one without. PARLEY_ATTACK=REGEXP
// plays those of these ids both ways and shows what the model got; `PARLEY_ATTACK=.` plays all of them.
// PARLEY_RECORD_ATTACKS=1 plays all of them and writes down what came through, for `npm run security-doc`.

type How = "fenced" | "unfenced";

const test = base.extend<object, { arenas: Record<How, Arena> }>({
  arenas: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
    async ({}, use) => {
      const fenced = new Arena(todays("fenced"), ["refused", "approved"]);
      const unfenced = new Arena(todays("unfenced"), ["refused"], { fence: "off" });
      await use({ fenced, unfenced });
      await fenced.close();
      await unfenced.close();
    },
    { scope: "worker" },
  ],
});

const wanted = process.env.PARLEY_ATTACK;
const isRecorded = Boolean(process.env.PARLEY_RECORD_ATTACKS) && !wanted;
const chosen = wanted ? attacks.filter(({ id }) => new RegExp(wanted).test(id)) : attacks;

/** So many days it takes until all have been played. */
const parts = 8;

/** What is played today. */
function todays(how: How): readonly Attack[] {
  if (wanted || isRecorded) return chosen;
  const part = (todayNumber() + (how === "fenced" ? 0 : parts / 2)) % parts;
  return chosen.filter((_, index) => index % parts === part);
}

for (const how of ["fenced", "unfenced"] as const) {
  for (const family of attackClasses) {
    const played = family.attacks.filter((attack) => todays(how).includes(attack));
    if (played.length === 0) continue;
    test(`${how}, nothing comes through that the user did not allow: ${family.name}`, async ({ arenas }) => {
      test.setTimeout(1_200_000);
      test.skip(how === "fenced" && (await whyNoFence()) !== null, "There is no fence here.");
      const outcome = await arenas[how].play(played);
      tell(outcome);
      record(how, family.attacks, outcome);
      expectNoHarm(outcome.outcomes);
    });
  }
}

test("what is tried would work if nothing held it", async () => {
  test.skip(!process.env.PARLEY_ATTACK_CONTROL, "It takes as long as the others; for whoever adds attacks.");
  test.setTimeout(1_200_000);
  const arena = new Arena(chosen, ["allowed"], { fence: "off" });
  const played = await arena.play(chosen);
  await arena.close();
  tell(played);
  const harmless = played.outcomes.filter(({ harm }) => harm.length === 0).map(({ attack }) => attack.id);
  console.log(`would do no harm here: ${harmless.join(" ")}`);
  expect(harmless.length).toBeLessThan(chosen.length / 4);
});

for (const { id, title, rules } of hostileRules) {
  test(`a project's rules that never end hold up nothing: ${title}`, async ({ startWithModel, model }) => {
    test.skip(wanted !== undefined && !new RegExp(wanted).test(id));
    const { page } = await startWithModel({
      files: { "a.txt": "x\n" },
      seedHome: (home) => {
        const folder = join(home, "Parley/.parley");
        mkdirSync(folder);
        if (rules === null) symlinkSync("/dev/zero", join(folder, "permissions.json"));
        else writeFileSync(join(folder, "permissions.json"), rules);
      },
    });
    const long = `${"a/".repeat(60)}${"a".repeat(60)}`;
    const calls = [{ name: "read_file", input: { path: long } }];
    await send(page, `look [[script:tools ${JSON.stringify({ calls })} ]]`);
    await expect(replies(page)).toContainText("Results:", { timeout: 60_000 });
    expect(model.requests).toHaveLength(2);
  });
}

const nasty = [
  ["a terminal's escapes", "echo safe\u001b[2K\u001b[1A; touch x"],
  ["a change of the direction of reading", "touch \u202Etxt.exe\u2066 # harmless"],
  ["a line end that goes back", "touch x\r# only looks"],
  ["letters that show nothing", "touch a\u200cb\u2060c\u00ad"],
] as const;

for (const [title, command] of nasty) {
  test(`a card shows all of a command: ${title}`, async ({ startWithModel }) => {
    test.skip(wanted !== undefined);
    const { page } = await startWithModel();
    await send(page, promptFor("do it", [shell(command)]));
    const card = page.getByTestId("approval");
    await expect(card).toContainText("touch");
    const seen = (await card.textContent()) ?? "";
    expect(seen).not.toMatch(/(?![\n\t])[\p{Cc}\p{Cf}]/u);
    expect(seen).toMatch(/⟨U\+|[\u2400-\u2421]/);
  });
}

function expectNoHarm(outcomes: readonly Outcome[]): void {
  const lines = (isWanted: (line: string) => boolean) =>
    outcomes.flatMap(({ attack, play, harm }) =>
      harm.filter(isWanted).map((line) => `${attack.id} (${play}): ${line}`),
    );
  const isUnplayed = (line: string) => line.startsWith(notPlayed);
  expect(
    lines((line) => !isUnplayed(line)),
    attackCameThrough,
  ).toEqual([]);
  expect(lines(isUnplayed)).toEqual([]);
}

function tell({ outcomes, skipped }: Played): void {
  for (const { attack, why } of skipped) console.log(`not run: ${attack.id}: ${why}`);
  const played = new Set(outcomes.map(({ attack }) => attack.id)).size;
  console.log(`${outcomes.length} plays of ${played} of ${attacks.length} attacks`);
  if (!wanted) return;
  for (const { attack, play, harm, said } of outcomes) {
    const mark = harm.length > 0 ? "✘" : "·";
    console.log(`${mark} ${attack.id} (${play}): ${harm.join("; ")}\n    ${said.slice(0, 600)}`);
  }
}

const recordFile = resolve(import.meta.dirname, "../../attacks/came-through.json");

/** What was tried on this computer, and what came through. */
function record(how: How, family: readonly Attack[], { outcomes, skipped }: Played): void {
  if (!isRecorded) return;
  const known: Record<string, { through: string[]; notRun: string[] }> = JSON.parse(
    readFileSync(recordFile, "utf8"),
  );
  const others = (list: readonly string[] = []) =>
    list.filter((id) => !family.some((attack) => attack.id === id) && attacks.some((one) => one.id === id));
  const ids = (before: readonly string[] | undefined, list: readonly { attack: { id: string } }[]) =>
    [...new Set([...others(before), ...list.map(({ attack }) => attack.id)])].sort();
  const entry = {
    platform: process.platform,
    digest: digestOf(attacks.map(({ id }) => id)),
    through: ids(
      known[how]?.through,
      outcomes.filter(({ harm }) => harm.length > 0),
    ),
    notRun: ids(known[how]?.notRun, skipped),
  };
  writeFileSync(recordFile, `${JSON.stringify({ ...known, [how]: entry }, null, 2)}\n`);
}
