import { execFile } from "node:child_process";
import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { SttError } from "../stt-error.ts";

const run = promisify(execFile);

/** What to record; `deviceId` is a source's name, and undefined the default. */
export interface RecorderRequest {
  kind: "microphone" | "loopback";
  rateHz: number;
  deviceId?: string | undefined;
}

export interface RecorderCommand {
  program: string;
  args: string[];
}

/** Writes raw 16-bit mono samples to its standard output until it is ended. @throws SttError when none is installed */
export async function recorderCommand(
  request: RecorderRequest,
  environment: NodeJS.ProcessEnv,
): Promise<RecorderCommand> {
  if (process.platform !== "linux") {
    throw new SttError(
      "unsupported_platform",
      "Recording by this program works on Linux so far. Use source “file”, or the microphone inside the app.",
    );
  }
  const parec = await findProgram("parec", environment);
  if (parec) return { program: parec, args: parecArguments(request) };
  const pwRecord = await findProgram("pw-record", environment);
  if (pwRecord) {
    const { stdout } = await run(pwRecord, ["--help"]);
    // Newer ones write a file header unless told not to; older ones do not know the option.
    const raw = stdout.includes("--raw") ? ["--raw"] : [];
    return { program: pwRecord, args: [...raw, ...pwRecordArguments(request)] };
  }
  throw new SttError(
    "no_recorder",
    "Recording needs parec or pw-record. Install the package pulseaudio-utils (or pipewire-bin) and start listening again.",
  );
}

function parecArguments({ kind, rateHz, deviceId }: RecorderRequest): string[] {
  const device = kind === "loopback" ? "@DEFAULT_MONITOR@" : deviceId;
  return [
    "--record",
    "--raw",
    "--format=s16le",
    `--rate=${rateHz}`,
    "--channels=1",
    "--latency-msec=30",
    "--client-name=Parley",
    ...(device === undefined ? [] : [`--device=${device}`]),
  ];
}

function pwRecordArguments({ kind, rateHz, deviceId }: RecorderRequest): string[] {
  return [
    "--format=s16",
    `--rate=${rateHz}`,
    "--channels=1",
    "--latency=30ms",
    ...(kind === "loopback" ? ["--properties={ stream.capture.sink = true }"] : []),
    ...(deviceId === undefined ? [] : [`--target=${deviceId}`]),
    "-",
  ];
}

async function findProgram(name: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (environment.PATH ?? "").split(delimiter)) {
    if (folder === "") continue;
    const path = join(folder, name);
    const found = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return path;
  }
  return undefined;
}
