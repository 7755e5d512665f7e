import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client, type ClientOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { onTestFinished } from "vitest";
import {
  type DaemonPaths,
  daemonPaths,
  daemonStatus,
  ensureClient,
  stopDaemon,
} from "../../src/daemon/index.ts";
import { builtFile } from "../../src/settings/index.ts";

export type Era = "legacy" | "modern";
export const ERAS: readonly Era[] = ["legacy", "modern"];

/** A user's Seam folder with extensions, and a project; nothing of it is left after the test. */
export interface McpPlace {
  readonly paths: DaemonPaths;
  readonly project: string;
  extension(name: string, text: string): void;
  /** What extensions wrote down with `note`. */
  notes(): string[];
  daemon(): Promise<number>;
  killDaemon(): Promise<void>;
}

/** What every extension of these tests begins with. */
export const HEAD = `import { appendFileSync } from "node:fs";
import { Type } from "typebox";
const note = (text) => appendFileSync(process.env.SEAM_HOME + "/notes", text + "\\n");
const text = (said) => ({ content: [{ type: "text", text: said }] });
const tool = (name, execute, parameters = Type.Object({})) =>
  ({ name, description: "The tool " + name, parameters, execute });
`;

export function mcpPlace(): McpPlace {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-mcp-")));
  const project = join(base, "project");
  const home = join(base, "home");
  mkdirSync(join(project, ".seam"), { recursive: true });
  mkdirSync(join(home, "extensions"), { recursive: true });
  const paths = daemonPaths(home);
  onTestFinished(async () => {
    await stopDaemon(paths).catch(() => {});
    rmSync(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });
  return {
    paths,
    project,
    extension: (name, text) => writeFileSync(join(home, "extensions", `${name}.ts`), HEAD + text),
    notes: () => {
      try {
        return readFileSync(join(home, "notes"), "utf8").split("\n").filter(Boolean);
      } catch {
        return [];
      }
    },
    daemon: async () => (await daemonStatus(paths))?.pid ?? 0,
    killDaemon: async () => {
      const { pid } = (await daemonStatus(paths)) ?? {};
      if (pid !== undefined) process.kill(pid, "SIGKILL");
    },
  };
}

export interface Connected {
  readonly client: Client;
  readonly pid: number;
  /** The text of a tool's result; what the protocol refuses is thrown. */
  call(name: string, args?: Record<string, unknown>): Promise<string>;
  names(): Promise<string[]>;
}

interface ConnectOptions {
  readonly options?: ClientOptions;
  readonly prepare?: (client: Client) => void;
  /** The server as `seam enable --mcp` writes it into an agent's settings, instead of `seam mcp`. */
  readonly asEnabled?: boolean;
}

/** The official client, with the server as an agent starts it. */
export async function connect(
  { paths, project }: Pick<McpPlace, "paths" | "project">,
  era: Era = "modern",
  { options = {}, prepare, asEnabled = false }: ConnectOptions = {},
): Promise<Connected> {
  const versionNegotiation = { mode: era === "modern" ? "auto" : "legacy" } as const;
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation, ...options });
  prepare?.(client);
  if (asEnabled) ensureClient(paths.home);
  const transport = new StdioClientTransport({
    ...(asEnabled
      ? { command: join(paths.bin, "agentseam-mcp") }
      : { command: process.execPath, args: [builtFile("bin/seam.js"), "mcp"] }),
    cwd: project,
    env: { PATH: process.env.PATH ?? "", HOME: paths.home, SEAM_HOME: paths.home },
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return {
    client,
    pid: transport.pid ?? 0,
    call: async (name, args = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: args });
      const said = content.map((block) => (block.type === "text" ? block.text : `[${block.type}]`));
      return `${isError ? "error: " : ""}${said.join("|")}`;
    },
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
  };
}

export async function until(isSo: () => boolean | Promise<boolean>, ms = 60_000): Promise<void> {
  for (const deadline = Date.now() + ms; !(await isSo()); ) {
    if (Date.now() > deadline) throw new Error("It did not happen.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
