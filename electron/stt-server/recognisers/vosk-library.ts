import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import koffi, { type LibraryHandle } from "koffi";
import { SttError } from "../stt-error.ts";
import { unpackedPath } from "./unpacked-path.ts";

/**
 * libvosk's C functions, bound once a process. Pointers are opaque. The `…Async` calls run on a worker thread: at
 * most one may be in flight for one recogniser, and it must not be freed meanwhile.
 */
export interface VoskLibrary {
  /** Null when the folder holds no usable model. */
  modelNew(path: string): Promise<unknown>;
  modelFree(model: unknown): void;
  recognizerNew(model: unknown, rateHz: number): unknown;
  /** @param grammar a JSON list of phrases; null when the model cannot be held to one */
  recognizerNewGrammar(model: unknown, rateHz: number, grammar: string): unknown;
  recognizerFree(recognizer: unknown): void;
  /** Below 0 when the model's vocabulary lacks the word. */
  findWord(model: unknown, word: string): unknown;
  /** With any, results are a list of texts with the times of their words, but without the words' confidence. */
  setMaxAlternatives(recognizer: unknown, count: number): void;
  setWords(recognizer: unknown, on: number): void;
  /** 1 when the recogniser's own endpointing ended a segment. */
  accept(recognizer: unknown, pcm: Int16Array): Promise<unknown>;
  partialResult(recognizer: unknown): unknown;
  result(recognizer: unknown): unknown;
  finalResult(recognizer: unknown): Promise<unknown>;
  /** Gives memory that was freed back to the system, where the C library keeps it. */
  giveBackMemory(): void;
}

let bound: VoskLibrary | undefined;

/** @throws SttError on a platform that the package brings no library for */
export function voskLibrary(): VoskLibrary {
  bound ??= bind(koffi.load(libraryPath()));
  return bound;
}

type NativeFunction = ReturnType<LibraryHandle["func"]>;

function bind(library: LibraryHandle): VoskLibrary {
  library.func("void vosk_set_log_level(int level)")(-1);
  const modelNew = library.func("void *vosk_model_new(const char *path)");
  const accept = library.func(
    "int vosk_recognizer_accept_waveform(void *recognizer, const void *data, int length)",
  );
  const finalResult = library.func("const char *vosk_recognizer_final_result(void *recognizer)");
  return {
    modelNew: (path) => onThread(modelNew, path),
    modelFree: library.func("void vosk_model_free(void *model)"),
    recognizerNew: library.func("void *vosk_recognizer_new(void *model, float rate)"),
    recognizerNewGrammar: library.func(
      "void *vosk_recognizer_new_grm(void *model, float rate, const char *grammar)",
    ),
    findWord: library.func("int vosk_model_find_word(void *model, const char *word)"),
    setMaxAlternatives: library.func(
      "void vosk_recognizer_set_max_alternatives(void *recognizer, int count)",
    ),
    recognizerFree: library.func("void vosk_recognizer_free(void *recognizer)"),
    setWords: library.func("void vosk_recognizer_set_words(void *recognizer, int on)"),
    accept: (recognizer, pcm) => onThread(accept, recognizer, pcm, pcm.byteLength),
    partialResult: library.func("const char *vosk_recognizer_partial_result(void *recognizer)"),
    result: library.func("const char *vosk_recognizer_result(void *recognizer)"),
    finalResult: (recognizer) => onThread(finalResult, recognizer),
    giveBackMemory: memoryTrim(),
  };
}

/** The C library of most Linux systems keeps some fifty megabytes of a recogniser that was freed. */
function memoryTrim(): () => void {
  if (process.platform !== "linux") return () => {};
  try {
    const trim = koffi.load("libc.so.6").func("int malloc_trim(size_t pad)");
    return () => void trim(0);
  } catch {
    // Another C library, which has no such call.
    return () => {};
  }
}

function onThread(call: NativeFunction, ...args: unknown[]): Promise<unknown> {
  return new Promise((resolve, reject) => {
    call.async(...args, (error: unknown, value: unknown) => {
      if (error) reject(error);
      else resolve(value);
    });
  });
}

function libraryPath(): string {
  const file = libraryFiles[`${process.platform}-${process.arch}`];
  if (!file) {
    throw new SttError(
      "unsupported_platform",
      `There is no speech recognition for ${process.platform} on ${process.arch} yet. Typing still works.`,
    );
  }
  const require = createRequire(import.meta.url);
  const path = unpackedPath(join(dirname(require.resolve("vosk/package.json")), "lib", file));
  // Windows looks for the library's own DLLs on the path.
  if (process.platform === "win32") process.env.PATH = `${process.env.PATH}${delimiter}${dirname(path)}`;
  return path;
}

const libraryFiles: Partial<Record<string, string>> = {
  "linux-x64": "linux-x86_64/libvosk.so",
  "darwin-x64": "osx-universal/libvosk.dylib",
  "darwin-arm64": "osx-universal/libvosk.dylib",
  "win32-x64": "win-x86_64/libvosk.dll",
};
