import { signal } from "@preact/signals";
import { asRefused } from "../data/http.ts";

interface Notice {
  readonly id: number;
  readonly text: string;
  readonly level: "info" | "warning" | "error";
  readonly next?: string;
}

const notices = signal<readonly Notice[]>([]);
let last = 0;

/** Says something for a moment. What went wrong stays until somebody has read it. */
export function tell(text: string, level: Notice["level"] = "info", next?: string): void {
  const id = ++last;
  notices.value = [...notices.value, { id, text, level, ...(next ? { next } : {}) }].slice(-4);
  if (level === "info") setTimeout(() => dismiss(id), 5_000);
}

/** Runs what a person asked for and says what went wrong with it. */
export async function attempt<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    const refused = asRefused(error);
    tell(refused.message, "error", refused.next);
    return undefined;
  }
}

function dismiss(id: number): void {
  notices.value = notices.value.filter((notice) => notice.id !== id);
}

const SIGNS = { info: "", warning: "Note: ", error: "✗ " } as const;

export function Notices() {
  return (
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map((notice) => (
        <div class="notice" data-level={notice.level} key={notice.id}>
          <span>
            <b>{SIGNS[notice.level]}</b>
            {notice.text}
            {notice.next && <span class="dim"> {notice.next}</span>}
          </span>
          <button
            type="button"
            class="bare"
            aria-label="Dismiss"
            onClick={() => dismiss(notice.id)}
          >
            ✕
          </button>
        </div>
      ))}
    </div>
  );
}
