/** What the system has no word for. */
export type FileErrorCode =
  /** It leads out of the folder. */
  | "OUTSIDE"
  /** A link on the way leads nowhere. */
  | "DANGLING"
  /** A link where none is followed. */
  | "LINK"
  /** A file where a folder is wanted. */
  | "ENOTDIR"
  /** Nothing is there. */
  | "ENOENT"
  /** Links that lead to one another. */
  | "ELOOP"
  /** Something else stood there a moment ago, or a link stands where a folder was. */
  | "REPLACED"
  /** A folder, a pipe, a socket or a device where a file is wanted. */
  | "NOFILE"
  /** More than was to be copied. */
  | "TOO_MUCH";

/** A file that could not be had, for a reason that is not the system's. `code` as in errors of the system. */
export class FileError extends Error {
  override readonly name = "FileError";
  readonly code: FileErrorCode;

  constructor(code: FileErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
