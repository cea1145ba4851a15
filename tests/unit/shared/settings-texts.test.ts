import { expect, it } from "vitest";
import { settingKeys } from "../../../shared/settings.ts";
import { settingGroups } from "../../../shared/settings-texts/groups.ts";
import { settingTexts } from "../../../shared/settings-texts/texts.ts";

it.each(settingKeys)("the window says of %s in plain words what it does, in two lines at most", (key) => {
  const { help, short = help } = settingTexts[key];
  expect(short).not.toMatch(/`|\]\(/);
  expect(short.length).toBeLessThanOrEqual(140);
});

it("no title stands twice: as a heading, and in the first row below it", () => {
  const twice = settingGroups.filter(
    ({ title, keys }) => keys.length > 1 && keys.some((key) => settingTexts[key].title === title),
  );
  expect(twice).toEqual([]);
});
