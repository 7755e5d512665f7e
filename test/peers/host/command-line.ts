/** What only the whole program shows: its streams, its flags, its end. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Place, place } from "../../cli/seam.ts";
import { prove } from "./proofs.ts";
import { entryOf } from "./stage.ts";

const MAIN = join(import.meta.dirname, "../../../dist/bin/seam.js");

function run(here: Place, example: string, mode: string, prompt: string, ...flags: string[]) {
  const model = ["--model", "scripted:turns.json"];
  return here.seam("run", "-p", prompt, ...model, "--mode", mode, "-e", entryOf(example), ...flags);
}

prove("A", "notify", "in json mode its bytes do not get between the lines of JSON", async () => {
  const here = place({ "turns.json": JSON.stringify([{ text: "Hi." }]) });
  const { code, stdout, stderr } = await run(here, "notify", "json", "Hello.");
  expect(code).toBe(0);
  const types = stdout
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { type: string }).type);
  expect(types[0]).toBe("session");
  expect(types).toContain("agent_settled");
  expect(stderr).toContain("\u001b]777;notify;Pi;Ready for input\u0007");
  return undefined;
});

prove("B", "plan-mode", "--plan is a flag of the command", async () => {
  const rm = { toolCalls: [{ name: "bash", arguments: { command: "rm keep.txt" } }] };
  const turns = JSON.stringify([rm, { text: "It was blocked." }]);
  const here = place({ "turns.json": turns, "keep.txt": "kept" });
  const planned = await run(here, "plan-mode", "text", "Clean up.", "--plan");
  expect(planned).toMatchObject({ code: 0, stdout: "It was blocked.\n" });
  expect(existsSync(join(here.project, "keep.txt"))).toBe(true);
  const free = await run(here, "plan-mode", "text", "Clean up.");
  expect(free.code).toBe(0);
  expect(existsSync(join(here.project, "keep.txt"))).toBe(false);
  const misspelt = await run(here, "plan-mode", "text", "Clean up.", "--plna");
  expect(misspelt.code).not.toBe(0);
  return undefined;
});

prove(
  "A",
  "shutdown-command",
  "the program ends after the turn, with its input still open",
  async () => {
    const finish = { toolCalls: [{ name: "finish_and_exit", arguments: {} }] };
    const here = place({ "turns.json": JSON.stringify([finish, { text: "Goodbye." }]) });
    const args = ["run", "--mode", "rpc", "--model", "scripted:turns.json"];
    const child = spawn(process.execPath, [MAIN, ...args, "-e", entryOf("shutdown-command")], {
      cwd: here.project,
      env: { PATH: process.env.PATH, HOME: here.home, SEAM_HOME: here.home },
      stdio: ["pipe", "pipe", "inherit"],
    });
    let output = "";
    child.stdout.on("data", (data) => {
      output += data;
    });
    child.stdin.write(`${JSON.stringify({ type: "prompt", message: "Finish." })}\n`);
    const code = await new Promise((resolve) => {
      const timer = setTimeout(() => child.kill("SIGKILL"), 60_000);
      child.on("exit", (status) => {
        clearTimeout(timer);
        resolve(status);
      });
    });
    expect(code).toBe(0);
    expect(output).toContain("Goodbye.");
    return undefined;
  },
);
