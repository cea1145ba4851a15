import { type StartSessionArguments, sttInfo } from "../../../shared/voice/stt.ts";
import { allowedFolder } from "../audio/client-path.ts";
import { deleteOldRecordings, WavWriter } from "../audio/wav-writer.ts";
import { SttError } from "../stt-error.ts";
import type { SessionLog } from "./session-log.ts";

/** What a session hears, kept in a file where that was asked for. */
export class Recording {
  readonly #log: Pick<SessionLog, "append">;
  #file: WavWriter | null;

  private constructor(log: Pick<SessionLog, "append">, file: WavWriter | null) {
    this.#log = log;
    this.#file = file;
  }

  /** @throws SttError where the folder cannot be written */
  static async start(
    { record_to: wanted, record_keep_days: keepDays }: StartSessionArguments,
    session: { id: string; createdAt: number; log: Pick<SessionLog, "append"> },
  ): Promise<Recording> {
    const { id, createdAt, log } = session;
    if (wanted === undefined) return new Recording(log, null);
    try {
      const folder = await allowedFolder(wanted);
      await deleteOldRecordings(folder, keepDays, createdAt);
      const file = await WavWriter.create(folder, createdAt, id);
      log.append({ type: "info", message: sttInfo.recording, payload: { path: file.path } });
      return new Recording(log, file);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw new SttError(
        "cannot_record",
        `The recording cannot be written to ${wanted}: ${why.replace(/\.$/, "")}. Choose another folder, or listen without recording.`,
        { cause: error },
      );
    }
  }

  /** A disk that is full ends the recording, never the listening. */
  async write(pcm: Int16Array): Promise<void> {
    try {
      await this.#file?.write(pcm);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#log.append({
        type: "warning",
        message: `The recording ended: ${why}. Parley keeps listening.`,
      });
      await this.end();
    }
  }

  async end(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.close().catch((error: unknown) => console.error("The recording's end:", error));
  }
}
