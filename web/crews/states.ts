import type { CrewTask } from "../../src/view/api-crews.ts";

type State = CrewTask["state"];

/** The sign, the word and the colour of each state; never the colour alone. */
export const STATES: Readonly<Record<State, { mark: string; word: string; tone: string }>> = {
  queued: { mark: "◌", word: "queued", tone: "" },
  waiting: { mark: "◌", word: "waits", tone: "waits" },
  running: { mark: "▸", word: "works", tone: "good" },
  proving: { mark: "▸", word: "is checked", tone: "good" },
  merging: { mark: "▸", word: "is merged", tone: "good" },
  done: { mark: "✓", word: "done", tone: "good" },
  failed: { mark: "✗", word: "failed", tone: "bad" },
  skipped: { mark: "–", word: "left out", tone: "" },
  cancelled: { mark: "✗", word: "cancelled", tone: "" },
};
