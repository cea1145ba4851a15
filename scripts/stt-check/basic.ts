import { sttTool } from "../../shared/voice/stt.ts";
import { type Checks, Failure, must, need, Skip } from "./checks.ts";
import type { Connection } from "./connection.ts";
import { type CheckOptions, canPlay, Listening } from "./listening.ts";

const stopMs = 10_000;
const required = ["startSession", "getUpdates", "stopSession"] as const;

/**
 * What Parley cannot do without.
 * @returns the session that heard the recording, where there was one
 */
export async function checkBasic(
  checks: Checks,
  connection: Connection,
  { recording, hearMs }: CheckOptions,
): Promise<Listening | undefined> {
  const tools = await checks.run(["basic", "tools", "tools"], "It has the three tools", () => {
    const missing = required.filter((key) => !connection.tool(key)).map((key) => `…${sttTool[key]}`);
    must(missing.length === 0, `There is no ${missing.join(", ")}. A tool is found by how its name ends.`);
    return true;
  });
  await checks.run(["basic", "arguments", "tools"], "Their schemas name the session's id", () => {
    need(tools, "the tools");
    for (const key of ["getUpdates", "stopSession"] as const) {
      must(connection.takes(key, "session_id"), `The schema of …${sttTool[key]} lists no \`session_id\`.`);
    }
  });
  const plays = tools === true && canPlay(connection);
  const listening = await checks.run(
    ["basic", "start", "starting"],
    "A start answers with the session's id",
    () => {
      need(tools, "the tools");
      const file = { source: "file", path: recording.path, pace: "fast" };
      return Listening.start(connection, plays ? file : { source: "microphone" });
    },
  );
  const updated = await checks.run(
    ["basic", "updates", "updates"],
    "An update answers with events",
    async () => {
      const session = need(listening, "a session");
      await session.update();
      return session;
    },
  );
  const isHeard = () => plays === false && (listening?.finals.length ?? 0) > 0;
  await checks.run(["basic", "once", "order"], "Each event comes once, in order", async () => {
    const session = need(updated, "an update");
    await session.readOn(plays ? recording.durationMs + 30_000 : hearMs, isHeard);
    mustNotRepeat(session);
  });
  await checks.run(["basic", "stop", "stopping"], "A stop is answered", async () => {
    const { isError, text } = await need(listening, "a session").stop(stopMs);
    must(!isError, `It is refused: ${text}. Answer anything, also where the session is over already.`);
  });
  await checks.run(
    ["basic", "last_words", "stopping"],
    "What was said last can be read after the stop",
    async () => {
      const session = need(updated, "an update");
      must(session.isStopped, "The session could not be stopped.");
      await session.readOn(stopMs);
      mustNotRepeat(session);
    },
  );
  await checks.run(
    ["basic", "words", "events"],
    "What is said comes as `utterance_final` with `text`",
    () => {
      const session = need(updated, "an update");
      for (const event of session.events) {
        must(
          typeof event.type === "string",
          `An event has no \`type\`: ${JSON.stringify(event).slice(0, 120)}.`,
        );
      }
      for (const event of session.finals) {
        const { text } = event;
        must(
          typeof text === "string" && text.trim() !== "",
          `An \`utterance_final\` has no \`text\`: ${JSON.stringify(event).slice(0, 120)}.`,
        );
      }
      if (session.finals.length > 0) return;
      const types = [...new Set(session.events.map(({ type }) => String(type)))].join(", ") || "nothing";
      if (plays) throw new Failure(`Of the recording it told ${types}, but no \`utterance_final\`.`);
      throw new Skip(
        `Nobody was heard in ${hearMs / 1000} s (it told ${types}). It plays no files: speak while this runs, or let it take \`source: "file"\` with a \`path\`.`,
      );
    },
  );
  await checks.run(["basic", "again", "starting"], "Another start is another session", async () => {
    const first = need(listening, "a session");
    const second = await Listening.start(
      connection,
      plays ? { source: "file", path: recording.path } : { source: "microphone" },
    );
    await second.stop(stopMs);
    must(second.id !== first.id, `Both have the id ${second.id}. Give each start an id of its own.`);
  });
  await checks.run(["basic", "unknown", "faults"], "An unknown session is no disaster", async () => {
    need(tools, "the tools");
    await connection.ask("getUpdates", { session_id: "no-such-session", since_seq: 0 });
    await connection.ask("stopSession", { session_id: "no-such-session" });
  });
  return listening;
}

/** Where no numbers are trusted, nothing but the same events in a row tells. */
function mustNotRepeat({ answers, events, canGoOn }: Listening): void {
  if (canGoOn && events.some(({ seq }) => seq !== undefined && seq !== null)) return;
  const lists = answers.flatMap(({ value }) =>
    typeof value === "object" && value !== null && "events" in value ? [JSON.stringify(value.events)] : [],
  );
  const again = lists.find((list, index) => list.includes("utterance_final") && list === lists[index + 1]);
  must(
    again === undefined,
    `The same events came twice: ${again?.slice(0, 120)}. Give each once, or number them and take \`since_seq\`.`,
  );
}

/** How the server's program behaves around its tools. Ends it. */
export async function checkProgram(checks: Checks, connection: Connection): Promise<void> {
  const endedAfter = await connection.close();
  await checks.run(["basic", "stdout", "transport"], "Standard output carries the protocol alone", () => {
    must(
      connection.noise.length === 0,
      `Something else came: ${connection.noise[0]?.slice(0, 200)}. Write logs to standard error.`,
    );
  });
  await checks.run(["basic", "end", "transport"], "It ends with its client", () => {
    must(endedAfter !== null, "It went on when its input had ended. Stop listening and exit then.");
  });
}
