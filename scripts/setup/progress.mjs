import { SingleBar } from "cli-progress";

/**
 * A progress bar on stderr; where that is no terminal, a line every few seconds.
 * @param total in bytes
 */
export function progressBar(label, total) {
  const bar = new SingleBar({
    format: `parley: ${label} {bar} {percentage} %`,
    barCompleteChar: "█",
    barIncompleteChar: "░",
    barsize: 30,
    hideCursor: true,
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 3000,
  });
  bar.start(total, 0);
  return {
    update: (bytes) => bar.update(Math.min(bytes, total)),
    stop: () => bar.stop(),
  };
}
