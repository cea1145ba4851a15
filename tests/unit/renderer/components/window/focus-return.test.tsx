// @vitest-environment happy-dom
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it } from "vitest";
import { useFocusReturn } from "../../../../../renderer/components/window/use-focus-return.ts";
import { act } from "../react-act.ts";

let root: Root;
let place: HTMLElement;
const find = (id: string) => document.getElementById(id);
const textBox = () => find("text");

function Page({ shown }: { shown: readonly string[] }) {
  useFocusReturn(textBox);
  return (
    <>
      <input id="text" />
      {shown.map((id) => (
        <div key={id} data-waits={id.startsWith("card") ? id : undefined}>
          <button type="button" id={id} data-place={id.split("#")[1]}>
            {id}
          </button>
        </div>
      ))}
    </>
  );
}
const show = (...shown: string[]) =>
  act(async () => {
    root.render(<Page shown={shown} />);
  });
/** What was taken away has had its turn to say where the keyboard goes. */
const settled = () => act(() => new Promise((resolve) => setTimeout(resolve, 0)));
const focus = (id: string) => act(async () => find(id)?.focus());

beforeEach(() => {
  place = document.createElement("div");
  document.body.append(place);
  root = createRoot(place);
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
});

// Bug: the keyboard was nowhere after a button that went away with its press, and what was typed was lost.
it("the keyboard goes back to where it was before", async () => {
  await show("row", "drop");
  await focus("row");
  await focus("drop");
  await show("row");
  await settled();
  expect(document.activeElement).toBe(find("row"));
});

it("it goes to the text box where nothing of that is left, and to no card that waits", async () => {
  await show("card 1", "card 2");
  await focus("card 2");
  await focus("card 1");
  await show("card 2");
  await settled();
  expect(document.activeElement).toBe(textBox());
});

it("it stays where it was put meanwhile, and nowhere where the user left it there", async () => {
  await show("one", "two");
  await focus("one");
  await act(async () => find("one")?.blur());
  await show("one");
  await settled();
  expect(document.activeElement).toBe(document.body);
  await show("one", "two");
  await focus("two");
  await show("one");
  await focus("one");
  await settled();
  expect(document.activeElement).toBe(find("one"));
});

it("it goes to what takes the place of what went", async () => {
  await show("before", "old#1");
  await focus("before");
  await focus("old#1");
  await show("before", "new#1");
  await settled();
  expect(document.activeElement).toBe(find("new#1"));
});
