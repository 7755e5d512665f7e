import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

const VERSIONS = "/usr/lib/postgresql";

/** A server of Postgres that one test has to itself. It refuses root, so root becomes its user. */
export class PostgresServer {
  readonly #folder: string;
  readonly #port: number;
  #process: ChildProcess | undefined;
  #databases = 0;

  private constructor(folder: string, port: number) {
    this.#folder = folder;
    this.#port = port;
  }

  static async start(): Promise<PostgresServer> {
    const folder = mkdtempSync(join(tmpdir(), "postgres-"));
    const { uid, gid } = user();
    chmodSync(folder, 0o700);
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const data = join(folder, "data");
    const args = ["--pgdata", data, "--auth=trust", "--username=seam", "--no-sync"];
    execFileSync(program("initdb"), args, { stdio: "ignore", ...user() });
    const server = new PostgresServer(folder, await freePort());
    await server.up();
    return server;
  }

  async up(): Promise<void> {
    const options = {
      port: this.#port,
      listen_addresses: "127.0.0.1",
      unix_socket_directories: this.#folder,
    };
    const settings = Object.entries(options).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
    this.#process = spawn(program("postgres"), ["-D", join(this.#folder, "data"), ...settings], {
      stdio: "ignore",
      ...user(),
    });
    for (;;) {
      const sql = postgres(this.#url("postgres"), {
        max: 1,
        connect_timeout: 2,
        onnotice: () => {},
      });
      try {
        await sql`SELECT 1`;
        return;
      } catch {
        await sleep(50);
      } finally {
        await sql.end({ timeout: 1 });
      }
    }
  }

  /** As if the machine it is on was gone. */
  async down(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running) return;
    const gone = once(running, "exit");
    running.kill("SIGQUIT");
    await gone;
  }

  /** The address of an empty database. */
  async database(): Promise<string> {
    const name = `seam${++this.#databases}`;
    const sql = postgres(this.#url("postgres"), { max: 1, onnotice: () => {} });
    await sql.unsafe(`CREATE DATABASE ${name}`);
    await sql.end();
    return this.#url(name);
  }

  async remove(): Promise<void> {
    await this.down();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #url(database: string): string {
    return `postgres://seam@127.0.0.1:${this.#port}/${database}`;
  }
}

function program(name: string): string {
  const version =
    readdirSync(VERSIONS)
      .sort((a, b) => Number(a) - Number(b))
      .at(-1) ?? "";
  return join(VERSIONS, version, "bin", name);
}

function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}
