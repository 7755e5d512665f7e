import { useState } from "preact/hooks";
import { tell } from "../app/notices.tsx";

/** Puts a text into the clipboard; without one, as on a page that is not secure, it is shown. */
export async function copy(text: string, what: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`Copied ${what}.`);
    return true;
  } catch {
    tell(`The browser does not let the page copy. Copy it yourself: ${text}`, "warning");
    return false;
  }
}

export function CopyButton({ text, what, label }: { text: string; what: string; label?: string }) {
  const [isDone, setDone] = useState(false);
  const onClick = async () => {
    setDone(await copy(text, what));
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button
      type="button"
      class="bare"
      aria-label={label ? undefined : `Copy ${what}`}
      onClick={() => void onClick()}
    >
      {isDone ? "✓" : (label ?? "Copy")}
    </button>
  );
}
