import { describe, expect, it } from "vitest";
import { steppedZoom, zoomStepOf } from "../../../../electron/desktop/windows/zoom-keys.ts";

const press = (key: string, code: string, held: Partial<Record<"control" | "meta" | "alt", boolean>>) => ({
  type: "keyDown",
  key,
  code,
  control: false,
  meta: false,
  alt: false,
  ...held,
});

describe("keys that zoom", () => {
  it.each([
    ["=", "Equal", "in"],
    ["+", "Equal", "in"],
    ["+", "NumpadAdd", "in"],
    ["-", "Minus", "out"],
    ["-", "NumpadSubtract", "out"],
    ["0", "Digit0", "usual"],
    ["0", "Numpad0", "usual"],
  ])("Ctrl and %s of %s: %s", (key, code, step) => {
    expect(zoomStepOf(press(key, code, { control: true }), "linux")).toBe(step);
    expect(zoomStepOf(press(key, code, { meta: true }), "darwin")).toBe(step);
  });

  it("are no keys that write, and none of other commands", () => {
    expect(zoomStepOf(press("=", "Equal", {}), "linux")).toBeNull();
    expect(zoomStepOf(press("=", "Equal", { control: true, alt: true }), "linux")).toBeNull();
    expect(zoomStepOf(press("=", "Equal", { control: true }), "darwin")).toBeNull();
    expect(zoomStepOf(press("a", "KeyA", { control: true }), "linux")).toBeNull();
    expect(zoomStepOf({ ...press("=", "Equal", { control: true }), type: "keyUp" }, "linux")).toBeNull();
  });

  it("go by steps, and no further than can be read", () => {
    expect(steppedZoom(0, "in")).toBe(0.5);
    expect(steppedZoom(0.5, "out")).toBe(0);
    expect(steppedZoom(5, "in")).toBe(5);
    expect(steppedZoom(-5, "out")).toBe(-5);
    expect(steppedZoom(3, "usual")).toBe(0);
  });
});
