import { execFileSync } from "node:child_process";
import { existsSync, readlinkSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { daemonStatus, openConversation } from "../src/daemon/index.ts";
import { connect, ERAS, mcpPlace, until } from "./mcp/clients.ts";
import { sampled } from "./setup/sample.ts";

const GREET = `export default (pi) => {
  pi.registerTool(tool("greet", async (_id, { name }, _signal, onUpdate, ctx) => {
    onUpdate(text("half way"));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return text("Hello, " + name + "! In " + ctx.cwd);
  }, Type.Object({ name: Type.String() })));
  pi.registerTool(tool("shot", async () => ({
    content: [{ type: "text", text: "see" }, { type: "image", data: "aGk=", mimeType: "image/png" }],
  })));
  pi.registerTool(tool("refuses", async () => ({ ...text("not today"), isError: true })));
  pi.registerCommand("plan", { description: "makes a plan", handler: (args, ctx) => {
    ctx.ui.notify("planning " + args);
    pi.sendUserMessage("Do " + args + " first.");
  } });
  pi.registerCommand("breaks", { handler: () => { throw new Error("no plan"); } });
  pi.on("tool_call", ({ toolName, input }) => {
    note("call " + toolName);
    if (input.name === "Mallory") return { block: true, reason: "Not to Mallory." };
    if (input.name === "Bob") return { input: { name: "Robert" } };
  });
  pi.on("tool_result", ({ toolName }) => note("result " + toolName));
};
`;

const SERVERS = ERAS.flatMap((era) => [
  { era, name: `the ${era} era, with seam mcp`, asEnabled: false },
  { era, name: `the ${era} era, with agentseam-mcp`, asEnabled: true },
]);
// Each era and each way to start the server once.
const CHOSEN = sampled(
  SERVERS,
  "the modern era, with seam mcp",
  "the legacy era, with agentseam-mcp",
);

describe.each(CHOSEN)("a client of $name", ({ era, asEnabled }) => {
  it("gets the tools, commands and prompts of the folder's extensions, and calls them", async () => {
    const place = mcpPlace();
    place.extension("greet", GREET);
    const { client, call, names } = await connect(place, era, { asEnabled });
    expect(await names()).toEqual([
      "show",
      "search",
      "crew",
      "seam_command",
      "greet",
      "shot",
      "refuses",
    ]);
    const heard: unknown[] = [];
    const greeted = await client.callTool(
      { name: "greet", arguments: { name: "Alice" } },
      { onprogress: ({ message }) => heard.push(message) },
    );
    expect(greeted.content).toEqual([{ type: "text", text: `Hello, Alice! In ${place.project}` }]);
    // The client hears of it by itself, perhaps only after the result.
    await until(() => heard.length > 0);
    expect(heard).toEqual(["half way"]);
    expect(await call("greet", { name: "Bob" })).toContain("Hello, Robert!");
    expect(await call("greet", { name: "Mallory" })).toBe("error: Not to Mallory.");
    expect(await call("greet", { name: 5 })).toContain("Hello, 5!");
    expect(await call("greet", { nam: "x" })).toContain("error: The arguments are wrong");
    expect(await call("shot")).toBe("see|[image]");
    expect(await call("refuses")).toBe("error: not today");
    await expect(call("nothing")).rejects.toThrow('There is no tool "nothing"');
    expect(await call("seam_command", { command: "plan", args: "the walls" })).toBe(
      "planning the walls\n\nDo the walls first.",
    );
    expect(await call("seam_command", { command: "breaks" })).toContain("error: ");
    expect(await call("seam_command", { command: "no" })).toContain("There are: plan, breaks");
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(["plan", "breaks"]);
    const prompt = await client.getPrompt({ name: "plan", arguments: { args: "a roof" } });
    expect(prompt.messages).toMatchObject([
      { role: "user", content: { text: "planning a roof\n\nDo a roof first." } },
    ]);
    // Every call was asked about once, and nobody is asked about what cannot run.
    const asked = place.notes().filter((line) => line.endsWith("greet"));
    expect(asked).toEqual([
      ...["call greet", "result greet"],
      ...["call greet", "result greet"],
      "call greet",
      ...["call greet", "result greet"],
    ]);
  });

  it("is told when an extension adds a tool, also after the daemon was killed", async () => {
    const place = mcpPlace();
    place.extension(
      "grow",
      `export default (pi) => {
      pi.registerTool(tool("grow", async () => {
        pi.registerTool(tool("grown", async () => text("new")));
        return text("done");
      }));
    };`,
    );
    let changes = 0;
    const onChanged = () => {
      changes++;
    };
    const { call, names } = await connect(place, era, {
      asEnabled,
      options: { listChanged: { tools: { onChanged, autoRefresh: false, debounceMs: 0 } } },
    });
    const daemons = new Set<number>();
    for (const _ of [1, 2]) {
      changes = 0;
      expect(await names()).toEqual(["show", "search", "crew", "grow"]);
      await call("grow");
      await until(() => changes > 0);
      expect(await names()).toEqual(["show", "search", "crew", "grow", "grown"]);
      daemons.add(await place.daemon());
      await place.killDaemon();
    }
    // It noticed nothing of that.
    expect(daemons.size).toBe(2);
  });

  it("asks its user where a tool has a question and nobody is at the inbox", async () => {
    const place = mcpPlace();
    place.extension(
      "asks",
      `export default (pi) => {
      pi.registerTool(tool("asks", async (_id, _p, _s, _u, ctx) => {
        const has = ctx.hasUI;
        const name = await ctx.ui.select("Whom?", ["Alice", "Bob"]);
        const sure = await ctx.ui.confirm("Sure?", "It cannot be undone.");
        const why = await ctx.ui.input("Why?", "a reason");
        return text([has, name, sure, why].join(" "));
      }));
    };`,
    );
    const asked: string[] = [];
    const answers = ["Bob", true, "because"];
    const asking = await connect(place, era, {
      asEnabled,
      options: { capabilities: { elicitation: { form: {} } } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", async ({ params }) => {
          asked.push(params.message);
          const answer = answers.shift();
          if (answer === undefined) return { action: "cancel" };
          return { action: "accept", content: { answer } };
        }),
    });
    expect(await asking.call("asks")).toBe("true Bob true because");
    expect(asked).toEqual(["Whom?", "Sure?\n\nIt cannot be undone.", "Why?"]);
    expect(await asking.call("asks")).toBe("true  false ");
    const { call } = await connect(place, era, { asEnabled });
    expect(await call("asks")).toBe("false  false ");
  });
});

it.runIf(process.platform === "linux")("a list of tools needs no Node, a call does", async () => {
  const place = mcpPlace();
  place.extension("greet", GREET);
  // Where there is no daemon yet, Node starts it.
  await connect(place, "legacy", { asEnabled: true });
  const { pid, names, call } = await connect(place, "legacy", { asEnabled: true });
  const program = () => basename(readlinkSync(`/proc/${pid}/exe`));
  expect(await names()).toContain("greet");
  expect(program()).toBe("hook");
  expect(await call("greet", { name: "Alice" })).toContain("Hello, Alice!");
  expect(program()).toBe("node");
  expect(await names()).toContain("greet");
});

it("a call that was under way when the daemon was killed is not made again", async () => {
  const place = mcpPlace();
  place.extension(
    "slow",
    `export default (pi) => {
    pi.registerTool(tool("slow", async () => {
      note("began");
      await new Promise(() => {});
    }));
  };`,
  );
  const { call, names } = await connect(place, "modern");
  const called = call("slow");
  const caught = expect(called).rejects.toThrow("look before you do it again");
  await until(() => place.notes().length === 1);
  await place.killDaemon();
  await caught;
  // It goes on with the next daemon.
  expect(await names()).toContain("slow");
  expect(place.notes()).toEqual(["began"]);
});

it("a client that dies, or gives up, ends what its call runs", async () => {
  const place = mcpPlace();
  place.extension(
    "waits",
    `export default (pi) => {
    pi.registerTool(tool("waits", async (_id, { who }, signal) => {
      note("began " + who);
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      note("aborted " + who);
      return text("over");
    }, Type.Object({ who: Type.String() })));
  };`,
  );
  const first = await connect(place);
  const given = new AbortController();
  const request = { name: "waits", arguments: { who: "patient" } };
  const called = first.client.callTool(request, { signal: given.signal });
  called.catch(() => {});
  await until(() => place.notes().includes("began patient"));
  given.abort();
  await until(() => place.notes().includes("aborted patient"));
  void first.call("waits", { who: "victim" }).catch(() => {});
  await until(() => place.notes().includes("began victim"));
  process.kill(first.pid, "SIGKILL");
  await until(() => place.notes().includes("aborted victim"));
  await until(async () => {
    const { services } = (await daemonStatus(place.paths)) ?? {};
    return JSON.stringify(services?.mcp) === '{"clients":0,"calls":0}';
  });
});

it("tools that throw, return garbage or far too much do no harm to others", async () => {
  const place = mcpPlace();
  place.extension(
    "a-bad",
    `export default (pi) => {
    pi.registerTool(tool("throws", async () => { throw new Error("it broke"); }));
    pi.registerTool(tool("nothing", async () => undefined));
    pi.registerTool(tool("garbage", async () => ({ content: "text" })));
    pi.registerTool(tool("circular", async () => { const a = {}; a.a = a; return { content: [a] }; }));
    pi.registerTool(tool("huge", async () => text("x".repeat(50_000_000))));
    pi.registerTool(tool("same", async () => text("first")));
    pi.registerTool(tool("ends", async () => process.exit(1)));
  };`,
  );
  place.extension(
    "b-same",
    `export default (pi) => {
    pi.registerTool(tool("same", async () => text("second")));
  };`,
  );
  place.extension(
    "c-odd",
    `export default (pi) => {
    pi.registerTool(tool("has a space", async () => text("never")));
  };`,
  );
  place.extension(
    "d-odd",
    `export default (pi) => {
    pi.registerTool(tool("no_object", async () => text("never"), Type.String()));
  };`,
  );
  const { call, names } = await connect(place);
  const offered = await names();
  expect(offered.filter((name) => name === "same")).toEqual(["same"]);
  expect(offered).not.toContain("has a space");
  expect(offered).not.toContain("no_object");
  expect(await call("throws")).toBe("error: it broke");
  expect(await call("nothing")).toContain("error: The tool's result cannot be used");
  expect(await call("garbage")).toContain("error: The tool's result cannot be used");
  expect(await call("circular")).toContain("error: ");
  const huge = await call("huge");
  expect(huge.length).toBeLessThan(500_000);
  expect(huge).toContain("49600000 more characters were left out");
  expect(await call("same")).toBe("first");
  expect(await call("ends")).toContain("error: The call broke off");
  expect(await call("same")).toBe("first");
});

it("fifty connections at once each get their own answers", async () => {
  const place = mcpPlace();
  place.extension(
    "echo",
    `export default (pi) => {
    const said = Type.Object({ said: Type.String() });
    pi.registerTool(tool("echo", async (_id, { said }) => text(said), said));
  };`,
  );
  const { names } = await connect(place);
  expect(await names()).toContain("echo");
  const heard = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const query = new URLSearchParams({ pid: String(process.pid), cwd: place.project });
      const { say, hear } = await openConversation(place.paths, `/v1/mcp?${query}`);
      const send = (message: object) =>
        say.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
      const clientInfo = { name: "raw", version: "1" };
      const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      send({ id: 1, method: "initialize", params: hello });
      send({ method: "notifications/initialized" });
      const params = { name: "echo", arguments: { said: `client ${index}` } };
      send({ id: 2, method: "tools/call", params });
      let text = "";
      for await (const part of hear) {
        text += part;
        if (/client \d+/.test(text)) break;
      }
      say.destroy();
      return /client \d+/.exec(text)?.[0];
    }),
  );
  expect(heard).toEqual(heard.map((_, index) => `client ${index}`));
  await until(async () => {
    const { services } = (await daemonStatus(place.paths)) ?? {};
    return JSON.stringify(services?.mcp) === '{"clients":1,"calls":0}';
  });
});

it("show tells a model what agents did, and says what it cannot find", async () => {
  const place = mcpPlace();
  const { call } = await connect(place);
  expect(await call("show")).toContain("is not in a git repository");
  execFileSync("git", ["init", "-q"], { cwd: place.project });
  expect(await call("show", { what: "abc" })).toContain("error: ");
  expect(await call("show", { chars: 1 })).toContain("error: The arguments are wrong");
  expect(existsSync(place.paths.socket)).toBe(true);
});
