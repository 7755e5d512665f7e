// agentseam: rings the daemon for bin/hook where there is neither perl nor curl. Usage:
// hook.cjs <path> <folder> <number> [<file>], inside the run folder; stdin goes to that file first.
// Ends with the answer's code plus the number; 199: nobody is there. 198: no answer. 196: it hangs.
"use strict";
const { appendFileSync, readFileSync, readSync, writeSync } = require("node:fs");
const { createConnection } = require("node:net");

const [path = "", cwd = "", plus = "0", file = ""] = process.argv.slice(2);

/** All of stdin; also where it is a pipe that does not wait. */
function readInput() {
  const parts = [];
  for (;;) {
    const part = Buffer.allocUnsafe(65536);
    try {
      const size = readSync(0, part);
      if (size === 0) return Buffer.concat(parts);
      parts.push(part.subarray(0, size));
    } catch (error) {
      if (error.code === "EOF") return Buffer.concat(parts);
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

if (file !== "") {
  try {
    appendFileSync(file, readInput());
  } catch {
    process.exit(198);
  }
}

const isGit = /^\/v1\/(?:ring\/git~|hook\?agent=git&)/.test(path);

function optionsOf() {
  try {
    const text = readFileSync("curl", "latin1");
    const [, token = ""] = /x-seam-token: (\w+)/.exec(text) ?? [];
    const [, seconds = "590"] = /max-time = (\d+)/.exec(text) ?? [];
    const [, silence = "10"] = /# silence = (\d+)/.exec(text) ?? [];
    // A person waits for a commit; nobody is asked anything meanwhile.
    return { token, seconds: isGit ? 2 : Number(seconds), silence: Number(silence) };
  } catch {
    process.exit(199);
  }
}

/** Whether all of it was written. */
function writeAll(fd, bytes) {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done);
    } catch (error) {
      // The pipe is full for the moment.
      if (error.code !== "EAGAIN") return false;
    }
  }
  return true;
}

const { token, seconds, silence } = optionsOf();

/**
 * A handler may take its time, as long as the daemon itself is not stuck. One that ends takes no
 * calls any more, and still gives its last answers.
 */
function watchSilence() {
  const probe = createConnection("daemon.sock", () => {
    probe.write(`POST /v1/ring/none HTTP/1.0\r\nHost: seam\r\nx-seam-token: ${token}\r\n\r\n`);
  });
  const stuck = setTimeout(() => process.exit(196), silence * 1000);
  const goOn = () => {
    clearTimeout(stuck);
    probe.destroy();
    setTimeout(watchSilence, silence * 1000);
  };
  probe.once("error", goOn);
  probe.once("data", goOn);
}
const parts = [];
const daemon = createConnection("daemon.sock");
setTimeout(() => process.exit(198), seconds * 1000);
setTimeout(watchSilence, silence * 1000);
daemon.once("error", () => process.exit(199));
daemon.once("connect", () => {
  const body = path.startsWith("/v1/hook") ? readInput() : Buffer.alloc(0);
  const folder = Buffer.from(cwd).toString("latin1");
  const head = `POST ${path} HTTP/1.0\r\nHost: seam\r\nx-seam-token: ${token}\r\nx-seam-cwd: ${folder}\r\nContent-Length: ${body.length}\r\n\r\n`;
  // In one go: the daemon may have answered and closed before a second one.
  daemon.write(Buffer.concat([Buffer.from(head, "latin1"), body]));
});
daemon.on("data", (part) => parts.push(part));
daemon.once("end", () => {
  const reply = Buffer.concat(parts);
  const end = reply.indexOf("\r\n\r\n");
  if (end < 0) process.exit(199);
  const head = reply.toString("latin1", 0, end);
  const [, code] = /^x-seam-exit: (\d+)/m.exec(head) ?? [];
  if (!/^HTTP\/1\.\d 200 /.test(head) || code === undefined) process.exit(198);
  const answer = reply.subarray(end + 4);
  const [, length] = /^content-length: (\d+)/m.exec(head) ?? [];
  if (Number(length) !== answer.length) process.exit(199);
  const isSaid = writeAll(1, answer);
  const [, escaped = ""] = /^x-seam-stderr: (\S*)/m.exec(head) ?? [];
  const error = escaped.replace(/\\0([0-7]{3})/g, (_, octal) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
  writeAll(2, Buffer.from(error, "latin1"));
  // Agents take no answer for a yes, and 2 for a no. What the hooks of git cannot say stops no commit.
  process.exit((isSaid || isGit ? Number(code) : 2) + Number(plus));
});
