import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const css = readFileSync(join(import.meta.dirname, "../../../renderer/styles/tokens.css"), "utf8");
const pair = /--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)/g;
const colours = new Map([...css.matchAll(pair)].map(([, name, light, dark]) => [name, { light, dark }]));

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string, theme: "light" | "dark"): number {
  const [a, b] = [one, other].map((name) => luminance(colours.get(name)?.[theme] ?? `no colour ${name}`));
  const [more, less] = [Math.max(a ?? 0, b ?? 0), Math.min(a ?? 0, b ?? 0)];
  return (more + 0.05) / (less + 0.05);
}

const surfaces = ["bg", "panel", "raise", "sunken"];
const soft = ["accent-soft", "warn-soft", "danger-soft", "ok-soft", "me"];

describe.each(["light", "dark"] as const)("in the %s look", (theme) => {
  test.each(["field", "accent", "warn-dot", "deep"])(
    "the edge or sign %s is 3 : 1 on each surface",
    (edge) => {
      for (const on of surfaces) expect(contrast(edge, on, theme), on).toBeGreaterThanOrEqual(3);
    },
  );
  test.each(["text", "muted", "faint"])("text in %s is 4.5 : 1 on each surface and soft colour", (text) => {
    for (const on of [...surfaces, ...soft])
      expect(contrast(text, on, theme), on).toBeGreaterThanOrEqual(4.5);
  });
  test.each([
    ["warn", "warn-soft"],
    ["danger", "danger-soft"],
    ["ok", "ok-soft"],
    ["accent-ink", "accent-soft"],
    ["on-accent", "accent"],
    ["on-toast", "toast"],
  ])("%s is 4.5 : 1 on %s", (text, on) => {
    expect(contrast(text, on, theme)).toBeGreaterThanOrEqual(4.5);
  });
});

test("a colour that is not there fails", () => {
  expect(contrast("text", "nothing", "light")).toBeNaN();
});
