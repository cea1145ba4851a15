import { useEffect, useEffectEvent, useState } from "react";

/**
 * Files that are dropped anywhere in the window. The window itself never opens one, whoever is to have it.
 * @returns whether files are held over the window
 */
export function useDrops(onFiles: (files: readonly File[]) => void): boolean {
  const [isOver, setOver] = useState(false);
  const onDrag = useEffectEvent((event: DragEvent) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    // A dialog has the window to itself.
    const isFree = document.querySelector("dialog[open]") === null;
    event.dataTransfer.dropEffect = isFree ? "copy" : "none";
    if (event.type === "dragleave") {
      // Left for another element of the window it is still over it.
      if (event.relatedTarget === null) setOver(false);
    } else setOver(isFree && event.type !== "drop");
    if (event.type === "drop" && isFree) onFiles([...event.dataTransfer.files]);
  });
  useEffect(() => {
    const listener = (event: DragEvent) => onDrag(event);
    const types = ["dragenter", "dragover", "dragleave", "drop"] as const;
    for (const type of types) window.addEventListener(type, listener);
    return () => {
      for (const type of types) window.removeEventListener(type, listener);
    };
  }, []);
  return isOver;
}
