import { expect, it } from "vitest";
import { settingEntries } from "../../../../../renderer/state/palette/palette-items.ts";
import { ranked } from "../../../../../renderer/state/palette/rank.ts";
import { foundBlocks, settingBlocks } from "../../../../../renderer/state/settings/settings-blocks.ts";
import { texts } from "../../../../../renderer/texts/texts.ts";
import { settingKeys } from "../../../../../shared/settings.ts";

const found = (words: string): string[] =>
  foundBlocks(words).blocks.flatMap((block) =>
    "keys" in block ? [...block.keys] : block.rows.map(({ title }) => title),
  );

it("every setting is on the page, once; the providers stand below what holds for new conversations", () => {
  const keys = settingBlocks.flatMap((block) => ("keys" in block ? block.keys : []));
  expect(keys.toSorted()).toEqual(settingKeys.toSorted());
  const models = settingBlocks.filter(({ section }) => section === "models").map(({ title }) => title);
  expect(models.slice(0, 3)).toEqual(["New conversations", "Providers", "Addresses"]);
});

it.each([
  ["anthropic", "Anthropic"],
  ["add key", "OpenAI"],
  ["ollama", "Ollama, LM Studio, llama.cpp"],
  ["import servers", "Add a server"],
  ["restore", "Restore"],
  ["back up", "Back up"],
  ["delete everything", "Delete everything"],
  ["recordings", "Where it is"],
  ["chromium", "Parley"],
  ["check this computer", "Check this computer"],
  ["your microphone", "Set up Parley"],
  ["with jitter", "retryBaseMs"],
])("“%s” finds “%s”, whether or not it is a setting", (words, title) => {
  expect(found(words)).toContain(title);
});

it("a heading finds all below it; what nothing has finds nothing", () => {
  expect(foundBlocks("licences")).toMatchObject({ blocks: [{ part: "licences" }], count: 1 });
  expect(found("providers")).toEqual(expect.arrayContaining(["Anthropic", "OpenAI", "Gemini"]));
  expect(foundBlocks("no such thing")).toEqual({ blocks: [], count: 0 });
});

it("the palette finds the same, and opens the settings with words that find it", () => {
  const entries = settingEntries(texts.settingsPage.sections);
  for (const words of ["back up", "licences", "check this computer", "gemini", "ollama", "maxTokens"]) {
    const options = { words: words.toLowerCase().split(" "), uses: {}, now: 0, most: 1 };
    const [best] = ranked(entries, options);
    if (best?.choice.type !== "setting") throw new Error(`“${words}” finds no setting.`);
    expect(foundBlocks(best.choice.words).count, words).toBeGreaterThan(0);
  }
});
