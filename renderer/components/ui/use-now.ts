import { useEffect, useState } from "react";

/** The time in milliseconds since the epoch, new every second for as long as the component is there. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
