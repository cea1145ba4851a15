/** Files that something in the fence made, and that decide what runs elsewhere: they are taken out until the user allows them. */

export const leftWish = (who: string, paths: readonly string[]) => ({
  who,
  what: `to leave ${paths.join(", ")} in the working folder`,
});

export const whyTakenOut = "These files decide what runs when other programs open this folder.";

/** Of a program that runs for long. */
export const whoseTheyAre = "They appeared while it ran; something else may have made them.";

/** For the model. */
export const takenOut = (paths: readonly string[]) =>
  `Taken out of the working folder, since the user did not allow it: ${paths.join(", ")}. Such files decide what runs elsewhere.`;

/** For the model. */
export const putBackAgain = (paths: readonly string[]) => `The user allowed it: ${paths.join(", ")}.`;
