// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { useDrawnRows } from "../../../../../renderer/components/transcript/use-drawn-rows.ts";
import { act } from "../react-act.ts";

let root: Root;
let idle: Map<number, () => void>;
let asked = 0;
let drawMore: () => Promise<void>;

beforeEach(() => {
  idle = new Map();
  vi.stubGlobal("requestIdleCallback", (then: () => void) => {
    idle.set(++asked, then);
    return asked;
  });
  vi.stubGlobal("cancelIdleCallback", (id: number) => idle.delete(id));
  vi.stubGlobal("innerHeight", 800);
  root = createRoot(document.createElement("div"));
});
afterEach(async () => {
  await act(async () => root.unmount());
  vi.unstubAllGlobals();
});

const rows = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => ({ key: String(from + index) }));

let drawn: string[];
function Rows({ rows, wantsAll }: { rows: { key: string }[]; wantsAll: boolean }) {
  const { from, drawMore: more } = useDrawnRows(rows, wantsAll);
  drawn = rows.slice(from).map(({ key }) => key);
  drawMore = more;
  return null;
}
const show = (rows: { key: string }[], wantsAll = false) =>
  act(async () => root.render(<Rows rows={rows} wantsAll={wantsAll} />));
const rest = () =>
  act(async () => {
    const now = [...idle.values()];
    idle.clear();
    for (const then of now) then();
  });

it("the end is drawn first, and what stands before it in slices, when there is nothing else to do", async () => {
  await show(rows(0, 45));
  expect(drawn).toEqual(rows(25, 45).map(({ key }) => key));
  await rest();
  expect(drawn[0]).toBe("15");
  await rest();
  await rest();
  expect(drawn[0]).toBe("0");
  expect(idle.size).toBe(0);
});

it("a higher window gets more at once, a short conversation is drawn whole", async () => {
  vi.stubGlobal("innerHeight", 1600);
  await show(rows(0, 60));
  expect(drawn).toHaveLength(40);
  await act(async () => root.unmount());
  root = createRoot(document.createElement("div"));
  await show(rows(0, 12));
  expect(drawn).toHaveLength(12);
  expect(idle.size).toBe(0);
});

it("what is said meanwhile is drawn at once, and takes nothing away", async () => {
  await show(rows(0, 45));
  await show(rows(0, 50));
  expect(drawn).toEqual(rows(25, 50).map(({ key }) => key));
});

it("an earlier page comes in slices, too", async () => {
  await show(rows(100, 110));
  expect(drawn).toHaveLength(10);
  await show(rows(0, 110));
  expect(drawn[0]).toBe("100");
  await rest();
  expect(drawn[0]).toBe("90");
});

it("where something is looked for all are there at once, and stay", async () => {
  await show(rows(0, 45));
  await show(rows(0, 45), true);
  expect(drawn).toHaveLength(45);
  await show(rows(0, 45));
  expect(drawn).toHaveLength(45);
});

it("near the start more is drawn at once; another branch is drawn whole", async () => {
  await show(rows(0, 45));
  await act(async () => drawMore());
  expect(drawn[0]).toBe("15");
  await show(rows(200, 300));
  expect(drawn).toHaveLength(100);
});
