import type { Readable, Writable } from "node:stream";
import { type DaemonPaths, launchDaemon, openConversation } from "../../daemon/index.ts";
import { messageOf } from "../../errors/index.ts";
import { MCP_PATH } from "../protocol.ts";
import type { HandedOver } from "./handed-over.ts";
import { PipeState } from "./pipe-state.ts";

interface PipeOptions {
  readonly paths: DaemonPaths;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly cwd: string;
  /** What the compiled client left to this one. */
  readonly handed?: HandedOver;
}

/** How often it is tried to reach the daemon before those who wait are told that there is none. */
const MOST_TRIES = 3;

/**
 * Passes on what an MCP client and the daemon say to each other, until the client ends. If the daemon
 * ends, the next one is started and told what it has to know: the client does not notice.
 */
export async function runPipe({ paths, stdin, stdout, cwd, handed }: PipeOptions): Promise<void> {
  const query = new URLSearchParams({ pid: String(process.pid), cwd });
  const state = new PipeState((line) => void stdout.write(`${line}\n`));
  if (handed?.initialize) state.restore(handed.initialize, handed.initialized);
  let write: ((line: string) => void) | undefined;
  let isConnecting = false;
  let hangUp = () => {};
  let isOver = false;

  const open = async () => {
    const path = `${MCP_PATH}?${query}`;
    try {
      return await openConversation(paths, path);
    } catch {
      await launchDaemon(paths);
      return openConversation(paths, path);
    }
  };

  const connectOnce = async () => {
    const { say, hear } = await open();
    hangUp = () => say.destroy();
    if (isOver) return hangUp();
    write = (line) => void say.write(`${line}\n`);
    for (const line of state.begin()) write(line);
    void (async () => {
      try {
        for await (const line of linesOf(hear)) state.heard(line);
      } catch {
        // It was killed.
      }
      write = undefined;
      say.destroy();
      if (!isOver && state.lost()) void connect();
    })();
  };

  const connect = async () => {
    if (isConnecting) return;
    isConnecting = true;
    for (let left = MOST_TRIES; left > 0; left--) {
      try {
        await connectOnce();
        break;
      } catch (error) {
        if (left === 1) state.giveUp(messageOf(error));
      }
    }
    isConnecting = false;
  };

  stdout.on("error", () => stdin.destroy());
  try {
    for await (const line of linesOf(after(handed?.rest, stdin))) {
      if (line.trim() === "") continue;
      const sent = state.said(line);
      if (sent === undefined) continue;
      if (write) write(sent);
      else void connect();
    }
  } catch {
    // The client is gone.
  }
  isOver = true;
  hangUp();
}

async function* after(first: Buffer | undefined, rest: AsyncIterable<Buffer>) {
  if (first) yield first;
  yield* rest;
}

const NEWLINE = 0x0a;

/** The lines of a stream. Bytes are put together once for each line, however many pieces it has. */
async function* linesOf(stream: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let pieces: Buffer[] = [];
  for await (const part of stream) {
    let from = 0;
    for (let end = part.indexOf(NEWLINE); end >= 0; end = part.indexOf(NEWLINE, from)) {
      pieces.push(part.subarray(from, end));
      yield Buffer.concat(pieces).toString("utf8").replace(/\r$/, "");
      pieces = [];
      from = end + 1;
    }
    if (from < part.length) pieces.push(part.subarray(from));
  }
}
