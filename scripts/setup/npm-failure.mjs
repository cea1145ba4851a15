import { diskFull, SetUpError } from "./say.mjs";

/**
 * What to tell the user when npm could not fetch something.
 * @param what could not be done, a sentence without its full stop
 * @param output what npm printed
 * @param where the disk it was writing to
 */
export function npmFailure(what, output, where) {
  if (output.includes("ENOSPC")) return new SetUpError(diskFull(where));
  const unreachable =
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET/;
  const advice = unreachable.test(output)
    ? "npm cannot reach its registry: check the network and npm's proxy and registry settings, then run the same command again"
    : "Run the same command again; if it fails again, this is what npm said";
  return new SetUpError(`${what}. ${advice}.\n  ${npmErrors(output).join("\n  ")}`);
}

/** npm's own lines about the failure, without stack traces and pointers to its log. */
function npmErrors(output) {
  const lines = output.split("\n").filter((line) => /^npm error \S/.test(line));
  return lines.filter((line) => !/complete log|^npm error at |^npm error \d+ verbose/.test(line)).slice(0, 6);
}
