import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { type Place, place } from "../cli/seam.ts";
import { killDaemon } from "../record/machine.ts";

/** A user with Seam enabled for Claude Code, and a project that may be hostile. */
export interface Victim extends Place {
  /** Writes files below the user's Seam folder. */
  writeHome(files: Readonly<Record<string, string>>): void;
  /** Runs a hook with the real client; the daemon is started by the first one. */
  hook(name: string, more?: object): Promise<{ code: number | null; stdout: string }>;
  /** A shell command the agent wants to run in a new session: why it was stopped, or "allowed". */
  wantsToRun(command: string): Promise<string>;
  /** The same user in another folder. */
  at(folder: string): Victim;
}

export async function victim(
  project: Readonly<Record<string, string>> = {},
  home: Readonly<Record<string, string>> = {},
): Promise<Victim> {
  const made = place(project);
  onTestFinished(() => killDaemon(made.home));
  const writeHome: Victim["writeHome"] = (files) => {
    for (const [name, text] of Object.entries(files)) {
      const path = join(made.home, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
  };
  writeHome(home);
  await made.seam("enable", "--level", "user", "--agent", "claude-code");
  return inFolder({ ...made, writeHome }, made.project);
}

let session = 0;

function inFolder(made: Omit<Victim, "hook" | "wantsToRun" | "at">, project: string): Victim {
  const hook: Victim["hook"] = (name, more = {}) => {
    const child = spawn(join(made.home, "bin/hook"), ["claude-code", name], {
      cwd: project,
      env: { PATH: process.env.PATH, HOME: made.home, SEAM_HOME: made.home },
      stdio: ["pipe", "pipe", "ignore"],
    });
    let stdout = "";
    child.stdout.on("data", (data: Buffer) => {
      stdout += data.toString("utf8");
    });
    const payload = {
      session_id: `attack-${session}`,
      cwd: project,
      hook_event_name: name,
      ...more,
    };
    child.stdin.end(JSON.stringify(payload));
    return new Promise((done) => child.once("close", (code) => done({ code, stdout })));
  };
  return {
    ...made,
    project,
    seam: made.seamIn(project),
    hook,
    at: (folder) => inFolder(made, folder),
    wantsToRun: async (command) => {
      session++;
      await hook("SessionStart", { source: "startup" });
      await hook("UserPromptSubmit", { prompt: "go on" });
      const tool = { tool_name: "Bash", tool_input: { command }, tool_use_id: `t${session}` };
      const { stdout } = await hook("PreToolUse", tool);
      const answer = stdout.trim() === "" ? {} : (JSON.parse(stdout) as Answer);
      const { permissionDecision, permissionDecisionReason } = answer.hookSpecificOutput ?? {};
      return permissionDecision === "deny" ? (permissionDecisionReason ?? "") : "allowed";
    },
  };
}

interface Answer {
  readonly hookSpecificOutput?: {
    readonly permissionDecision?: string;
    readonly permissionDecisionReason?: string;
  };
}

/** An extension that leaves a trace when it runs. */
export function tracer(path: string): string {
  return `import { writeFileSync } from "node:fs";
writeFileSync(${JSON.stringify(path)}, "it ran");
export default () => {};`;
}

/** A critical gate that lets no command pass with this word in it. */
export function gate(word = "forbidden"): string {
  return `export const critical = true;
export default (pi) => {
  pi.on("tool_call", ({ input }) => {
    if (String(input.command).includes("${word}")) return { block: true, reason: "the gate says no" };
  });
};`;
}
