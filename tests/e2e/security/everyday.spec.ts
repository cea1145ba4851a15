import { projects } from "../../everyday/projects.ts";
import { whyNoFence } from "../../fixtures/fence-there.ts";
import { runEveryday } from "../support/attacks/run-everyday.ts";
import { expect, test } from "../support/test.ts";
import { isTodays } from "../support/today.ts";

// What people have a model do every day: it must work, ask seldom, and say what stands in its way.

test("a hundred everyday calls: few cards, none to look, and what fails names the fence", async ({
  model,
}) => {
  test.setTimeout(600_000);
  test.skip((await whyNoFence()) !== null, "There is no fence here.");
  expect(projects.flatMap((project) => project.calls).length).toBeGreaterThanOrEqual(100);
  const todays = projects.filter((_, index) => isTodays(index % 2 === 0 ? 0 : 1));
  const { outcomes, skipped } = await runEveryday(todays, model);
  for (const title of skipped) console.log(`not run, for want of a program: ${title}`);
  const calls = new Set(outcomes.map(({ project, call }) => `${project} ${call.title}`)).size;
  console.log(`${calls} calls`);
  expect(calls + skipped.length).toBe(todays.flatMap((project) => project.calls).length);
  const problems = outcomes.flatMap(({ project, level, call, problem }) =>
    problem === null ? [] : [`${project}, ${level}: ${call.title}: ${problem}`],
  );
  expect(problems).toEqual([]);
  expect(
    outcomes.filter(({ level }) => level === "work").flatMap(({ cards }) => cards).length,
  ).toBeLessThanOrEqual(3);
});
