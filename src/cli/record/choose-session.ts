import { isCancel, select } from "@clack/prompts";
import type { ResumableSession } from "../../record/index.ts";
import { lineWidth, printJson, printLine } from "../print.ts";
import { oneLine, plainText, when } from "./format.ts";

/** Undefined: the user thought better of it. */
export async function chooseSession(
  sessions: readonly ResumableSession[],
): Promise<ResumableSession | undefined> {
  const options = sessions.map(({ session_id, type, at, prompt = "" }, index) => ({
    value: index,
    label: `${when(at)}  ${plainText(type)}  ${oneLine(prompt, lineWidth() - 44)}`,
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
  for (const { session_id, type, at, prompt } of sessions) {
    printLine(`  ${plainText(session_id)}  ${plainText(type)}  ${when(at)}`);
    if (prompt !== undefined) printLine(`    ${oneLine(prompt)}`);
  }
}
