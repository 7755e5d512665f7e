import type { HookRow, Reading } from "../../agents/index.ts";
import type { SeamEvent } from "../../events/index.ts";
import { PROTECTION, type Protection } from "../../protection/index.ts";
import type { Session } from "../sessions/session.ts";

interface Asked {
  readonly session: Session;
  readonly row: HookRow;
  readonly reading: Reading;
}

/** What Seam itself has against a tool call, whatever extensions say. */
export function objection(
  protection: Protection,
  { session, row, reading }: Asked,
  events: readonly SeamEvent[],
): { reason: string; by: string } | undefined {
  const isCall = events.some(({ type }) => type === "tool_call");
  if (!isCall || !row.powers.includes("block") || session.protect === "allow") return undefined;
  const reason = protection.against(reading.tools ?? [], reading.cwd ?? session.cwd);
  return reason === undefined ? undefined : { reason, by: PROTECTION };
}
