import { createContext } from "react";

/** Whether what is drawn is in sight or near to it. */
export const NearContext = createContext(true);
