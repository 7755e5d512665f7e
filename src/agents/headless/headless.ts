import type { AgentFolders } from "../agent.ts";
import type { Trouble } from "./trouble.ts";

/** One task for an agent that works without anybody at its keyboard. */
export interface HeadlessTask {
  readonly prompt: string;
  /** What it is told about its part, beside what its own makers tell it. */
  readonly instructions: string;
  readonly model?: string;
  /** The id for a new session, where an agent takes one; a UUID. */
  readonly session?: string;
  /** The session to go on with. */
  readonly resume?: string;
  /** `read`: beside Seam's gate, the agent's own sandbox is asked to prevent writing. */
  readonly access: "read" | "write";
  /** JSON schema of the last answer. */
  readonly schema?: object;
  readonly dollars?: number;
  readonly cwd: string;
  /** Where the agent looks for the user's own settings. */
  readonly place: AgentFolders;
  /** The folder of the attempt: files that only this process is given go here. */
  readonly folder: string;
  /** Where Seam's hooks have to be given to the process, because nothing of its configuration has them. */
  readonly hooks?: HookGift;
  /** The command of Seam's MCP server, word by word; absent: it has the server already. */
  readonly server?: readonly string[];
}

/** What an agent needs to call Seam from this one process. */
export interface HookGift {
  /** The command for a hook, by the hook's native name. */
  command(hook: string): string;
}

/** How a task is given to a program. */
export interface HeadlessCommand {
  readonly args: readonly string[];
  /** What it reads from stdin; empty: nothing. Stdin is never a terminal. */
  readonly stdin: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Files to be written before it starts, by name in the attempt's folder. */
  readonly files?: Readonly<Record<string, string>>;
  /** Links to be made beside them: what of the user's the process shares. */
  readonly links?: Readonly<Record<string, string>>;
}

/** What one line of an agent's output tells. */
export type News =
  | { readonly kind: "session"; readonly id: string }
  /** What the model said; the last of it is the answer where nothing else says so. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "call"; readonly tool: string }
  /** A call came back with a result, so every gate before it has let it pass. */
  | { readonly kind: "called" }
  /** Tokens of one model call. A call with the same id is told again with more. */
  | {
      readonly kind: "use";
      readonly id?: string;
      readonly tokens: number;
      readonly dollars?: number;
    }
  /** What the whole process used, which counts instead of what was added up. */
  | {
      readonly kind: "total";
      readonly tokens?: number;
      readonly dollars?: number;
      readonly calls?: number;
    }
  | { readonly kind: "done"; readonly text?: string; readonly result?: unknown }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "limited"; readonly reason: string; readonly until?: string };

/** How an agent is driven without a terminal. All of it is data and pure functions. */
export interface Headless {
  /** A new session gets the id it is given; else the id is read from the first line that has it. */
  readonly takesSessionId: boolean;
  /** It holds its last answer to a schema itself. */
  readonly takesSchema: boolean;
  /** With `read` it runs shell commands in a sandbox of its own in which nothing can be written. */
  readonly confinesReaders?: true;
  /** `resume` needs the folder the session was in. */
  readonly resumesOnlyInFolder?: true;
  /**
   * What a user agrees to once, before Seam starts it like this: how it is given Seam's hooks, and
   * which question of the agent's own is answered by a flag. Absent where there is nothing to ask.
   */
  readonly consent?: string;
  /**
   * Files and folders of a project from which it runs programs (hooks, MCP servers, extensions)
   * without asking, once it is started in there like this. Each was seen to do so.
   */
  readonly projectPrograms?: readonly string[];
  start(task: HeadlessTask): HeadlessCommand;
  read(line: Readonly<Record<string, unknown>>): readonly News[];
  /**
   * Words of the agent that mean that the service failed and not its work. They are looked for only
   * after a failure.
   */
  readonly troubles: readonly Trouble[];
}
