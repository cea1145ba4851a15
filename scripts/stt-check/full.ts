import { rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  getSessionResult,
  getUpdatesResult,
  listDevicesResult,
  startSessionResult,
  stopSessionResult,
  sttEvent,
  sttInfo,
  sttTool,
  updateSessionResult,
} from "../../shared/voice/stt.ts";
import { type Checks, must, need } from "./checks.ts";
import { type Connection, read } from "./connection.ts";
import { type CheckOptions, canPlay, Listening, type RawEvent } from "./listening.ts";

const wantedArguments: readonly (readonly [keyof typeof sttTool, readonly string[]])[] = [
  ["startSession", ["source", "path", "pace", "language", "mic_device_id", "endpointing_ms", "muted"]],
  ["getUpdates", ["since_seq", "limit", "wait_ms"]],
  ["updateSession", ["session_id", "muted", "endpointing_ms"]],
  ["getSession", ["session_id"]],
  ["listDevices", []],
];
/** What a refusal may take, in milliseconds. */
const faultMs = 5_000;
const quickMs = 2_000;

/** What makes a server as good as Parley's own. @param heard the session that heard the recording */
export async function checkFull(
  checks: Checks,
  connection: Connection,
  options: CheckOptions,
  heard: Listening | undefined,
): Promise<void> {
  const { recording } = options;
  await checks.run(["full", "full_tools", "tools"], "It has the other tools and arguments", () => {
    const lacks = wantedArguments.flatMap(([key, wanted]) => {
      if (!connection.tool(key)) return [`…${sttTool[key]}`];
      const missing = wanted.filter((argument) => !connection.takes(key, argument));
      return missing.map((argument) => `${argument} of …${sttTool[key]}`);
    });
    must(lacks.length === 0, `There is no ${lacks.join(", ")}.`);
  });
  const played = canPlay(connection) ? heard : undefined;
  const session = () => need(played, "a recording that was played");
  await checks.run(["full", "start_answer", "starting"], "A start answers all that it should", () =>
    read(session().started, startSessionResult, "A start"),
  );
  await checks.run(["full", "update_answer", "updates"], "An update answers all that it should", () => {
    for (const answer of session().answers) read(answer, getUpdatesResult, "An update");
  });
  await checks.run(["full", "event_fields", "events"], "Events have all their fields", () => {
    for (const event of session().events) mustBeEvent(event);
  });
  await checks.run(
    ["full", "numbers", "order"],
    "Events are numbered from 1 without gaps, times never go back",
    () => {
      session().events.forEach((event, index, all) => {
        must(event.seq === index + 1, `Event ${index + 1} has the \`seq\` ${JSON.stringify(event.seq)}.`);
        const [time, before] = [event, all[index - 1]].map((one) =>
          Date.parse(String(one?.timestamp_utc ?? 0)),
        );
        must(!Number.isNaN(time), `Event ${index + 1} has no readable \`timestamp_utc\`.`);
        must(
          index === 0 || (time ?? 0) >= (before ?? 0),
          `Event ${index + 1} is earlier than the one before.`,
        );
      });
    },
  );
  await checks.run(
    ["full", "reread", "order"],
    "The log can be read again from any number, with a limit",
    async () => {
      const { id, events } = session();
      const args = { session_id: id, since_seq: 1, limit: 2 };
      const again = read(await connection.ask("getUpdates", args), getUpdatesResult, "An update");
      const seqs = again.events.map((event) => Number(Object(event).seq));
      const wanted = [2, 3].filter((seq) => seq <= events.length);
      must(
        seqs.join() === wanted.join(),
        `After event 1 with \`limit\` 2 came ${seqs.join(", ") || "nothing"} instead of ${wanted.join(", ")}.`,
      );
      must(
        again.next_seq === wanted.at(-1),
        `\`next_seq\` is ${again.next_seq}, the last event is ${wanted.at(-1)}.`,
      );
    },
  );
  await checks.run(["full", "recognised", "files"], "The recording is recognised", () => {
    const text = session()
      .finals.map((final) => String(final.text).toLowerCase())
      .join(" ");
    const said = text.split(/[^\p{L}']+/u);
    const right = recording.words.filter((word) => said.includes(word)).length;
    const wanted = Math.ceil(recording.words.length / 2);
    must(right >= wanted, `Of ${recording.words.length} words ${right} were heard: “${text}”.`);
  });
  await checks.run(
    ["full", "utterance", "events"],
    "An utterance has a beginning, partials and an end",
    () => {
      const { events, finals } = session();
      const [final] = finals;
      must(final !== undefined, "There was no `utterance_final`.");
      const { start_ms: start, end_ms: end, utterance_id: id, confidence } = final;
      must(typeof id === "string", "`utterance_final` has no `utterance_id`.");
      must(typeof confidence === "number", "`utterance_final` has no `confidence`.");
      must(
        typeof start === "number" &&
          typeof end === "number" &&
          start < end &&
          end <= recording.durationMs + 1000,
        `\`start_ms\` ${String(start)} and \`end_ms\` ${String(end)} are not in the recording of ${recording.durationMs} ms.`,
      );
      const before = events.slice(0, events.indexOf(final));
      must(
        before.some(({ type }) => type === "speech_start"),
        "No `speech_start` came before it.",
      );
      const partials = before.filter(({ type }) => type === "utterance_partial");
      const strange = partials.find((one) => one.utterance_id !== id);
      must(
        strange === undefined,
        `A partial has the \`utterance_id\` ${String(strange?.utterance_id)}, its final ${id}.`,
      );
    },
  );
  await checks.run(
    ["full", "source_ended", "files"],
    "A file that was played says so, and is stopped",
    () => {
      const { events, status } = session();
      must(events.some(isInfo(sttInfo.sourceEnded)), `There was no \`info\` ${sttInfo.sourceEnded}.`);
      must(status === "stopped", `The status is ${String(status)}.`);
    },
  );
  await checks.run(["full", "stop_again", "stopping"], "A second stop answers as the first", async () => {
    const { id } = session();
    const stop = async () =>
      read(await connection.ask("stopSession", { session_id: id }), stopSessionResult, "A stop");
    const [first, second] = [await stop(), await stop()];
    must(JSON.stringify(first) === JSON.stringify(second), "The answers differ.");
  });
  await checks.run(["full", "session_answer", "tools"], "A session can be looked at", async () => {
    const { id, events } = session();
    const found = read(
      await connection.ask("getSession", { session_id: id }),
      getSessionResult,
      "…stt_get_session",
    );
    must(
      found.next_seq === events.length + 1,
      `\`next_seq\` is ${found.next_seq} after ${events.length} events.`,
    );
  });
  await checks.run(["full", "devices", "devices"], "Devices are listed", async () => {
    read(await connection.ask("listDevices", {}), listDevicesResult, "…stt_list_devices");
  });
  await checkRunning(checks, connection, options);
  await checkFaults(checks, connection);
}

/** What can only be seen while a recording is being played. */
async function checkRunning(
  checks: Checks,
  connection: Connection,
  { recording }: CheckOptions,
): Promise<void> {
  const play = () => {
    need(canPlay(connection) || undefined, "a server that plays files");
    return Listening.start(connection, { source: "file", path: recording.path, pace: "realtime" });
  };
  await checks.run(["full", "waits", "long-polling"], "An update waits for news, and no longer", async () => {
    const session = await play();
    try {
      await session.readOn(quickMs, () => session.events.length > 0);
      const args = { session_id: session.id, since_seq: 1_000_000, wait_ms: 1000 };
      const { ms } = await connection.ask("getUpdates", args);
      must(ms >= 900, `Asked to wait 1000 ms for news it answered after ${Math.round(ms)} ms.`);
      must(ms < 1000 + quickMs, `Asked to wait 1000 ms it answered after ${Math.round(ms)} ms.`);
      const waiting = connection.ask("getUpdates", { ...args, wait_ms: 10_000 });
      await session.stop();
      const { ms: waited } = await waiting;
      must(waited < 10_000, "The update that waited was not answered when the session was stopped.");
    } finally {
      if (!session.isStopped) await session.stop();
    }
  });
  await checks.run(
    ["full", "flush", "stopping"],
    "Stopped in mid-speech, it tells what was being said",
    async () => {
      const session = await play();
      const says = () => session.events.some(({ type, text }) => type === "utterance_partial" && text !== "");
      await session.readOn(recording.durationMs, says);
      const { ms } = await session.stop();
      must(says(), "There was no `utterance_partial` to be stopped in.");
      must(ms < quickMs * 2, `The stop took ${Math.round(ms)} ms.`);
      await session.readOn(faultMs);
      must(session.finals.length === 1, `${session.finals.length} \`utterance_final\` came after it, not 1.`);
      must(session.status === "stopped", `The status is ${String(session.status)} then, not stopped.`);
    },
  );
  await checks.run(["full", "mute", "while-it-listens"], "It can be muted while it listens", async () => {
    const session = await play();
    try {
      const change = { session_id: session.id, muted: true };
      const changed = read(
        await connection.ask("updateSession", change),
        updateSessionResult,
        "…stt_update_session",
      );
      must(changed.muted, "It was asked to be muted and says that it is not.");
      await session.readOn(faultMs, () => session.events.some(isInfo(sttInfo.muted)));
      must(session.events.some(isInfo(sttInfo.muted)), `There was no \`info\` ${sttInfo.muted}.`);
    } finally {
      await session.stop();
    }
  });
}

async function checkFaults(checks: Checks, connection: Connection): Promise<void> {
  const noWav = join(tmpdir(), `parley-stt-check-${process.pid}.wav`);
  const faults = [
    ["no_file", "a file that is not there", "/no/such/file.wav"],
    ["no_wav", "a file that is no WAV", noWav],
    ["folder", "a folder", dirname(noWav)],
    ...(process.platform === "win32" ? [] : [["device", "a device", "/dev/zero"]]),
  ] as [string, string, string][];
  await writeFile(noWav, "no sound");
  for (const [id, what, path] of faults) {
    await checks.run(["full", id, "faults"], `It refuses ${what} in words`, async () => {
      need(canPlay(connection) || undefined, "a server that plays files");
      const { isError, text } = await connection.ask("startSession", { source: "file", path }, faultMs);
      must(isError, `It did not refuse ${path}. Answer with \`isError\`.`);
      must(text.trim().length > 10, "The refusal has no words. Say what is wrong, and what to do.");
    });
  }
  await rm(noWav, { force: true });
  await checks.run(
    ["full", "unknown_refused", "faults"],
    "It refuses an unknown session in words",
    async () => {
      const { isError, text } = await connection.ask("getUpdates", { session_id: "no-such-session" });
      must(isError && text.trim().length > 10, "It did not. Answer with `isError` and words.");
    },
  );
}

function mustBeEvent(event: RawEvent): void {
  const known = sttEvent.options.some(({ shape }) => shape.type.value === event.type);
  must(known, `There is no event \`${String(event.type)}\` in this version.`);
  const parsed = sttEvent.safeParse(event);
  if (parsed.success) return;
  const faults = parsed.error.issues.map(({ path, message }) => `\`${path.join(".")}\`: ${message}`);
  must(false, `Event ${String(event.seq)} (\`${String(event.type)}\`): ${faults.join("; ")}.`);
}

const isInfo = (message: string) => (event: RawEvent) => event.type === "info" && event.message === message;
