import { useEffect, useState } from "react";

/** The beginning of today in milliseconds since the epoch, by the system's time zone; new at midnight. */
export function useToday(): number {
  const [today, setToday] = useState(() => midnight(0));
  useEffect(() => {
    const timer = setTimeout(() => setToday(midnight(0)), midnight(1) - Date.now() + 1);
    return () => clearTimeout(timer);
  });
  return today;
}

function midnight(daysAhead: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysAhead).getTime();
}
