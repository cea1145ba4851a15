import { createContext } from "react";

/** What a click on a link in Markdown does. Pages never navigate: main opens the address in the browser. */
export const LinkContext = createContext<(url: string) => void>(() => {});
