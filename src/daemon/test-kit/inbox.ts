import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Inbox, type WantedQuestion } from "../inbox/inbox.ts";
import type { InboxEvent } from "../inbox/question.ts";
import { QuestionStore } from "../inbox/question-store.ts";
import { Rules } from "../inbox/rules.ts";
import { Log } from "../log.ts";

/** An inbox in a folder of its own, or in that of another one which was killed. */
export function testInbox(
  folder = mkdtempSync(join(tmpdir(), "inbox-")),
  graceMs = 20,
  leftMs?: number,
) {
  const attended: boolean[] = [];
  const heard: InboxEvent[] = [];
  const rules = new Rules(folder);
  const inbox = new Inbox({
    store: new QuestionStore(join(folder, "inbox")),
    rules,
    log: new Log(join(folder, "log")),
    alwaysAttended: () => false,
    onAttended: (isAttended) => attended.push(isAttended),
    graceMs,
    ...(leftMs !== undefined && { leftMs }),
  });
  onTestFinished(() => inbox.close());
  const attach = (name = "a page") => inbox.attach({ name, hear: (event) => heard.push(event) });
  return { inbox, rules, folder, attended, heard, attach };
}

/** A question whether a command may run. */
export function mayRun(command: string, more: Partial<WantedQuestion> = {}): WantedQuestion {
  return {
    agent: "claude-code",
    session: "s1",
    cwd: "/project",
    method: "confirm",
    title: "Run bash?",
    message: "It deletes folders.",
    choices: ["yes", "no"],
    by: "gate",
    call: { tool: "bash", input: { command } },
    otherwise: "The call is stopped.",
    key: `hook/${command}`,
    ...more,
  };
}
