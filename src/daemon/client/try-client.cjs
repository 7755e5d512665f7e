// agentseam: tries a compiled hook client before agents run it. Usage: try-client.cjs <program>.
// Prints "ok" if it did what the shell client does: with a daemon, without one, and where gates close;
// and if, as an MCP server, it passes on what it should and leaves the rest to the command it was given.
"use strict";
const { spawn } = require("node:child_process");
const { once } = require("node:events");
const fs = require("node:fs");
const { createServer } = require("node:net");
const { dirname, join } = require("node:path");

const PAYLOAD = `{"said":"${"ü\\n".repeat(50_000)}"}`;
const SHORT = '{"said":"ü"}';
const ANSWER = Buffer.from(`"x-seam-exit: 7\r\n\r\n${"\0é".repeat(50_000)}`);

async function main(program) {
  // Beside the program: other folders may be of a disk from which nothing can be run.
  const home = fs.realpathSync(fs.mkdtempSync(join(dirname(program), "try-")));
  try {
    const run = join(home, "run");
    for (const name of ["bin", "run/spool", "run/unavailable"]) {
      fs.mkdirSync(join(home, name), { recursive: true, mode: 0o700 });
    }
    // For good: a server that is closed removes its socket by the name it was given, and where this
    // program was started, the socket of that name may be that of the user's daemon.
    process.chdir(run);
    const copy = join(home, "bin/hook");
    fs.copyFileSync(program, copy);
    fs.chmodSync(copy, 0o700);
    fs.writeFileSync(join(run, "curl"), 'header = "x-seam-token: 0a1b"\nmax-time = 590\n');
    const short = await withDaemon(() => hook(copy, home, SHORT), { stderr: "" });
    // A payload of usual size may go along with the ring; then it has no file.
    const [left = ""] = fs.readdirSync(join(run, "spool"));
    const sent = left === "" ? short.request : fs.readFileSync(join(run, "spool", left), "utf8");
    const isAnswered = same(short.end, { code: 2, out: ANSWER, error: "" });
    if (!isAnswered || !sent.trimEnd().endsWith(SHORT)) return "daemon, in short";
    if (left !== "") fs.rmSync(join(run, "spool", left));
    const asked = await withDaemon(() => hook(copy, home));
    const [name = ""] = fs.readdirSync(join(run, "spool"));
    const answered =
      asked.request.startsWith(`POST /v1/ring/${name} HTTP/1.0\r\n`) &&
      asked.request.includes(`\r\nx-seam-token: 0a1b\r\nx-seam-cwd: ${home}\r\n`) &&
      fs.readFileSync(join(run, "spool", name), "utf8").trim() === PAYLOAD;
    if (!answered || !same(asked.end, { code: 2, out: ANSWER, error: "no: ü\n" })) return "daemon";
    // A daemon that did not start a moment ago is not started again.
    fs.writeFileSync(join(run, "failed"), "");
    if (!same(await hook(copy, home), { code: 0, out: "", error: "" })) return "open";
    fs.writeFileSync(join(run, "block"), `/elsewhere\n${home}\n`);
    fs.writeFileSync(join(run, "unavailable/try.Hook"), "2\nno");
    if (!same(await hook(copy, home), { code: 2, out: "no", error: "" })) return "closed";
    if (fs.readdirSync(join(run, "spool")).length !== 3) return "spool";
    return (await servesMcp(copy, home)) ? "ok" : "mcp";
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}

const HELLO = '{"id":1,"method":"initialize"}';
const CALL = '{"id":2,"method":"tools/call"}';
const REPLY = '{"id":1,"result":{}}';

/** The greeting goes to the daemon; the command, here one that prints it, gets that and the call. */
async function servesMcp(program, home) {
  const print =
    'process.stdout.write(require("node:fs").readFileSync(Number(process.env.SEAM_MCP_HANDED)))';
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    socket.on("data", (part) => {
      const size = REPLY.length + 1;
      if (part.includes(HELLO)) socket.write(`${size.toString(16)}\r\n${REPLY}\n\r\n`);
    });
  });
  await listen(server);
  const args = ["--mcp", home, process.execPath, "-e", print];
  const child = spawn(program, args, { cwd: home, timeout: 5_000 });
  let out = "";
  child.stdout.on("data", (part) => {
    out += part;
  });
  child.stdin.on("error", () => {});
  child.stdin.write(`${HELLO}\n${CALL}\n`);
  await once(child, "close");
  server.close();
  // Where the path of a socket would be too long, all of it is left to the command.
  return [`${REPLY}\n${HELLO}\n\n${CALL}\n`, `\n\n`].includes(out);
}

/** The same for every program: what it printed and how it ended. */
function same(end, wanted) {
  const out = Buffer.from(wanted.out);
  return end.code === wanted.code && end.out.equals(out) && end.error === wanted.error;
}

const STDERR = "x-seam-stderr: no:\\0040\\0303\\0274\\0012\r\n";

/** By a short name: the path of a socket must not be long. */
async function listen(server) {
  fs.rmSync("daemon.sock", { force: true });
  server.listen("daemon.sock");
  await once(server, "listening");
}

async function withDaemon(work, { stderr = STDERR } = {}) {
  let request = "";
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (part) => {
      request += part;
      const [head = "", body] = request.split("\r\n\r\n");
      const [, length = "0"] = /Content-Length: (\d+)/.exec(head) ?? [];
      if (body === undefined || Buffer.byteLength(body) < Number(length)) return;
      const start = `HTTP/1.1 200 OK\r\nx-seam-exit: 2\r\ncontent-length: ${ANSWER.length}\r\n`;
      socket.end(Buffer.concat([Buffer.from(`${start}${stderr}\r\n`), ANSWER]));
    });
  });
  await listen(server);
  const end = await work();
  await new Promise((closed) => server.close(closed));
  return { request, end };
}

async function hook(program, cwd, payload = PAYLOAD) {
  const child = spawn(program, ["try", "Hook"], { cwd, env: { PWD: cwd }, timeout: 5_000 });
  const out = [];
  let error = "";
  child.stdout.on("data", (part) => out.push(part));
  child.stderr.on("data", (part) => {
    error += part;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(payload);
  const [code] = await once(child, "close");
  return { code, out: Buffer.concat(out), error };
}

main(process.argv[2]).then(
  (result) => process.stdout.write(result),
  (error) => process.stdout.write(String(error)),
);
