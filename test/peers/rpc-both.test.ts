/** Each command of Pi's RPC, sent to the real Pi and to `seam pi`. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Folder, folder, model, PROGRAMS, type Program, start } from "./both-programs.ts";
import { requirePeers } from "./pi.ts";

requirePeers();

type Line = Readonly<Record<string, unknown>>;

/** One of the programs, led over lines of JSON. */
function leader(program: Program, where: Folder) {
  const child = start(program, ["--mode", "rpc", "--model", "probe/m"], where);
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let rest = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) if (part.startsWith("{")) lines.push(JSON.parse(part) as Line);
    for (const look of waiting) look();
  });
  const until = (fits: (line: Line) => boolean) =>
    new Promise<Line>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${program} does not answer.`)), 60_000);
      const look = () => {
        const found = lines.find(fits);
        if (!found) return;
        clearTimeout(timer);
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  let count = 0;
  const send = async (command: Line) => {
    const id = String(++count);
    child.stdin?.write(`${JSON.stringify({ ...command, id })}\n`);
    const answer = await until((line) => line.type === "response" && line.id === id);
    return answer;
  };
  const settled = async (ends: number) => {
    await until(() => lines.filter(({ type }) => type === "agent_end").length >= ends);
  };
  return { send, settled, end: () => child.kill("SIGKILL") };
}

let serving: Awaited<ReturnType<typeof model>>;
const places: Folder[] = [];
const leaders = new Map<Program, ReturnType<typeof leader>>();
beforeAll(async () => {
  serving = await model();
  for (const program of PROGRAMS) {
    const where = folder(serving.url);
    places.push(where);
    leaders.set(program, leader(program, where));
  }
});
afterAll(() => {
  for (const one of leaders.values()) one.end();
  serving.close();
  for (const one of places) one.remove();
});

/** The kind of each field, by its name: what is in it is another thing in each program. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])];
  if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, part]) => [key, shape(part)]),
  );
}

/** Fields that Seam has and Pi has not are no difference to a program that was written for Pi. */
function within(theirs: unknown, mine: unknown): unknown {
  if (Array.isArray(theirs) && Array.isArray(mine))
    return theirs.map((one, index) => within(one, mine[index]));
  if (typeof theirs !== "object" || theirs === null || typeof mine !== "object" || mine === null)
    return mine;
  return Object.fromEntries(
    Object.keys(theirs).map((key) => [
      key,
      within(Reflect.get(theirs, key), Reflect.get(mine, key)),
    ]),
  );
}

interface Step {
  readonly command: Line;
  /** How many turns have ended once this one has. */
  readonly ends?: number;
  /** Fields whose kind may differ, with the reason. */
  readonly differs?: Readonly<Record<string, string>>;
}

const MODEL = "Seam's list of models says less, and its own things, of each";
const STEPS: readonly Step[] = [
  { command: { type: "get_state" }, differs: { model: MODEL } },
  { command: { type: "prompt", message: "One." }, ends: 1 },
  { command: { type: "get_last_assistant_text" } },
  { command: { type: "steer", message: "Two." } },
  { command: { type: "follow_up", message: "Three." } },
  { command: { type: "abort" } },
  { command: { type: "set_thinking_level", level: "low" } },
  { command: { type: "cycle_thinking_level" } },
  { command: { type: "set_steering_mode", mode: "all" } },
  { command: { type: "set_follow_up_mode", mode: "one-at-a-time" } },
  { command: { type: "set_auto_compaction", enabled: false } },
  { command: { type: "set_auto_retry", enabled: false } },
  { command: { type: "abort_retry" } },
  { command: { type: "bash", command: "echo hi" } },
  { command: { type: "abort_bash" } },
  {
    command: { type: "get_session_stats" },
    differs: { contextUsage: "Pi counts it where Seam has no number yet" },
  },
  { command: { type: "set_session_name", name: "Named" } },
  {
    command: { type: "get_messages" },
    differs: { messages: "answers carry what each program knows of them" },
  },
  { command: { type: "get_commands" }, differs: { commands: "each has its own" } },
  { command: { type: "get_fork_messages" } },
  { command: { type: "get_available_models" }, differs: { models: MODEL } },
  { command: { type: "set_model", provider: "probe", modelId: "n" }, differs: { "": MODEL } },
  { command: { type: "set_model", provider: "probe", modelId: "nowhere" } },
  { command: { type: "cycle_model" }, differs: { model: MODEL } },
  { command: { type: "export_html" } },
  { command: { type: "clone" } },
  { command: { type: "new_session" } },
  { command: { type: "fork", entryId: "nowhere" } },
];

test.each(STEPS)(
  "$command.type is answered in the same form",
  async ({ command, ends, differs = {} }) => {
    const answers = new Map<Program, Line>();
    for (const program of PROGRAMS) {
      const one = leaders.get(program);
      if (!one) throw new Error("It was not started.");
      answers.set(program, await one.send(command));
      if (ends !== undefined) await one.settled(ends);
    }
    const { Pi: pi = {}, Seam: seam = {} } = Object.fromEntries(answers);
    expect({ success: seam.success, command: seam.command }).toEqual({
      success: pi.success,
      command: pi.command,
    });
    if (pi.success !== true || pi.data === undefined || "" in differs) return;
    const known = (data: unknown) =>
      typeof data === "object" && data !== null && !Array.isArray(data)
        ? Object.fromEntries(Object.entries(data).filter(([key]) => !Object.hasOwn(differs, key)))
        : data;
    expect(within(shape(known(pi.data)), shape(known(seam.data)))).toEqual(shape(known(pi.data)));
  },
);

test("switch_session goes to a session that is there", async () => {
  for (const program of PROGRAMS) {
    const one = leaders.get(program);
    const state = await one?.send({ type: "get_state" });
    await one?.send({ type: "prompt", message: "Four." });
    await one?.settled(2);
    const sessionPath: unknown = Reflect.get(Object(state?.data), "sessionFile");
    const switched = await one?.send({ type: "switch_session", sessionPath });
    expect([program, switched?.success, switched?.data]).toEqual([
      program,
      true,
      { cancelled: false },
    ]);
  }
});
