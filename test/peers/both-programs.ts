/** The real Pi and `seam pi` as programs, in folders alike, with the same model on this machine. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PI_ROOT } from "./pi.ts";

export type Program = "Pi" | "Seam";
export const PROGRAMS: readonly Program[] = ["Pi", "Seam"];

const SEAM = join(import.meta.dirname, "../../dist/bin/seam.js");
const COMMANDS: Readonly<Record<Program, readonly string[]>> = {
  Pi: [`${PI_ROOT}/dist/cli.js`],
  Seam: [SEAM, "pi"],
};

/** What the model was asked, in the order in which it was. */
export interface Asked {
  readonly body: { readonly messages?: readonly unknown[]; readonly tools?: readonly unknown[] };
}

/** A model that answers each prompt with "Answer n". */
export async function model() {
  const asked: Asked[] = [];
  const server = createServer((request, answer) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    request.on("end", () => {
      asked.push({ body: JSON.parse(text || "{}") as Asked["body"] });
      const chunk = (delta: object, finish_reason: string | null) => ({
        id: "c",
        object: "chat.completion.chunk",
        model: "m",
        choices: [{ index: 0, delta, finish_reason }],
      });
      answer.setHeader("content-type", "text/event-stream");
      const said = { role: "assistant", content: `Answer ${asked.length}` };
      for (const one of [chunk(said, null), chunk({}, "stop")]) {
        answer.write(`data: ${JSON.stringify(one)}\n\n`);
      }
      answer.end("data: [DONE]\n\n");
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return { url, asked, close: () => server.close() };
}

export interface Folder {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  remove(): void;
}

/** A project and a home whose list of models has the one on this machine. */
export function folder(url: string): Folder {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "seam-both-")));
  const [cwd, home, agent] = ["project", "home", "agent"].map((name) => join(base, name));
  for (const dir of [cwd, home, agent]) mkdirSync(dir ?? base);
  const models = ["m", "n"].map((id) => ({
    id,
    name: id.toUpperCase(),
    reasoning: true,
    input: ["text"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: 100_000,
    maxTokens: 1_000,
  }));
  const provider = { baseUrl: url, api: "openai-completions", apiKey: "k", models };
  for (const dir of [home, agent]) {
    writeFileSync(
      join(dir ?? base, "models.json"),
      JSON.stringify({ providers: { probe: provider } }),
    );
  }
  const { PATH, LANG } = process.env;
  return {
    cwd: cwd ?? base,
    env: {
      PATH,
      LANG,
      HOME: home,
      SEAM_HOME: home,
      PI_CODING_AGENT_DIR: agent,
      PI_OFFLINE: "1",
      NO_COLOR: "1",
    },
    remove: () => rmSync(base, { recursive: true, force: true }),
  };
}

export function start(
  program: Program,
  args: readonly string[],
  { cwd, env }: Folder,
): ChildProcess {
  const command = [...COMMANDS[program], ...args];
  return spawn(process.execPath, command, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of them to its end, with this on its standard input. */
export function run(
  program: Program,
  args: readonly string[],
  where: Folder,
  input?: string,
): Promise<Ended> {
  const child = start(program, args, where);
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  }
  child.stdin?.end(input ?? "");
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, ...said }));
  });
}
