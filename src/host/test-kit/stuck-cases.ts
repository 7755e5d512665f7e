import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ExtensionAPI, loadExtensions } from "../../extensions/index.ts";
import type { Agent } from "../agent.ts";
import { type Hosted, type HostedOptions, newHosted } from "./host.ts";
import { never, next, returns, until } from "./returns.ts";
import { HOLDS, LIMIT_MS } from "./stuck-agent.ts";
import { resultTexts, storedMessages, textOf, textsOf } from "./texts.ts";
import { addTool, text } from "./tools.ts";

const CALL = { text: "Let me", toolCalls: [{ name: "probe" }] };
const STILL = { text: "Still here", when: "Are you there" };

/** Everything a case found out. Compared as a whole by the test. */
type Findings = Readonly<Record<string, unknown>>;

async function start(options: HostedOptions): Promise<Hosted> {
  const turns = [...(options.turns ?? [{ text: "Hi" }]), STILL];
  return returns("createAgent", newHosted({ stuckMs: LIMIT_MS, ...options, turns }));
}

const stuckIn = ({ extensions }: Agent) =>
  extensions.problems
    .filter(({ error }) => error.code === "SEAM_HANDLER_STUCK")
    .map(({ error, path, where }) => {
      const at = where ? `:${where.line}` : "";
      return `${path.split("/").at(-1)}${at} ${error.details.event}`;
    });

/** What every case ends with: who was found, and whether the agent goes on. */
async function goOn({ agent }: Hosted): Promise<Findings> {
  await until("someone is found", () => stuckIn(agent).length > 0);
  const stuck = stuckIn(agent);
  await returns("abort", agent.abort());
  await returns("another prompt", agent.prompt("Are you there?"));
  const answer = textOf(storedMessages(agent).at(-1));
  const names = agent.extensions.extensions.map(({ name }) => name);
  await returns("dispose", agent.dispose());
  return { stuck, answer, names };
}

const inTool = (execute: () => unknown) => async () => {
  const host = await start({ turns: [CALL], extend: (pi) => addTool(pi, "probe", execute) });
  await returns("prompt", host.agent.prompt("go"));
  const result = resultTexts(host.agent);
  return { result, ...(await goOn(host)) };
};

const inCommand = (handler: () => unknown) => async () => {
  const extend = (pi: ExtensionAPI) => pi.registerCommand("do", { handler });
  const host = await start({ extend });
  await returns("prompt", host.agent.prompt("/do it"));
  const { lastError } = host.agent;
  return {
    error: String(lastError).includes("did not give the thread back"),
    ...(await goOn(host)),
  };
};

const whileIdle = (begin: (pi: ExtensionAPI) => void) => async () => {
  const host = await start({ extend: (pi) => pi.on("agent_settled", () => begin(pi)) });
  await returns("prompt", host.agent.prompt("go"));
  return goOn(host);
};

/** An extension in a file, and what happens to it. */
const inFile =
  (source: string, more: HostedOptions = {}) =>
  async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "seam-stuck-")));
    const path = join(folder, "bad.ts");
    // Loading the compiler takes longer than anything may take here, and is not what is tested.
    writeFileSync(path, "export default () => {};");
    await loadExtensions({ cwd: folder, sources: [path] });
    writeFileSync(path, source);
    try {
      const host = await start({ extensions: [path], ...more });
      await returns("prompt", host.agent.prompt("go"));
      return await goOn(host);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

const onTurn = (body: string) => `export default (pi) => {\n  pi.on("turn_start", ${body});\n};`;

function recurse(): void {
  try {
    recurse();
  } catch {
    recurse();
  }
}

export const STUCK_CASES: Readonly<Record<string, () => Promise<Findings>>> = {
  "a tool, at once": inTool(HOLDS["at once"]),
  "a tool, after an await": inTool(HOLDS["after an await"]),
  "a command, at once": inCommand(HOLDS["at once"]),
  "a command, after an await": inCommand(HOLDS["after an await"]),
  "a timer of the context": async () => {
    const host = await start({
      on: { agent_settled: (_event, ctx) => void ctx.setTimeout(HOLDS["at once"], 1) },
    });
    await returns("prompt", host.agent.prompt("go"));
    return goOn(host);
  },
  "a listener of the bus": whileIdle((pi) => {
    pi.events.on("c", HOLDS["at once"]);
    setTimeout(() => pi.events.emit("c", 1), 1);
  }),
  "a loop that awaits what is there already": async () => {
    const starve = async () => {
      while (true) await undefined;
    };
    const host = await start({ on: { turn_end: starve } });
    await returns("prompt", host.agent.prompt("go"));
    return goOn(host);
  },
  "a pattern that backtracks for ever": async () => {
    const host = await start({
      on: { turn_end: () => void /(a+)+$/.test(`${"a".repeat(40)}b`) },
    });
    await returns("prompt", host.agent.prompt("go"));
    return goOn(host);
  },
  "a recursion without end": async () => {
    const host = await start({ on: { turn_end: recurse } });
    await returns("prompt", host.agent.prompt("go"));
    return goOn(host);
  },
  "a wait for another thread": async () => {
    const wait = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    const host = await start({ on: { turn_end: wait } });
    await returns("prompt", host.agent.prompt("go"));
    return goOn(host);
  },
  "a listener of the signal": inFile(
    `export default (pi) => {
  pi.on("turn_start", (event, ctx) => new Promise(() => {
    ctx.signal.addEventListener("abort", () => { for (;;); });
    setTimeout(() => ctx.abort(), 5);
  }));
};`,
    { turns: [{ text: "never", delayMs: 60_000 }] },
  ),
  "a provider": inFile(
    `export default (pi) => {
  pi.registerProvider("bad", {
    baseUrl: "http://x", apiKey: "k", api: "bad",
    models: [{ id: "m", name: "m", reasoning: false, input: ["text"], contextWindow: 1000, maxTokens: 10,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
    streamSimple: () => { for (;;); },
  });
  pi.on("agent_start", async (event, ctx) => {});
  pi.on("before_agent_start", async (event, ctx) => {
    await pi.setModel(ctx.modelRegistry.find("bad", "m"));
  });
};`,
  ),
  "a file, with the line": inFile(onTurn("() => {\n    for (;;);\n  }")),
  "a file, with the line, after an await": inFile(
    onTurn("async () => {\n    await null;\n    for (;;);\n  }"),
  ),
  "a timer in a file": inFile(onTurn("() => {\n    setTimeout(() => { for (;;); }, 1);\n  }")),
  "an interval in a file": inFile(onTurn("() => {\n    setInterval(() => { for (;;); }, 1);\n  }")),
  "an immediate in a file": inFile(
    onTurn("() => {\n    setImmediate(() => { for (;;); });\n    setImmediate(() => {});\n  }"),
  ),
  "Node's own timer, not Seam's": inFile(
    `import { setTimeout as later, setImmediate as soon } from "node:timers";
export default (pi) => {
  pi.on("turn_start", () => {\n    later(() => { for (;;); }, 1);\n  });
};`,
  ),
  "the next tick": inFile(onTurn("() => {\n    process.nextTick(() => { for (;;); });\n  }")),
  "a callback of Node's": inFile(
    `import { stat } from "node:fs";\n${onTurn("() => {\n    stat('/', () => { for (;;); });\n  }")}`,
  ),
  "the function that starts it": async () => {
    const factory = HOLDS["at once"];
    const host = await start({ extensions: [{ name: "bad", factory }] });
    const failures = host.agent.extensions.failures.map(({ problem }) => problem.error.message);
    await returns("another prompt", host.agent.prompt("Are you there?"));
    await host.agent.dispose();
    return { failures, answer: textOf(storedMessages(host.agent).at(-1)) };
  },
  "others hear of what it was told": async () => {
    const heard: string[] = [];
    const after = {
      name: "after",
      factory: (pi: ExtensionAPI) => {
        pi.on("turn_start", () => void heard.push("turn_start"));
        pi.on("agent_settled", () => void heard.push("agent_settled"));
      },
    };
    const host = await start({ on: { turn_start: HOLDS["at once"] }, extensions: [after] });
    await returns("prompt", host.agent.prompt("go"));
    await until("the other is told", () => heard.length > 1);
    return { heard: [...heard].sort(), ...(await goOn(host)) };
  },
  "a new session leaves it out, a reload brings it back": async () => {
    const host = await start({ on: { turn_start: HOLDS["at once"] } });
    const { agent } = host;
    const names = () => agent.extensions.extensions.map(({ name }) => name);
    await returns("prompt", agent.prompt("go"));
    await returns("newSession", agent.newSession());
    const inNew = names();
    const failed = agent.extensions.failures.map(({ problem }) => problem.error.code);
    await returns("reload", agent.reload());
    const afterReload = names();
    await agent.dispose();
    return { inNew, failed, afterReload };
  },
  "a critical one goes on blocking tool calls": async () => {
    const ran: string[] = [];
    const factory = (pi: ExtensionAPI) => void pi.on("turn_start", HOLDS["at once"]);
    const host = await start({
      turns: [{ text: "Hi" }, CALL, { text: "Done" }],
      extensions: [{ name: "guard", factory, critical: true }],
      extend: (pi) => addTool(pi, "probe", async () => text(String(ran.push("ran")))),
    });
    await returns("prompt", host.agent.prompt("go"));
    // The script still has the answer that was cut off.
    while (resultTexts(host.agent).length === 0) {
      await returns("another prompt", host.agent.prompt("call it"));
    }
    const [result = ""] = resultTexts(host.agent);
    await host.agent.dispose();
    return { ran, blocked: result.includes("is not running, so tool calls are blocked") };
  },
  "what the program itself does is left alone": async () => {
    // A handler that waits, and an extension without a file: neither may be blamed.
    const host = await start({ on: { agent_settled: () => never<undefined>() } });
    await returns("prompt", host.agent.prompt("go"));
    const busyUntil = Date.now() + 6 * LIMIT_MS;
    while (Date.now() < busyUntil);
    await sleep(2 * LIMIT_MS);
    return { stuck: stuckIn(host.agent) };
  },
  "a program that is waited for is not a loop": async () => {
    const sleepFor = (ms: number) => void execFileSync("sleep", [String(ms / 1000)]);
    // Within the time an answer is waited for, and longer.
    const on = { turn_start: () => sleepFor(600), turn_end: () => sleepFor(2_600) };
    const host = await start({ on });
    await returns("prompt", host.agent.prompt("go"));
    const stuck = stuckIn(host.agent);
    const { lastError } = host.agent;
    await returns("dispose", host.agent.dispose());
    return { stuck, lastError };
  },
  "programs waited for one after the other, for ever, are one": async () => {
    const turn_end = () => {
      for (;;) execFileSync("sleep", ["0.05"]);
    };
    const host = await start({ on: { turn_end } });
    await returns("prompt", host.agent.prompt("go"));
    return goOn(host);
  },
  "another agent of the process goes on": async () => {
    const other = await start({ turns: [{ text: "late", delayMs: 60_000 }] });
    const prompting = other.agent.prompt("go");
    await next(other.agent, "message_start");
    const host = await start({ on: { turn_start: HOLDS["at once"] } });
    await returns("prompt", host.agent.prompt("go"));
    await returns("the other prompt", prompting);
    await returns("the other's next", other.agent.prompt("Are you there?"));
    const answers = textsOf(storedMessages(other.agent)).slice(-1);
    const names = other.agent.extensions.extensions.map(({ name }) => name);
    await other.agent.dispose();
    return { answers, names, ...(await goOn(host)) };
  },
};
