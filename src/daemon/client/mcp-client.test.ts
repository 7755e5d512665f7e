import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { inFull } from "../../../test/setup/sample.ts";
import { testPlace, until } from "../test-kit/setup.ts";
import { ensureClient } from "./ensure-client.ts";

/** Notes what it was handed and what it reads from then on. */
const COMMAND = `
const fs = require("node:fs");
const number = process.env.SEAM_MCP_HANDED;
fs.writeFileSync(process.argv[2], number === undefined ? "" : fs.readFileSync(Number(number)));
process.stdout.write('{"command":"is there"}\\n');
process.stdin.on("data", (part) => fs.appendFileSync(process.argv[2], part));
`;

const HELLO = '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"id":7}}}';
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
const LIST = '{"jsonrpc":"2.0","id":"a","method":"tools/list"}';
const CALL = '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"x"}}';

interface Conversation {
  /** The client's lines, as the daemon heard them. */
  readonly told: string[];
  readonly heads: string[];
  readonly printed: () => string[];
  /** What the command was handed, and read itself; undefined before it runs. */
  readonly handed: () => string | undefined;
  readonly say: (text: string) => void;
  readonly daemonSays: (...lines: string[]) => void;
  readonly daemonDies: () => void;
  readonly child: ChildProcess;
}

/** The compiled client as an MCP server, with a daemon that says what a test lets it say. */
async function conversation({ head = OK }: { head?: string } = {}): Promise<Conversation> {
  const place = testPlace();
  ensureClient(place.home);
  const run = join(place.home, "run");
  const command = join(place.home, "command.cjs");
  const noted = join(place.home, "noted");
  writeFileSync(command, COMMAND);
  const told: string[] = [];
  const heads: string[] = [];
  let socket: Socket | undefined;
  const server = createServer((one) => {
    socket = one;
    let text = "";
    one.on("error", () => {});
    one.on("data", (part) => {
      text += part;
      const [first = "", ...rest] = text.split("\r\n\r\n");
      if (heads.length === 0 && rest.length > 0) {
        heads.push(first);
        text = rest.join("\r\n\r\n");
        one.write(head);
      }
      if (heads.length > 0) text = unpacked(text, told);
    });
  });
  server.listen(join(run, "daemon.sock"));
  await once(server, "listening");
  const child = spawn(
    join(place.home, "bin/hook"),
    ["--mcp", place.home, process.execPath, command, noted],
    { stdio: ["pipe", "pipe", "inherit"], cwd: place.home },
  );
  child.stdin.on("error", () => {});
  onTestFinished(async () => {
    child.kill("SIGKILL");
    socket?.destroy();
    server.close();
  });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  return {
    told,
    heads,
    child,
    printed: () => out.split("\n").filter(Boolean),
    handed: () => (out.includes('"command"') ? readFileSync(noted, "utf8") : undefined),
    say: (text) => void child.stdin.write(text),
    daemonSays: (...lines) => {
      for (const line of lines) {
        // In two pieces, so that neither is a whole line.
        for (const part of [line.slice(0, 5), `${line.slice(5)}\n`]) {
          socket?.write(`${Buffer.byteLength(part).toString(16)}\r\n${part}\r\n`);
        }
      }
    },
    daemonDies: () => {
      socket?.destroy();
      server.close();
    },
  };
}

const OK = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

/** Takes whole pieces off a text; gives back what is left. */
function unpacked(text: string, lines: string[]): string {
  for (let rest = text; ; ) {
    const [, size = ""] = /^([0-9a-f]+)\r\n/.exec(rest) ?? [];
    const from = size.length + 2;
    const bytes = Buffer.from(rest.slice(from));
    const length = Number.parseInt(size, 16);
    if (size === "" || bytes.length < length + 2) return rest;
    lines.push(bytes.toString("utf8", 0, length));
    rest = bytes.toString("utf8", length + 2);
  }
}

const answer = (id: unknown) => JSON.stringify({ result: { id: "no" }, jsonrpc: "2.0", id });

describe("the compiled client as an MCP server", () => {
  it("passes greeting and lists on, and says who asks from where", async () => {
    const { told, heads, printed, say, daemonSays, handed, child } = await conversation();
    say(`${HELLO}\n`);
    await until(() => told.length === 1);
    daemonSays(answer(0));
    await until(() => printed().length === 1);
    say(`${INITIALIZED}\n${LIST}\n`);
    await until(() => told.length === 3);
    daemonSays('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}', answer("a"));
    await until(() => printed().length === 3);
    expect(told).toEqual([`${HELLO}\n`, `${INITIALIZED}\n`, `${LIST}\n`]);
    expect(printed()[2]).toBe(answer("a"));
    expect(heads[0]).toMatch(new RegExp(`^POST /v1/mcp\\?pid=${child.pid}&cwd=/`));
    expect(handed()).toBeUndefined();
  });

  it("hands everything else over, with the greeting for the next daemon", async () => {
    const { told, say, daemonSays, printed, handed } = await conversation();
    say(`${HELLO}\n`);
    await until(() => told.length === 1);
    daemonSays(answer(0));
    await until(() => printed().length === 1);
    say(`${INITIALIZED}\n${CALL}\n{"half":`);
    await until(() => handed() !== undefined);
    say("1}\n");
    await until(() => handed()?.endsWith("1}\n") === true);
    expect(handed()).toBe(`${HELLO}\n${INITIALIZED}\n${CALL}\n{"half":1}\n`);
    expect(told).not.toContain(`${CALL}\n`);
  });

  it("hands over only when everything before has its answer", async () => {
    const { told, say, daemonSays, handed, printed } = await conversation();
    say(`${HELLO}\n${LIST}\n${CALL}\n`);
    await until(() => told.length === 2);
    daemonSays(answer(0));
    await until(() => printed().length === 1);
    expect(handed()).toBeUndefined();
    daemonSays(answer("a"));
    await until(() => handed() !== undefined);
    expect(handed()).toBe(`${HELLO}\n\n${CALL}\n`);
    expect(printed().slice(0, 2)).toEqual([answer(0), answer("a")]);
  });

  inFull(
    "hands over what a daemon does not answer, together with what waits behind it",
    async () => {
      const { told, say, handed, child } = await conversation();
      say(`${HELLO}\n${LIST}\n${CALL}\n`);
      // Nor does it stay behind when the client is gone.
      child.stdin?.end();
      await until(() => told.length === 2);
      await until(() => handed() !== undefined);
      expect(handed()).toBe(`\n\n${HELLO}\n${LIST}\n${CALL}\n`);
    },
  );

  it("lets the command ask again what a daemon that died had not answered", async () => {
    const { told, say, daemonSays, daemonDies, handed, printed } = await conversation();
    const prompts = LIST.replace("tools", "prompts").replace('"a"', "5");
    say(`${HELLO}\n${LIST}\n${prompts}\n`);
    await until(() => told.length === 3);
    daemonSays(answer("a"));
    await until(() => printed().length === 1);
    daemonDies();
    await until(() => handed() !== undefined);
    const [greeting, greeted, ...rest] = handed()?.split("\n") ?? [];
    expect([greeting, greeted]).toEqual(["", ""]);
    expect(rest.filter(Boolean).sort()).toEqual([HELLO, prompts].sort());
  });

  it("needs no daemon while nobody waits, and none to begin with", async () => {
    const { told, say, daemonSays, daemonDies, handed, printed } = await conversation();
    say(`${HELLO}\n`);
    await until(() => told.length === 1);
    daemonSays(answer(0));
    await until(() => printed().length === 1);
    daemonDies();
    say(`${LIST}\n`);
    await until(() => handed() !== undefined);
    expect(handed()).toBe(`${HELLO}\n\n${LIST}\n`);
  });

  it.each([
    ["refuses", "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"],
    ["answers something else", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi"],
  ])("leaves all to the command where the daemon %s", async (_, head) => {
    const { say, handed } = await conversation({ head });
    say(`${HELLO}\n`);
    await until(() => handed()?.endsWith(`${HELLO}\n`) === true);
    expect(handed()).toBe(`\n\n${HELLO}\n`);
  });

  it.each([
    ["no JSON", "{\n"],
    ["a list of messages", `[${LIST}]\n`],
    ["an answer", '{"jsonrpc":"2.0","id":1,"result":{}}\n'],
    ["a method in other letters", LIST.replace("method", "m\\u0065thod").concat("\n")],
    ["a request without a number", LIST.replace('"id":"a",', "").concat("\n")],
    ...["1.0", "-0", "12345678901234567890", '"\\u0061"', "null", "[1]"].map((id) => [
      `a request whose answer may have its number in other letters than ${id}`,
      LIST.replace('"a"', id).concat("\n"),
    ]),
    ["a line that is far too long", "x".repeat(300_000)],
  ])("leaves %s to the command", async (_, text) => {
    const { say, handed, told } = await conversation();
    say(text);
    await until(() => handed()?.length === text.length + 2);
    expect(handed()).toBe(`\n\n${text}`);
    expect(told).toEqual([]);
  });

  it("passes on at once what a daemon says together with its head", async () => {
    const notice = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
    const size = (notice.length + 1).toString(16);
    const { printed } = await conversation({ head: `${OK}${size}\r\n${notice}\n\r\n` });
    await until(() => printed()[0] === notice);
  });

  it("waits for no daemon that takes no call", async () => {
    const place = testPlace();
    ensureClient(place.home);
    const hung = `require("node:net").createServer().listen({ path: process.argv[1], backlog: 1 },
      () => { console.log("there"); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); })`;
    const daemon = spawn(process.execPath, ["-e", hung, join(place.run, "daemon.sock")]);
    onTestFinished(() => void daemon.kill("SIGKILL"));
    await once(daemon.stdout, "data");
    const waiting = Array.from({ length: 4 }, () => connect(place.socket).on("error", () => {}));
    onTestFinished(() => waiting.forEach((socket) => void socket.destroy()));
    const echo = spawnSync(place.hook, ["--mcp", place.home, "/bin/echo", "left to the command"], {
      encoding: "utf8",
      timeout: 20_000,
    });
    expect(echo.stdout).toBe("left to the command\n");
  });

  it("alone says what it hands over: an environment that says so too is not believed", () => {
    const place = testPlace();
    const print = join(place.home, "print.cjs");
    writeFileSync(print, 'console.log("<" + process.env.SEAM_MCP_HANDED + ">"); process.exit();');
    for (const native of [true, false]) {
      ensureClient(place.home, { native });
      const env = { ...process.env, SEAM_MCP_HANDED: "0", NODE_OPTIONS: `--require=${print}` };
      const { stdout } = spawnSync(join(place.bin, "agentseam-mcp"), { env, encoding: "utf8" });
      // Its own file, or none.
      expect(stdout).toMatch(native ? /^<[1-9]\d*>\n$/ : /^<>\n$/);
    }
  });

  it("loses nothing of what the client says, and says nothing twice", async () => {
    const name = fc.constantFrom("tools/list", "ping", "prompts/list");
    const odd = fc.constantFrom(CALL, '{"id":9,"method":"x\\"y"}', "[]", '{"method":"tools/list"');
    const fields = fc.record({ params: fc.jsonValue(), text: fc.string() });
    const space = fc.constantFrom("", " ", "\t");
    const request = fc.tuple(name, fields, space).map(([method, more, gap]) => (id: number) => {
      const body = JSON.stringify({ ...more, id, method });
      return `${gap}${body.slice(0, -1)}${gap}}`;
    });
    const line = fc.oneof(
      { weight: 5, arbitrary: request },
      { weight: 1, arbitrary: odd.map((text) => () => text) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (makers) => {
        const lines = makers.map((make, at) => make(at));
        const { told, say, daemonSays, handed, child } = await conversation();
        say(lines.map((one) => `${one}\n`).join(""));
        const answered = new Set<string>();
        const dealtWith = () => {
          for (const one of told.filter((text) => !answered.has(text))) {
            answered.add(one);
            daemonSays(answer(JSON.parse(one).id));
          }
          const rest = handed()?.slice(2) ?? "";
          return told.join("") + rest === lines.map((one) => `${one}\n`).join("");
        };
        await until(dealtWith);
        child.kill("SIGKILL");
      }),
      { numRuns: 25 },
    );
  });
});
