// React reports updates outside of `act` only where it is told that this is a test.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

export { act } from "react";
