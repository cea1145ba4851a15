import type { Settings } from "../../../shared/settings.ts";

/** How much of a folder is kept before a call that may change anything in it. */
export interface Limits {
  /** Files and links; as many folders beside them. */
  maxFiles: number;
  /** Of all files together. */
  maxBytes: number;
  /** Of one file. */
  maxFileBytes: number;
  /** Names of folders that are not looked into. */
  ignore: readonly string[];
}

const megabyte = 1_000_000;

export function limitsOf(settings: Settings): Limits {
  return {
    maxFiles: settings.checkpointMaxFiles,
    maxBytes: settings.checkpointMaxMb * megabyte,
    maxFileBytes: settings.checkpointMaxFileMb * megabyte,
    ignore: settings.checkpointIgnore,
  };
}

export const megabytes = (bytes: number) => `${Number((bytes / megabyte).toPrecision(3))} MB`;
export const tooLarge = (size: number, { maxFileBytes }: Pick<Limits, "maxFileBytes">) =>
  `it has ${megabytes(size)}; up to ${megabytes(maxFileBytes)} of a file are kept (checkpointMaxFileMb)`;
