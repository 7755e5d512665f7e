import type { AgentFolders } from "../agent.ts";

/** Where Seam is enabled: for one project, or for all of a user. */
export type Level = "project" | "user";

/** Where and how Seam's hooks are to be put in place. */
export interface InstallPlan {
  readonly level: Level;
  readonly place: AgentFolders;
  /** Into the file that is committed, where an agent has one beside the user's own. */
  readonly shared?: boolean;
  /** The command an agent runs for a hook, by its native name, in a file that only this user has or not. */
  readonly command: (hook: string, isPrivate?: boolean) => string;
  /** The command an agent runs as Seam's MCP server, word by word. */
  readonly server: readonly string[];
  /** What is in a file by now, where that is not what is on disk. */
  readonly now?: ReadonlyMap<string, Buffer | undefined>;
}

/** A file an agent reads that has to change, and how. */
export interface FileChange {
  readonly path: string;
  /** Undefined: the file is not there. */
  readonly before: Buffer | undefined;
  /** Undefined: the file goes away. */
  readonly after: Buffer | undefined;
  readonly mode?: number;
}

/** Whether Seam's hooks are in an agent's files. */
export type Health = "none" | "installed" | "outdated" | "damaged";

/** Something to know about an agent's set-up. */
export interface Finding {
  readonly level: "error" | "warning" | "info";
  readonly code: string;
  readonly text: string;
  /** What to do. */
  readonly next?: string;
  /** Because of it hooks that are in place do not run: none of them, or not everywhere. */
  readonly stops?: { readonly all: boolean; readonly why: string };
  /** Seam can put this right without asking the user. */
  readonly fix?: readonly FileChange[];
}

/** What is known about how things were before Seam came. */
export interface UninstallPlan extends Pick<InstallPlan, "level" | "place" | "now"> {
  /** By path; undefined: there was no file. Paths that are missing here are not known. */
  readonly originals?: ReadonlyMap<string, Buffer | undefined>;
  /** Just this one of the files. */
  readonly only?: string;
}

/** Puts Seam into an agent's configuration and takes it out again. Plans; others write. */
export interface Installer {
  readonly levels: readonly Level[];
  /** All files that may hold Seam's entries; the first is written by default, the last if shared. */
  files(plan: Pick<InstallPlan, "level" | "place">): readonly string[];
  /** Files that hold none of them and can still keep them from running. */
  switches?(plan: Pick<InstallPlan, "level" | "place">): readonly string[];
  /** A command of the agent's program that does so, with its words one space apart. */
  readonly offCommand?: RegExp;
  /** Files that would change. Throws a SeamError if a file cannot be understood. */
  install(plan: InstallPlan): readonly FileChange[];
  /** Takes out what is Seam's, whatever it looks like by now. */
  uninstall(plan: UninstallPlan): readonly FileChange[];
  health(plan: InstallPlan): Health;
  /** What is wrong with this agent's set-up, beyond health. */
  examine(plan: InstallPlan): Promise<readonly Finding[]>;
}
