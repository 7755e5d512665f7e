import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { textOfContent } from "../events/index.ts";
import type { ModelRouteRequest, SystemPromptOptions } from "../extensions/index.ts";
import {
  addTool,
  hosted,
  resultTexts,
  SCENARIOS,
  stage,
  storedResults,
  testProject,
  text,
} from "./test-kit/index.ts";
import { spareProvider } from "./test-kit/spare-provider.ts";

const project = testProject();
const toolNames = (request: { tools?: { name: string }[] } | undefined) =>
  (request?.tools ?? []).map(({ name }) => name);

describe("a tool that calls others", () => {
  const calling = { toolCalls: [{ name: "outer" }] };

  it("gets their results, and events say who made the call", async () => {
    const { agent, of } = await hosted({
      turns: [calling, { text: "ok" }],
      extend: (pi) => {
        addTool(pi, "inner", async (id) => text(`I am ${id}`, { structuredContent: { id } }));
        addTool(pi, "outer", async (_id, _params, _signal, _onUpdate, ctx) => {
          const names = ctx.tools.map(({ name }) => name);
          const { result, isError } = await ctx.executeTool("inner", {});
          return text(`${textOfContent(result.content)} ${isError} ${names.includes("inner")}`);
        });
      },
    });
    await agent.prompt("go");
    expect(resultTexts(agent)).toEqual(["I am call_1/1 false true"]);
    const inner = { toolName: "inner", toolCallId: "call_1/1", parentToolCallId: "call_1" };
    expect(of("tool_call").map((event) => event.parentToolCallId)).toEqual([undefined, "call_1"]);
    expect(of("tool_result")[0]).toMatchObject({ ...inner, structuredContent: { id: "call_1/1" } });
    expect(of("tool_execution_start").at(-1)).toMatchObject(inner);
    expect(of("tool_execution_end")[0]).toMatchObject(inner);
    expect(storedResults(agent)).toHaveLength(1);
    expect(storedResults(agent)[0]?.nestedCalls).toMatchObject({
      calls: [{ id: "call_1/1", name: "inner", arguments: {}, status: "ok" }],
      complete: true,
    });
  });

  it("is told what was blocked, unknown, wrong or failed, and never sees a throw", async () => {
    const { agent } = await hosted({
      turns: [calling, { text: "ok" }],
      on: {
        tool_call: ({ toolName }) =>
          toolName === "gated" ? { block: true, reason: "Not this one." } : undefined,
      },
      extend: (pi) => {
        addTool(pi, "gated", async () => text("ran"));
        addTool(pi, "strict", async () => text("ran"), {
          parameters: Type.Object({ n: Type.Number() }),
        });
        addTool(pi, "broken", async () => {
          throw new Error("It broke.");
        });
        addTool(pi, "outer", async (_id, _params, _signal, _onUpdate, ctx) => {
          const said: string[] = [];
          for (const name of ["gated", "nobody", "strict", "broken"]) {
            const { result, isError } = await ctx.executeTool(name, "no object");
            said.push(`${isError} ${textOfContent(result.content)}`);
          }
          return text(said.join("\n"));
        });
      },
    });
    await agent.prompt("go");
    expect(resultTexts(agent)[0]).toMatch(
      /^true Not this one\.\ntrue There is no tool "nobody".*\ntrue The arguments are wrong.*\ntrue It broke\.$/,
    );
    expect(storedResults(agent)[0]?.nestedCalls?.calls.map(({ status }) => status)).toEqual(
      Array(4).fill("error"),
    );
  });

  it("cannot call any more once its turn is over", async () => {
    let late: Promise<{ isError: boolean }> | undefined;
    const { agent } = await hosted({
      turns: [calling, { text: "ok" }],
      extend: (pi) => {
        addTool(pi, "outer", async (_id, _params, _signal, _onUpdate, ctx) => {
          pi.on("agent_settled", () => {
            late = ctx.executeTool("ls", {});
          });
          return text("ok");
        });
      },
    });
    await agent.prompt("go");
    await agent.extensions.dispatcher.settled();
    expect(await late).toMatchObject({ isError: true });
  });
});

describe("how a tool is reached", () => {
  it("decides whether the model is offered it, and whether tools can call it", async () => {
    const { agent, requests, pi } = await hosted({
      turns: [{ toolCalls: [{ name: "outer" }] }, { text: "ok" }, { text: "ok" }],
      extend: (pi) => {
        addTool(pi, "on-demand", async () => text("ran"), { exposure: "deferred" });
        addTool(pi, "dormant", async () => text("ran"), { defaultActive: false });
        addTool(pi, "nowhere", async () => text("ran"), { exposure: "hidden" });
        addTool(pi, "asked-only", async () => text("ran"), { exposure: "model-only" });
        addTool(pi, "outer", async (_id, _params, _signal, _onUpdate, ctx) => {
          const said = [];
          for (const name of ["on-demand", "dormant", "nowhere", "asked-only"]) {
            said.push((await ctx.executeTool(name, {})).isError);
          }
          return text(said.join(" "));
        });
      },
    });
    await agent.prompt("go");
    expect(resultTexts(agent)).toEqual(["false true true true"]);
    const own = ["on-demand", "dormant", "nowhere", "asked-only"];
    const offered = (at: number) => own.filter((name) => toolNames(requests[at]).includes(name));
    expect(offered(0)).toEqual(["asked-only"]);
    pi.setActiveTools(own);
    await agent.prompt("again");
    expect(offered(2)).toEqual(["on-demand", "dormant", "asked-only"]);
    const exposures = pi.getAllTools().map(({ name, exposure }) => [name, exposure]);
    expect(Object.fromEntries(exposures)).toMatchObject({
      "on-demand": "deferred",
      nowhere: "hidden",
      ls: "direct",
    });
  });

  it("can be described by another tool, which can also keep a declaration back", async () => {
    const { agent, requests } = await hosted({
      turns: [{ text: "ok" }],
      extend: (pi) => {
        addTool(pi, "quiet", async () => text("ran"));
        addTool(pi, "guide", async () => text("ran"), {
          prepareLoadout: ({ callable, getExposure }) => ({
            descriptions: { guide: `${callable.length > 5} ${getExposure("quiet")}` },
            hiddenDeclarations: ["quiet"],
          }),
        });
      },
    });
    await agent.prompt("go");
    const described = requests[0]?.tools?.find(({ name }) => name === "guide")?.description;
    expect(described).toBe("true direct");
    expect(toolNames(requests[0])).not.toContain("quiet");
    expect(agent.extensions.problems).toEqual([]);
  });
});

describe("the system prompt", () => {
  it("has the sections and guidelines that a handler added, also after another handler", async () => {
    const { agent, requests } = await hosted({
      turns: [{ text: "ok" }],
      on: {
        before_agent_start: (event) => {
          const options = event.systemPromptOptions as unknown as SystemPromptOptions;
          options.sections.weather = "It rains.";
          options.promptGuidelines.push("Take an umbrella");
        },
      },
      extensions: [
        {
          name: "later",
          factory: (pi) =>
            pi.on("before_agent_start", (event) => {
              const options = event.systemPromptOptions as unknown as SystemPromptOptions;
              options.sections.weather += " It pours.";
            }),
        },
      ],
    });
    await agent.prompt("go");
    expect(requests[0]?.systemPrompt).toContain("<weather>\nIt rains. It pours.\n</weather>");
    expect(requests[0]?.systemPrompt).toContain("- Take an umbrella");
  });

  it("is the one there was if what a handler makes of its parts cannot be used", async () => {
    const { agent, requests } = await hosted({
      turns: [{ text: "ok" }],
      on: {
        before_agent_start: (event) => {
          Object.assign(event.systemPromptOptions ?? {}, { sections: 3 });
        },
      },
    });
    await agent.prompt("go");
    expect(requests[0]?.systemPrompt).toContain("You are Seam");
  });

  it("can be looked at by commands as what it is made from", async () => {
    let seen: SystemPromptOptions | undefined;
    const { agent } = await hosted({
      extend: (pi) =>
        pi.registerCommand("look", {
          handler: (_args, ctx) => {
            seen = ctx.getSystemPromptOptions();
          },
        }),
    });
    await agent.prompt("/look");
    expect(seen).toMatchObject({ sections: {}, selectedTools: expect.arrayContaining(["read"]) });
  });
});

describe("what an extension says in the name of the user", () => {
  it("is a command or a template only if the extension wants that", async () => {
    const ran: string[] = [];
    project.write(".seam/prompts/greet.md", "Say hello to $1.");
    const { agent, pi, requests } = await hosted({
      cwd: project.root,
      turns: [{ text: "one" }, { text: "two" }],
      extend: (pi) => pi.registerCommand("note", { handler: (args) => void ran.push(args) }),
    });
    pi.sendUserMessage("/note a", { expandPromptTemplates: true });
    pi.sendUserMessage("/greet Ada", { expandPromptTemplates: true });
    await agent.waitForIdle();
    pi.sendUserMessage("/note b");
    await agent.waitForIdle();
    expect(ran).toEqual(["a"]);
    const said = requests.map(({ messages }) => JSON.stringify(messages.at(-1)));
    expect(said[0]).toContain("Say hello to Ada.");
    expect(said[1]).toContain("/note b");
  });

  it("goes through input like everything else", async () => {
    const { agent, pi, requests, of } = await hosted({
      turns: [{ text: "one" }],
      on: { input: ({ text: said }) => ({ action: "transform", text: `${said}!` }) },
    });
    pi.sendUserMessage("Hello");
    await agent.waitForIdle();
    expect(of("input")).toMatchObject([{ source: "extension", text: "Hello" }]);
    expect(JSON.stringify(requests[0]?.messages)).toContain("Hello!");
  });
});

describe("a virtual model", () => {
  const routed = async (turns = [{ text: "one" }, { text: "two" }]) => {
    const asked: ModelRouteRequest<{ n: number }>[] = [];
    const host = await hosted({
      turns,
      extend: (pi) => {
        pi.registerProvider("backup", spareProvider("Spare."));
        pi.registerVirtualModel<{ n: number }>({
          provider: "mine",
          id: "auto",
          name: "Auto",
          thinkingLevels: ["low", "high"],
          contextWindow: 1_000,
          route: (request, ctx) => {
            asked.push(request);
            const n = (request.state?.n ?? 0) + 1;
            const model = ctx.modelRegistry.find(
              n === 1 ? "scripted" : "backup",
              n === 1 ? "script" : "spare",
            );
            if (!model) throw new Error("There is none.");
            return { model, thinkingLevel: request.thinkingLevel, state: { n } };
          },
        });
      },
    });
    const auto = host.models.find("mine", "auto");
    if (!auto) throw new Error("It is not listed.");
    await host.agent.setModel(auto);
    return { ...host, asked };
  };

  it("hands each request to the model its router chooses, and keeps what the router keeps", async () => {
    const { agent, asked, models } = await routed();
    expect(models.resolve("mine/auto").name).toBe("Auto");
    await agent.prompt("first");
    await agent.prompt("second");
    expect(asked.map(({ reason, state }) => [reason, state])).toEqual([
      ["user", undefined],
      ["user", { n: 1 }],
    ]);
    expect(asked[1]?.previous?.model).toMatchObject({ provider: "scripted", id: "script" });
    const answered = agent.session
      .buildContext()
      .messages.flatMap((message) =>
        message.role === "assistant" ? [`${message.provider}/${message.model}`] : [],
      );
    expect(answered).toEqual(["scripted/script", "backup/spare"]);
    expect(agent.model?.id).toBe("auto");
    expect(agent.contextUsage?.contextWindow).toBe(50_000);
  });

  it("that chooses nothing usable ends the turn with an error that names it", async () => {
    const { agent, pi, models } = await hosted({});
    pi.registerVirtualModel({
      provider: "mine",
      id: "lost",
      name: "Lost",
      route: () => {
        throw new Error("no idea");
      },
    });
    await agent.setModel(models.resolve("mine/lost"));
    await agent.prompt("go");
    expect(agent.session.buildContext().messages.at(-1)).toMatchObject({
      role: "assistant",
      stopReason: "error",
      errorMessage: expect.stringContaining("no idea"),
    });
  });

  it("can be asked outside of the conversation too", async () => {
    const { models, asked } = await routed();
    const answer = await models.complete(models.resolve("mine/auto"), { messages: [] });
    expect(answer.content).toEqual([{ type: "text", text: "one" }]);
    expect(asked.map(({ reason }) => reason)).toEqual(["direct"]);
  });
});

describe("an MCP server that an extension registers", () => {
  it("is connected, and its tools are the agent's until it is taken away", async () => {
    const host = await stage(SCENARIOS.mcp_servers_change, project);
    await SCENARIOS.mcp_servers_change.act(host);
    const { agent, pi, requests } = host;
    expect(toolNames(requests[0])).toContain("mcp__probe__echo");
    expect(requests[0]?.systemPrompt).toContain("Echo what matters.");
    expect(resultTexts(agent)).toEqual(["echo hi"]);
    expect(pi.getAllTools().find(({ name }) => name === "mcp__probe__echo")).toMatchObject({
      namespace: { name: "mcp__probe" },
      annotations: { readOnlyHint: true },
    });
    expect(pi.getMcpServers()).toMatchObject([{ name: "probe" }]);
    pi.unregisterMcpServer("probe");
    expect(pi.getActiveTools()).not.toContain("mcp__probe__echo");
  });

  it("that cannot be started is said, and the agent works without it", async () => {
    const logged: string[] = [];
    const { agent } = await hosted({
      turns: [{ text: "ok" }],
      onLog: (_level, line) => void logged.push(line),
      extend: (pi) => pi.registerMcpServer("gone", { command: "/no/such/program" }),
    });
    await agent.prompt("go");
    expect(logged.join("\n")).toContain("The MCP server gone cannot be reached");
  });

  it.each([
    ["a name with a space", "no good", { command: "x" }],
    ["neither command nor url", "empty", {}],
    ["both", "both", { command: "x", url: "http://localhost" }],
    ["another protocol", "ftp", { url: "ftp://localhost" }],
  ])("is refused with %s", async (_what, name, config) => {
    const { pi } = await hosted({});
    const register: (name: string, config: object) => void = Object(pi).registerMcpServer;
    expect(() => register(name, config)).toThrow(
      expect.objectContaining({ code: "SEAM_MCP_SERVER_INVALID" }),
    );
  });
});

it("settings, the models in scope and the thinking level can be asked for", async () => {
  project.write("~/pi-settings.json", JSON.stringify({ enabledModels: ["scripted/*:high"] }));
  const seen: unknown[] = [];
  const { agent, pi } = await hosted({
    cwd: project.root,
    thinkingLevel: "low",
    extend: (pi) =>
      pi.registerCommand("look", {
        handler: (_args, ctx) =>
          void seen.push(ctx.thinkingLevel, ctx.scopedModels[0]?.thinkingLevel),
      }),
  });
  await agent.prompt("/look");
  expect(seen).toEqual(["low", "high"]);
  expect(pi.getSettings()).toMatchObject({ enabledModels: ["scripted/*:high"] });
});

it("a provider can be an object of Pi's", async () => {
  const { agent, models } = await hosted({
    extend: (pi) => {
      const { models: listed = [], streamSimple } = spareProvider("Native.");
      if (!streamSimple) throw new Error("It cannot be asked.");
      const own = listed.map((model) => ({
        ...model,
        api: "native",
        provider: "native",
        baseUrl: "",
      }));
      pi.registerProvider({
        id: "native",
        getModels: () => own,
        streamSimple,
        auth: { apiKey: { resolve: async () => ({ auth: { apiKey: "k" } }) } },
      });
    },
  });
  await agent.setModel(models.resolve("native/spare"));
  await agent.prompt("go");
  expect(JSON.stringify(agent.session.buildContext().messages.at(-1))).toContain("Native.");
});

describe("extensions of the project that nobody agreed to", () => {
  const meet = async (answer: object | undefined, more: object = {}) => {
    project.write(
      ".seam/extensions/theirs.ts",
      'export default (pi) => pi.registerCommand("theirs", { handler() {} });',
    );
    const { agent, of } = await hosted({
      cwd: project.root,
      asksForTrust: true,
      ...more,
      extensions: [
        {
          name: "decider",
          factory: (pi) => {
            if (answer) pi.on("project_trust", () => Object(answer));
          },
        },
      ],
    });
    const names = agent.extensions.extensions.map(({ name }) => name);
    return { agent, runs: names.includes("theirs"), asked: of("project_trust").length };
  };

  it("run if an extension of the user's says yes, also after a reload, and only in this session", async () => {
    const { agent, runs, asked } = await meet({ trusted: "yes" });
    expect([runs, asked]).toEqual([true, 1]);
    await agent.reload();
    expect(agent.commands.map(({ name }) => name)).toContain("theirs");
    expect((await meet({ trusted: "undecided" })).runs).toBe(false);
  });

  it("run for good if they are to be remembered, as the copies of what was there", async () => {
    const { agent } = await meet({ trusted: "yes", remember: true });
    const theirs = agent.extensions.extensions.find(({ name }) => name === "theirs");
    expect(theirs?.source.copy).toBeDefined();
    // Trusted now: nobody has to be asked any more.
    expect((await meet(undefined)).asked).toBe(0);
  });

  it.each([{ trusted: "no" }, { trusted: "undecided" }, { trusted: "perhaps" }, undefined])(
    "do not run if the answer is %j",
    async (answer) => {
      expect((await meet(answer)).runs).toBe(false);
    },
  );

  it("do not run, and nobody is asked, where whoever runs the agent does not want that", async () => {
    const { runs, asked } = await meet({ trusted: "yes" }, { asksForTrust: false });
    expect([runs, asked]).toEqual([false, 0]);
  });
});

it("an extension for oh-my-pi describes its parameters with pi.zod", async () => {
  const file = project.write(
    "zod.ts",
    `export default (pi) => {
      const { zod: z } = pi;
      pi.setLabel("Adder");
      pi.registerTool({
        name: "add",
        description: "Adds",
        parameters: z.object({ a: z.number(), b: z.number() }),
        execute: async (_id, { a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
      });
    };`,
  );
  const { agent } = await hosted({
    cwd: project.root,
    extensions: [file],
    turns: [
      { toolCalls: [{ name: "add", arguments: { a: 1, b: 2 } }] },
      { toolCalls: [{ name: "add", arguments: { a: "x" } }] },
      { text: "ok" },
    ],
  });
  await agent.prompt("go");
  expect(resultTexts(agent)).toEqual(["3", expect.stringContaining("The arguments are wrong")]);
});
