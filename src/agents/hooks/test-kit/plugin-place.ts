import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "../fields.ts";
import type { PluginLimits } from "../plugin-link.ts";

/** Short enough for a test to wait for. */
export const QUICK: PluginLimits = {
  gateMs: 300,
  tellMs: 300,
  silenceMs: 60_000,
  startMs: 2_000,
  pauseMs: 60_000,
  lingerMs: 300,
};

export interface Sent {
  readonly agent: string;
  readonly hook: string;
  readonly id: string;
  readonly token: string;
  readonly payload: Json;
}

type Reply = (sent: Sent, response: ServerResponse) => void;

/** A home for Seam in which a test plays the daemon. */
export class PluginPlace {
  readonly home = mkdtempSync(join(tmpdir(), "seam-plugin-"));
  readonly sent: Sent[] = [];
  readonly #before = process.env.SEAM_HOME;
  #server: Server | undefined;
  #files = 0;

  constructor() {
    process.env.SEAM_HOME = this.home;
  }

  /** A daemon that answers every hook with what `answer` says: an object, or a text as it is. */
  async daemon(answer: (sent: Sent) => unknown = () => ""): Promise<void> {
    await this.daemonThat((sent, response) => {
      const said = answer(sent);
      response.end(typeof said === "string" ? said : JSON.stringify(said));
    });
  }

  async daemonThat(reply: Reply): Promise<void> {
    this.write("run/token", "secret\n");
    this.#server = createServer((request, response) => {
      void this.#take(request, response, reply);
    });
    const path = join(this.home, "run/daemon.sock");
    await new Promise<void>((ready) => this.#server?.listen(path, ready));
  }

  async #take(request: IncomingMessage, response: ServerResponse, reply: Reply): Promise<void> {
    if (request.method !== "POST") return void response.end();
    const { pathname, searchParams } = new URL(request.url ?? "", "http://seam");
    let body = "";
    for await (const part of request) body += part;
    const sent = {
      agent: searchParams.get("agent") ?? "",
      hook: searchParams.get("hook") ?? "",
      id: searchParams.get("id") ?? "",
      token: `${pathname} ${request.headers["x-seam-token"]}`,
      payload: JSON.parse(body) as Json,
    };
    this.sent.push(sent);
    reply(sent, response);
  }

  /** The daemon is gone, with everyone it was talking to. */
  async kill(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((closed) => this.#server?.close(closed) ?? closed(undefined));
    this.#server = undefined;
  }

  write(path: string, text: string, mode?: number): void {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    if (mode !== undefined) chmodSync(file, mode);
  }

  read(path: string): string | undefined {
    const file = join(this.home, path);
    return existsSync(file) ? readFileSync(file, "utf8") : undefined;
  }

  /** A client that writes down how it was called and what it was given, and then does this. */
  client(then = ""): void {
    const script = `#!/bin/sh
echo "$@" >> "$SEAM_HOME/calls"
[ "$1" = --start ] && exit 0
cat >> "$SEAM_HOME/left"
${then}
`;
    this.write("bin/hook", script, 0o755);
  }

  /** How often the client was called with these words. */
  calls(words: string): number {
    const lines = this.read("calls")?.split("\n") ?? [];
    return lines.filter((line) => line === words).length;
  }

  /** Loads a plugin as the agent would: from a file of its own. */
  async load(text: string): Promise<Record<string, unknown>> {
    const path = `plugin-${++this.#files}.mjs`;
    this.write(path, text);
    return import(pathToFileURL(join(this.home, path)).href);
  }

  async close(): Promise<void> {
    await this.kill();
    if (this.#before === undefined) delete process.env.SEAM_HOME;
    else process.env.SEAM_HOME = this.#before;
    rmSync(this.home, { recursive: true, force: true });
  }
}
