// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it } from "vitest";
import { appInfo } from "./app-info.ts";
import { act } from "./react-act.ts";
import { WindowRig } from "./window-rig.tsx";

let rig: WindowRig;
beforeEach(async () => {
  rig = new WindowRig();
  await rig.open();
});
afterEach(() => rig.dispose());

const offer = { id: "Ollama at 127.0.0.1:11434", models: ["llama3", "qwen3"], more: 4 };

it("a model server that was found is named with where it is and what it has", async () => {
  await act(() => rig.main.answer("app.info", appInfo({ modelServerOffer: offer })));
  const { textContent } = rig.one('[data-testid="model-server-notice"]');
  expect(textContent).toContain("Ollama at 127.0.0.1:11434 (llama3, qwen3, and 4 more)");
});

it.each([
  ["Use it", true],
  ["Not now", false],
])("“%s” answers so", async (label, isAgreed) => {
  await act(() => rig.main.answer("app.info", appInfo({ modelServerOffer: offer })));
  await rig.click(rig.button(label));
  expect(rig.main.take("model.server").input).toEqual({ id: offer.id, isAgreed });
});

it.each([
  ["Send it there", true],
  ["Not now", false],
])("a key for an address from elsewhere is asked about: “%s”", async (label, isAgreed) => {
  const keyAddressOffer = {
    id: "the pair",
    key: "ANTHROPIC_API_KEY",
    keyPlace: "Parley's settings",
    address: "ANTHROPIC_BASE_URL",
    addressPlace: "the environment",
    host: "gateway.example",
  };
  await act(() => rig.main.answer("app.info", appInfo({ keyAddressOffer })));
  expect(rig.one('[data-testid="key-address-notice"]').textContent).toContain(
    "Send the key ANTHROPIC_API_KEY from Parley's settings, and your prompts, to gateway.example? That address comes from elsewhere: ANTHROPIC_BASE_URL in the environment.",
  );
  await rig.click(rig.button(label));
  expect(rig.main.take("key.address").input).toEqual({ id: "the pair", isAgreed });
});

// Bug: a line about the development build stood over every conversation.
it("Check this computer says that the runtime is past its end of life, and no conversation does", async () => {
  await act(() => rig.main.answer("app.info", appInfo({ electron: "33.2.1", isTestRuntime: true })));
  expect(rig.all('[data-testid="runtime-notice"]')).toEqual([]);
  await act(async () => rig.state.doctor.open());
  expect(rig.one('[data-testid="doctor"] [data-testid="runtime-notice"]').textContent).toMatch(
    /Electron 33\.2\.1.*past its end of life/,
  );
});

it("and nothing of all that where there is nothing to say", async () => {
  await act(() => rig.main.answer("app.info", appInfo({ isTestRuntime: false, modelServerOffer: null })));
  expect(rig.all('[role="note"]')).toEqual([]);
});

it("a problem that was dismissed and mended is shown when it is there again", async () => {
  const broken = {
    code: "broken_settings",
    message: "settings.json is not valid JSON.",
    hint: "Correct it.",
  };
  const told = (...startupErrors: (typeof broken)[]) =>
    act(() => rig.main.answer("app.info", appInfo({ startupErrors })));
  const shown = () => rig.all('[data-testid="error-card"]').length;
  await told(broken);
  await rig.click(rig.button("Dismiss"));
  expect(shown()).toBe(0);
  await act(async () => rig.main.push({ type: "app" }));
  await told();
  await act(async () => rig.main.push({ type: "app" }));
  await told(broken);
  expect(shown()).toBe(1);
});
