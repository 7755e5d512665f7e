// Talks to `droid exec` the way an editor does: only then does Droid fire its hooks for prompts, and
// only then does it resume a session without a login.
//   node droid-rpc.mjs <droid> <prompt> <session id to resume, or ""> [...arguments for droid]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const [droid, prompt, resume, ...more] = process.argv.slice(2);
const MODEL = "custom:mock-0";
const rpc = ["--input-format", "stream-jsonrpc", "-o", "stream-jsonrpc"];
const child = spawn(droid, ["exec", ...rpc, "--auto", "high", "-m", MODEL, ...more], {
  stdio: ["pipe", "pipe", "inherit"],
});
const lines = createInterface({ input: child.stdout });

function send(message) {
  const frame = { jsonrpc: "2.0", factoryApiVersion: "1.0.0", ...message };
  child.stdin.write(`${JSON.stringify(frame)}\n`);
}

const cwd = process.cwd();
const begin = resume
  ? { method: "droid.load_session", params: { sessionId: resume, machineId: "test", cwd } }
  : {
      method: "droid.initialize_session",
      params: { machineId: "test", cwd, modelId: MODEL, autonomyLevel: "high" },
    };
send({ type: "request", id: "begin", ...begin });

lines.on("line", (line) => {
  process.stdout.write(`${line}\n`);
  const { type, id, error, result, params } = JSON.parse(line);
  if (error) {
    process.stderr.write(`droid: ${JSON.stringify(error)}\n`);
    process.exitCode = 1;
    child.stdin.end();
  } else if (type === "request") {
    // It asks something of the user, and there is none.
    send({ type: "response", id, error: { code: -32_601, message: "Nobody is here." } });
  } else if (id === "begin") {
    // In the form of the others: a line that tells the session.
    process.stdout.write(`${JSON.stringify({ session_id: resume || result.sessionId })}\n`);
    send({
      type: "request",
      id: "prompt",
      method: "droid.add_user_message",
      params: { text: prompt },
    });
  } else if (params?.notification?.type === "agent_turn_completed") {
    child.stdin.end();
  }
});

child.on("exit", (code) => {
  process.exitCode ||= code ?? 1;
});
