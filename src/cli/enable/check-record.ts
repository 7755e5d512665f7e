import type { Finding } from "../../agents/index.ts";
import { messageOf } from "../../errors/index.ts";
import { openRepo } from "../../git/index.ts";
import {
  type HookHealth,
  installGitHooks,
  isEnabled,
  recordStatus,
  redactionProblems,
} from "../../record/index.ts";

const SAID: Readonly<Record<Exclude<HookHealth, "ok">, string>> = {
  missing: "is gone",
  replaced: "was replaced by another program",
  outdated: "is of another version of Seam",
};

export interface RecordCheck {
  readonly findings: readonly Finding[];
  readonly fix?: () => Promise<void>;
}

/** Whether commits here are linked to sessions; undefined where nothing is recorded. */
export async function checkRecord(): Promise<RecordCheck | undefined> {
  const repo = await openRepo(process.cwd()).catch(() => undefined);
  if (!repo || !isEnabled(repo)) return undefined;
  const findings: Finding[] = [];
  try {
    const { hooks, brokenRewind } = await recordStatus(repo);
    for (const [name, health] of Object.entries(hooks)) {
      if (health === "ok") continue;
      findings.push({
        level: "error",
        code: "git-hook",
        text: `The git hook ${name} ${SAID[health]}: commits are not linked to sessions.`,
        next: "Run: seam doctor --fix",
        fix: [],
      });
    }
    if (brokenRewind) {
      findings.push({
        level: "warning",
        code: "rewind-broken-off",
        text: "A rewind was broken off.",
        next: "Run: seam rewind --undo",
      });
    }
    for (const { code, message, next } of redactionProblems()) {
      findings.push({ level: "warning", code, text: message, next });
    }
  } catch (error) {
    findings.push({ level: "error", code: "record-unreadable", text: messageOf(error) });
  }
  if (!findings.some((finding) => finding.fix)) return { findings };
  return { findings, fix: async () => void (await installGitHooks(repo)) };
}
