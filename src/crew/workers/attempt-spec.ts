import type { AgentFolders, AgentName } from "../../agents/index.ts";
import type { Budget, Role } from "../model/workflow.ts";

/** Everything that is needed to start an attempt, and to judge it while it works. */
export interface AttemptSpec extends Pick<Role, "access" | "allowCommands" | "mayPush"> {
  /** One word, unique on this machine: <run>.<task>.<number>. Its processes carry it as SEAM_CREW_ATTEMPT. */
  readonly id: string;
  readonly agent: AgentName;
  readonly model?: string;
  readonly prompt: string;
  readonly instructions: string;
  /** The workspace. */
  readonly cwd: string;
  /** What the process gets beside the daemon's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** JSON schema of the result. */
  readonly schema?: object;
  /** Globs of the files it may change; absent: all of the workspace. */
  readonly files?: readonly string[];
  /** The id that a new session is to have, a UUID; kept by agents that take one. */
  readonly session?: string;
  /** The session to go on with. */
  readonly resume?: string;
  readonly budget: Budget;
  /** Minutes without any event after which it counts as stalled. */
  readonly stallMinutes: number;
  /** Folders of the crew that it must not write to; absent: those beside its workspace. */
  readonly offLimits?: readonly string[];
  /** The folder of the attempt: prompt, output, exit code. */
  readonly folder: string;
  /** Seam's home, in which the hook client is. */
  readonly home: string;
}

/** Where the agent of an attempt looks for its own files. */
export function placeOf({ cwd, env }: AttemptSpec): AgentFolders {
  const all = { ...process.env, ...env };
  return { project: cwd, home: all.HOME ?? "", env: all };
}
