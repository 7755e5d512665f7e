// Talks to Pi over its RPC, as a program with a screen of its own does: only then does Pi go on after
// its work, show notices, compact and change sessions. Whatever is asked is answered with no.
//   node pi-rpc.mjs <pi> [...arguments for pi] -p <prompt> [...commands as JSON]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const args = process.argv.slice(2);
const at = args.indexOf("-p");
const [prompt, ...more] = args.slice(at + 1);
const pi = args.slice(0, at).map((arg, index, all) => (all[index - 1] === "--mode" ? "rpc" : arg));
const commands = [
  { type: "get_state" },
  { type: "prompt", message: prompt },
  ...more.map((text) => JSON.parse(text)),
];
// A prompt that an extension dealt with starts nothing; after the end it may be sent back to work.
const QUIET_MS = 1500;

const child = spawn(process.execPath, pi, { stdio: ["pipe", "pipe", "inherit"] });
let working = false;
let quiet;

function next() {
  const command = commands.shift();
  if (!command) {
    child.stdin.end();
    return;
  }
  working = command.type === "prompt";
  child.stdin.write(`${JSON.stringify({ id: command.type, ...command })}\n`);
}

function waitForQuiet() {
  clearTimeout(quiet);
  quiet = setTimeout(next, QUIET_MS);
}

createInterface({ input: child.stdout }).on("line", (line) => {
  const { type, command, data, success, id, method } = JSON.parse(line);
  if (type === "extension_ui_request" && method === "confirm") {
    child.stdin.write(
      `${JSON.stringify({ type: "extension_ui_response", id, confirmed: false })}\n`,
    );
  }
  if (type === "response" && command === "get_state") {
    // In the form of the others: a line that tells the session.
    process.stdout.write(`${JSON.stringify({ id: data.sessionId })}\n`);
  }
  process.stdout.write(`${line}\n`);
  if (type === "response" && !success) process.exitCode = 1;
  if (type === "agent_start") clearTimeout(quiet);
  else if (type === "agent_end") waitForQuiet();
  else if (type === "response") (working ? waitForQuiet : next)();
});

child.on("exit", (code) => {
  process.exitCode ||= code ?? 1;
});
next();
