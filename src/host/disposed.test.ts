import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { SeamError } from "../errors/index.ts";
import type { ExtensionAPI, InlineExtension } from "../extensions/index.ts";
import type { EmbeddedAgent } from "./embedded-agent.ts";
import { type HostedOptions, hosted, returns, testProject, until } from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });

/** An extension that from its second time on loads when it may. */
function slow() {
  let load: () => void = () => {};
  const may = new Promise<void>((resolve) => {
    load = resolve;
  });
  let times = 0;
  const extension: InlineExtension = {
    name: "slow",
    factory: async () => {
      if (times++ > 0) await may;
    },
  };
  return { extension, load, isLoading: () => times > 1 };
}

function codeOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof SeamError ? error.code : error;
  }
}

describe("an agent that was disposed of", () => {
  const REFUSED: Record<string, (agent: EmbeddedAgent) => Promise<unknown>> = {
    prompt: (agent) => agent.prompt("go"),
    "a command": (agent) => agent.prompt("/do"),
    steer: (agent) => agent.steer("go"),
    followUp: (agent) => agent.followUp("go"),
    bash: (agent) => agent.bash("echo hi"),
    compact: (agent) => agent.compact(),
    newSession: (agent) => agent.newSession(),
    switchSession: (agent) => agent.switchSession("x.jsonl"),
    fork: (agent) => agent.fork("x"),
    navigateTree: (agent) => agent.navigateTree("x"),
    reload: (agent) => agent.reload(),
    setGoal: (agent) => agent.setGoal("Ship it"),
    changeGoal: (agent) => agent.changeGoal("pause"),
    setThinkingLevel: (agent) => agent.setThinkingLevel("high"),
    setModel: (agent) => agent.setModel(agent.findModel("scripted", "script") as never),
  };

  it.each(Object.entries(REFUSED))("refuses %s", async (_, act) => {
    const { agent, requests } = await run({ turns: [{ text: "one" }] });
    await agent.dispose();
    const heard: string[] = [];
    agent.subscribe(({ type }) => heard.push(type));
    await expect(act(agent)).rejects.toMatchObject({ code: "SEAM_AGENT_DISPOSED" });
    expect(heard).toEqual([]);
    expect(requests).toEqual([]);
  });

  it("can be aborted, waited for and disposed of again", async () => {
    const { agent } = await run({});
    await agent.dispose();
    await agent.abort();
    await agent.waitForIdle();
    await agent.dispose();
  });

  it("while it reloads: what was being loaded is ended too", async () => {
    const late = slow();
    const timers: string[] = [];
    const apis: ExtensionAPI[] = [];
    const ticking: InlineExtension = {
      name: "ticking",
      factory: async (pi) => {
        apis.push(pi);
        pi.on("session_start", (_event, ctx) => {
          ctx.setInterval(() => timers.push("tick"), 1);
        });
      },
    };
    const { agent } = await run({ extensions: [late.extension, ticking] });
    await until("it ticks", () => timers.length > 0);
    const reloading = agent.reload();
    reloading.catch(() => {});
    await until("they are being loaded", late.isLoading);
    const prompting = agent.prompt("go");
    prompting.catch(() => {});
    const ending = agent.dispose();
    late.load();
    await returns("dispose", ending);
    await expect(reloading).rejects.toMatchObject({ code: "SEAM_AGENT_DISPOSED" });
    await expect(prompting).rejects.toMatchObject({ code: "SEAM_AGENT_DISPOSED" });
    // What is left in the hands of the ones before and of those that came too late is of no use.
    const codes = apis.map((pi) => codeOf(() => pi.setSessionName("late")));
    expect(codes).toEqual(["SEAM_EXT_STALE", "SEAM_EXT_STALE"]);
    timers.length = 0;
    await sleep(30);
    expect(timers).toEqual([]);
  });
});
