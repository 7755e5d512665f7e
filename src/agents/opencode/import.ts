import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SeamError } from "../../errors/index.ts";
import type { AgentFolders } from "../agent.ts";
import type { AgentSession } from "../sessions/session-store.ts";
import { countMessages, withDatabase } from "./database.ts";
import { readExport } from "./export.ts";

/** OpenCode takes its time to start. */
const PATIENCE_MS = 120_000;

/**
 * Gives a session back through OpenCode's own `import`: it adds messages that are missing and
 * leaves those alone that are there, so nothing can be lost. Writing to its database ourselves
 * would mean to know what every version keeps in it. Returns whether something was added.
 */
export async function importSession(
  place: AgentFolders,
  database: string,
  session: AgentSession,
): Promise<boolean> {
  const { sessionId, content } = session;
  const fail = (detail: string) => new SeamError("SEAM_SESSION_WRITE", { path: sessionId, detail });
  const exported = readExport(content);
  if (exported?.info.id !== sessionId) throw fail("it is not a session as opencode exports it");
  const wanted = exported.messages.length;
  if ((await countIn(database, sessionId)) >= wanted) return false;
  const folder = await mkdtemp(join(tmpdir(), "seam-import-"));
  try {
    const path = join(folder, `${sessionId}.json`);
    await writeFile(path, content, { mode: 0o600 });
    const problem = await run(place, ["import", path]);
    // It says nothing by its exit code: what counts is what is there now.
    if ((await countIn(database, sessionId)) < wanted) {
      throw fail(problem ?? "opencode import did not take it");
    }
    return true;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** -1 if there is no such session, or no database. */
async function countIn(database: string, sessionId: string): Promise<number> {
  try {
    return await withDatabase(database, (query) => countMessages(query, sessionId) || -1);
  } catch {
    return -1;
  }
}

/** What went wrong, if anything. */
function run({ project, home, env }: AgentFolders, args: string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn("opencode", args, {
      cwd: project,
      env: { ...env, HOME: home },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: PATIENCE_MS,
    });
    let said = "";
    const hear = (data: Buffer) => {
      said = `${said}${data.toString("utf8")}`.slice(-1000);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.once("error", (error) => resolve(`opencode cannot be started: ${error.message}`));
    child.once("close", (code) =>
      resolve(code === 0 ? said.trim() || undefined : `it ended with ${code}: ${said.trim()}`),
    );
  });
}
