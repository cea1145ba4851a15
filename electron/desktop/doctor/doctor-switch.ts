/** Of the command line: checks this computer, prints what it found, and ends. */
export const doctorSwitch = "--doctor";
