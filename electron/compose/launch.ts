import { startAtLogin } from "../desktop/launch/autostart.ts";
import { type LaunchRequest, launchRequest } from "../desktop/launch/launch-request-shape.ts";
import { launcherWords } from "../desktop/launch/launcher-path.ts";
import { openLinks } from "../desktop/launch/link-handler.ts";
import type { Windows } from "../desktop/shell/windows.ts";
import type { Base } from "./base.ts";
import type { composeConversations } from "./conversations.ts";
import type { composeVoice } from "./voice.ts";

export interface ComposeLaunchOptions {
  base: Base;
  windows: Windows;
  agent: ReturnType<typeof composeConversations>;
  voice: ReturnType<typeof composeVoice>;
}

/** What starts of `parley` and links ask of the instance that runs. */
export function composeLaunch({ base, windows, agent, voice }: ComposeLaunchOptions) {
  const { settings, problems, log } = base;
  const fail = (error: unknown) => {
    problems.report({ code: "launch", message: error instanceof Error ? error.message : String(error) });
    windows.openMain();
  };
  const listen = () => {
    const source = settings.current()["voice.source"];
    voice.voice.listen(agent.conversations.current(), { source }).catch(fail);
  };
  const acts: { [T in LaunchRequest["type"]]: (request: Extract<LaunchRequest, { type: T }>) => void } = {
    open: () => windows.openMain(),
    quick: ({ text }) => windows.quick.show(text),
    toggle_quick: () => windows.quick.toggle(),
    listen,
    stop: () => {
      voice.speech.stop();
      voice.voice.stop().catch(base.reportError);
    },
    session: ({ reference }) => {
      const { id } = agent.conversations.start({ kind: "resume", reference });
      windows.openMain(id);
    },
    settings: () => windows.showInMain({ type: "show-settings" }),
    background: () => {},
  };
  const act = <T extends LaunchRequest["type"]>(type: T, request: Extract<LaunchRequest, { type: T }>) =>
    acts[type](request);
  const run = (request: LaunchRequest) => {
    try {
      act(request.type, request);
    } catch (error) {
      fail(error);
    }
  };
  const applyStartAtLogin = () => {
    try {
      startAtLogin(settings.current().startAtLogin, launcherWords());
    } catch (error) {
      log.warn(`start at login: ${String(error)}`);
    }
  };
  const applyLinks = () =>
    void openLinks(settings.current().openLinks, launcherWords()).catch((error: unknown) =>
      log.warn(`parley:// links: ${String(error)}`),
    );
  settings.onChange((changed) => {
    if (changed.has("openLinks")) applyLinks();
    if (changed.has("startAtLogin")) applyStartAtLogin();
  });
  return {
    /** Of another start, as it came over: whatever is not known only opens the window. */
    again: (data: unknown) => run(launchRequest.catch({ type: "open" }).parse(data)),
    /** Of a link that the system brings. */
    run,
    /** Of this start, whose window is open already where nothing else was asked for. */
    first: (request: LaunchRequest) => {
      // A package that was moved since is found where it is now.
      if (settings.current().startAtLogin) applyStartAtLogin();
      if (settings.current().openLinks) applyLinks();
      if (request.type !== "open") run(request);
    },
  };
}
