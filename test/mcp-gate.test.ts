import { expect, it, onTestFinished } from "vitest";
import { askService, watchPeople } from "../src/daemon/index.ts";
import { testDaemon, testPlace } from "../src/daemon/test-kit/setup.ts";
import { mcpService } from "../src/mcp/index.ts";
import { connect, ERAS, HEAD, until } from "./mcp/clients.ts";
import { sampled } from "./setup/sample.ts";

const GATE = `${HEAD}export default (pi) => {
  pi.registerTool(tool("greet", async () => text("Hello!")));
  pi.registerTool(tool("asks", async (_id, _params, _signal, _update, ctx) => {
    const name = await ctx.ui.select("Whom?", ["Alice", "Bob"]);
    const why = await ctx.ui.input("Why?");
    return text([ctx.hasUI, name, why].join(" "));
  }));
  pi.on("tool_call", (event) => event.toolName === "greet" && { ask: true, reason: "Strangers?" });
};
`;

/** A daemon in this process with a gate, and somebody at its inbox who can leave. */
async function attendedGate() {
  const place = testPlace();
  place.write({ "extensions/gate.ts": GATE });
  await testDaemon(place, { services: [mcpService()], comeBackMs: 30 });
  const abort = new AbortController();
  const asked: string[] = [];
  /** What is answered at once, by what is asked. */
  const answers = new Map<string, string>();
  let isAttached = false;
  const watching = (async () => {
    for await (const line of watchPeople(place, { name: "test", signal: abort.signal })) {
      if (line.type === "asked") {
        const { id, title } = line.question;
        asked.push(title);
        const value = answers.get(title);
        if (value !== undefined) await askService(place, "POST", "/v1/inbox/answer", { id, value });
      }
      isAttached = true;
    }
  })();
  onTestFinished(() => abort.abort());
  await until(() => isAttached);
  return {
    where: { paths: place, project: place.project },
    asked,
    answers,
    questions: async () => JSON.stringify(await askService(place, "GET", "/v1/inbox")),
    leave: () => {
      abort.abort();
      return watching;
    },
  };
}

it.each(ERAS)(
  "a tool of the %s era that has a question is answered at the inbox, also where its client could ask",
  async (era) => {
    const { where, answers } = await attendedGate();
    answers.set("Whom?", "Bob").set("Why?", "because");
    const elicited: string[] = [];
    const { call } = await connect(where, era, {
      options: { capabilities: { elicitation: { form: {} } } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", async ({ params }) => {
          elicited.push(params.message);
          return { action: "cancel" };
        }),
    });
    expect(await call("asks")).toBe("true Bob because");
    expect(elicited).toEqual([]);
  },
);

it.each(sampled(ERAS, "modern"))(
  "a call of the %s era whose gate waits for a person is refused when the last one leaves",
  async (era) => {
    const { where, asked, questions, leave } = await attendedGate();
    const { call } = await connect(where, era);
    const called = call("greet");
    await until(() => asked.includes("May greet run?"));
    await leave();
    expect(await called).toContain("error: ");
    expect(await questions()).toContain('"questions":[]');
    // The next call is not put to anybody.
    expect(await call("greet")).toContain("error: Strangers?");
    expect(asked.filter((title) => title === "May greet run?")).toHaveLength(1);
  },
);

it.each(sampled(ERAS, "legacy"))(
  "a client of the %s era that can ask its own user does so when the last one leaves",
  async (era) => {
    const { where, asked, leave } = await attendedGate();
    const elicited: string[] = [];
    const { call } = await connect(where, era, {
      options: { capabilities: { elicitation: { form: {} } } },
      prepare: (client) =>
        client.setRequestHandler("elicitation/create", async ({ params }) => {
          elicited.push(params.message);
          return { action: "accept", content: { answer: true } };
        }),
    });
    const called = call("greet");
    await until(() => asked.includes("May greet run?"));
    expect(elicited).toEqual([]);
    await leave();
    expect(await called).toBe("Hello!");
    expect(elicited).toEqual(["May greet run?\n\nStrangers?"]);
  },
);
