import type { AgentFolders } from "../agent.ts";
import { readBytes, unusable } from "./config-file.ts";
import type { FileChange, Finding, Installer, InstallPlan, Level } from "./installer.ts";
import { NoPlace } from "./merge.ts";

/** The name under which agents know Seam's MCP server. */
export const SERVER = "seam";

/** The program that agents run as Seam's MCP server; it is named in every entry of Seam's. */
const PROGRAM = "agentseam-mcp";

/** In a file of the user's own the program is named by its path; others have no such path. */
export function serverCommand(client: string | undefined): readonly string[] {
  if (client !== undefined) return [client];
  return ["sh", "-c", `exec "\${SEAM_HOME:-$HOME/.seam}/bin/${PROGRAM}"`];
}

export function isSeamsServer(entry: unknown): boolean {
  return (JSON.stringify(entry) ?? "").includes(PROGRAM);
}

/** How servers are written down in a file. Everything else in it stays as it is. */
export interface ServerFormat {
  /** The text with Seam's server. Throws NoPlace if it cannot be put there. */
  put(text: string, server: unknown): string;
  /** Undefined: nothing is left. `before`: the text as it was without Seam, where that is known. */
  take(text: string, before: Before): string | undefined;
  /** Seam's server as it stands there. */
  find(text: string): unknown;
}

/** What a file was before Seam came: a text, no file at all, or nobody knows. */
export type Before = { readonly text: string | undefined } | undefined;

/** How an agent is told of an MCP server. */
export interface ServerFile {
  file(level: Level, place: AgentFolders): string;
  readonly format: ServerFormat;
  /** What stands there for the server. */
  entry(command: readonly string[]): unknown;
  /** What keeps the agent from starting it. */
  examine?(plan: InstallPlan): readonly Finding[];
}

/** Puts Seam's MCP server into an agent's settings and takes it out again. */
export function serverInstaller({ file, format, entry, examine }: ServerFile): Installer {
  const pathOf = ({ level, place }: Pick<InstallPlan, "level" | "place">) => file(level, place);
  const read = (path: string, now?: ReadonlyMap<string, Buffer | undefined>) =>
    now?.has(path) ? now.get(path) : readBytes(path);
  const textOf = (bytes: Buffer | undefined) => bytes?.toString("utf8").replace(/^\uFEFF/, "");

  const install = (plan: InstallPlan): FileChange[] => {
    const path = pathOf(plan);
    const before = read(path, plan.now);
    const text = textOf(before) ?? "";
    const after = placed(path, () => format.put(text, entry(plan.server)));
    if (after === text && before !== undefined) return [];
    return [{ path, before, after: withMark(before, after) }];
  };

  return {
    levels: ["project", "user"],
    files: (plan) => [pathOf(plan)],
    install,
    uninstall(plan) {
      const path = pathOf(plan);
      const before = (plan.only ?? path) === path ? read(path, plan.now) : undefined;
      if (!before?.includes(PROGRAM)) return [];
      const text = textOf(before) ?? "";
      const known = plan.originals?.has(path)
        ? { text: textOf(plan.originals.get(path)) }
        : undefined;
      const after = placed(path, () => format.take(text, known));
      if (after === text) return [];
      return [{ path, before, after: after === undefined ? undefined : withMark(before, after) }];
    },
    health(plan) {
      try {
        const text = textOf(readBytes(pathOf(plan)));
        if (text === undefined || !isSeamsServer(format.find(text))) return "none";
        return install(plan).length > 0 ? "outdated" : "installed";
      } catch {
        return "damaged";
      }
    },
    examine: async (plan) => examine?.(plan) ?? [],
  };
}

const BOM = "\uFEFF";

/** A byte order mark stays where there was one. */
function withMark(before: Buffer | undefined, text: string): Buffer {
  return Buffer.from(before?.toString("utf8", 0, 3) === BOM ? BOM + text : text);
}

function placed<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    if (thrown instanceof NoPlace) throw unusable(path, thrown.message);
    throw thrown;
  }
}
