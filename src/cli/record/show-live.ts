import type { SessionState } from "../../record/index.ts";
import { paint } from "../print.ts";
import { agentType, oneLine, plain, tokensLine, when } from "./format.ts";
import { indented } from "./lines.ts";

/** A session of which nothing was committed yet. */
export function liveLines(live: SessionState): string[] {
  const state = plain(live);
  const { agent, model = "", phase, pending, session_id, started_at, branch } = state;
  const lines = [
    `${paint("bold", agentType(agent))}  ${model}  ${paint("dim", when(started_at))}  ${phase}`,
    `  session ${session_id}${branch === undefined ? "" : `  on ${branch}`}`,
    "  nothing of it is in a checkpoint yet",
  ];
  const section = (title: string, content: readonly string[]) => {
    if (content.length > 0) lines.push("", `  ${title}`, ...indented(content, "    "));
  };
  section(
    "Prompts",
    pending.turns.flatMap(({ prompt }) => (prompt === undefined ? [] : [oneLine(prompt, 200)])),
  );
  section(
    "Stopped",
    pending.blocked_calls.map(({ tool, reason, by }) => {
      const who = by === undefined ? "" : ` (by ${by})`;
      return `${paint("red", "✗")} ${oneLine(tool)}: ${oneLine(reason, 200)}${who}`;
    }),
  );
  section(
    "Skills",
    pending.skill_events.map(({ skill }) => skill.name),
  );
  section("Files not committed", Object.keys(pending.files));
  section("Tokens", [tokensLine(state.token_usage)]);
  return lines;
}
