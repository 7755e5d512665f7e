import { isCancel, select } from "@clack/prompts";
import type { ResumableSession } from "../../record/index.ts";
import { printJson, printLine, table } from "../print.ts";
import { plainText, when } from "./format.ts";

/** Undefined: the user thought better of it. */
export async function chooseSession(
  sessions: readonly ResumableSession[],
): Promise<ResumableSession | undefined> {
  const options = sessions.map(({ session_id, type, at }, index) => ({
    value: index,
    label: `${when(at)}  ${plainText(type)}`,
    hint: plainText(session_id),
  }));
  const answer = await select({ message: "Which session?", options });
  return isCancel(answer) ? undefined : sessions[answer];
}

/** For who cannot be asked. */
export function listSessions(sessions: readonly ResumableSession[], json: boolean): void {
  if (json) {
    const shown = sessions.map(({ stored, ...one }) => ({
      ...one,
      checkpoint: stored?.checkpoint.id,
    }));
    printJson({ sessions: shown });
    return;
  }
  printLine(`There are ${sessions.length} sessions. Choose one: seam resume <session>`);
  const rows = sessions.map(({ session_id, type, at }) => [
    `  ${plainText(session_id)}`,
    plainText(type),
    when(at),
  ]);
  for (const line of table(rows)) printLine(line);
}
