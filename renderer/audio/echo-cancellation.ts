/**
 * How much echo cancellation to ask of a microphone: of all that the computer plays, where the browser says that it can, as
 * for the voices of the system; else of what its own pages play. Pure.
 * @param can undefined where the browser does not say
 */
export function echoCancellationFor(can: Pick<MediaTrackCapabilities, "echoCancellation"> | undefined) {
  return can?.echoCancellation?.includes("all") ? "all" : true;
}
