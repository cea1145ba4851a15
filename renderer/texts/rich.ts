import { createElement, Fragment, type ReactNode } from "react";

/** A text with elements in it, such as keys and code, in the order of the language. */
export type RichText = readonly ReactNode[];

/** Shows it. */
export const rich = (text: RichText): ReactNode => createElement(Fragment, null, ...text);
