import type { SessionState, Turn } from "../../record/index.ts";
import { paint } from "../print.ts";
import { agentType, modelName, plain, when } from "./format.ts";
import { flow } from "./lines.ts";
import {
  endingOf,
  forkParts,
  guestParts,
  section,
  tokenLines,
  turnBody,
  type Wish,
  whereParts,
} from "./show-turn.ts";

/** What of a session is in no checkpoint: its turns, and what its state adds to them. */
export interface UncommittedSession {
  readonly session_id: string;
  /** Absent once it was cleaned up. */
  readonly state?: SessionState;
  /** The oldest first. */
  readonly turns: readonly Turn[];
}

export function sessionLines(
  { session_id, state: live, turns }: UncommittedSession,
  wish: Wish,
): string[] {
  const state = plain(live);
  const [first] = turns;
  const last = turns.at(-1);
  const agent = state?.agent ?? first?.agent ?? "";
  const where = { ...last, ...(state?.branch !== undefined && { branch: state.branch }) };
  const lines = [
    ...flow(
      [
        paint("bold", agentType(agent)),
        modelName(state?.model ?? last?.story?.model ?? ""),
        paint("dim", when(state?.started_at ?? first?.at ?? "")),
        state?.phase ?? "",
      ],
      "  ",
      "  ",
    ),
    ...flow(
      [
        `  session ${plain(session_id)}`,
        ...forkParts(live ?? last?.story),
        ...whereParts(where),
        ...guestParts(live ?? last?.story),
      ],
      "  ",
      "  ",
    ),
  ];
  for (const turn of turns) {
    const title = [`turn ${paint("cyan", turn.id)}`, paint("dim", when(turn.at))];
    lines.push("", ...flow([...title, endingOf(turn)], "  ", "  "));
    lines.push(...turnBody(turn, wish, live));
  }
  if (state) {
    const { pending, token_usage, phase, turn_files = [] } = state;
    const open = phase === "active" ? turn_files : [];
    const files = [...new Set([...Object.keys(pending.files), ...open])];
    lines.push("", "Altogether", ...section("Files not committed", files));
    if (phase !== "active" || token_usage.api_call_count > 0) {
      lines.push(...section("Tokens", tokenLines(token_usage, state)));
    }
  }
  return [...lines, ""];
}
