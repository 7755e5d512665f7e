import { describe, expect, it } from "vitest";
import { SessionFile } from "./session/index.ts";
import {
  addTool,
  type HostedOptions,
  hosted,
  storedMessages,
  testProject,
  text,
  textsOf,
  unansweredCalls,
} from "./test-kit/index.ts";

const project = testProject();
const run = (options: HostedOptions) => hosted({ cwd: project.root, ...options });
const rule = (name: string, condition: string, more = "") =>
  project.write(
    `.seam/rules/${name}.md`,
    `---\ncondition: '${condition}'\n${more}---\nNo ${name}.`,
  );

describe("a rule the answer runs into", () => {
  it("stops it, is told to the model, and the model answers again", async () => {
    rule("any", ": any");
    const host = await run({
      turns: [
        { text: "let x: any = 1; and much more", chunkSize: 4 },
        { text: "let x: number = 1;" },
      ],
    });
    await host.agent.prompt("Declare x");
    expect(host.of("ttsr_triggered")).toMatchObject([{ rules: [{ name: "any" }] }]);
    const [, stopped, answer] = storedMessages(host.agent);
    expect(stopped).toMatchObject({ stopReason: "aborted" });
    expect(textsOf([stopped ?? answer].flatMap((m) => m ?? []))[0]).not.toContain("much more");
    const [prompt, told] = textsOf(host.requests[1]?.messages);
    expect([prompt, told]).toEqual(["Declare x", expect.stringContaining("No any.")]);
    expect(host.requests[1]?.messages).toHaveLength(2);
    expect(answer).toMatchObject({ stopReason: "stop" });
    expect(host.of("agent_settled")).toMatchObject([{ aborted: false }]);
  });

  it("in the arguments of a call: the call is not made and has a result", async () => {
    rule("rm", "rm -rf");
    const ran: unknown[] = [];
    const host = await run({
      turns: [
        {
          toolCalls: [{ name: "sh", arguments: { command: "rm -rf / --no-preserve" } }],
          chunkSize: 3,
        },
        { text: "sorry" },
      ],
      extend: (pi) =>
        addTool(pi, "sh", async (_id, params) => {
          ran.push(params);
          return text("ran");
        }),
    });
    await host.agent.prompt("Clean up");
    expect(host.of("ttsr_triggered")).toHaveLength(1);
    expect(ran).toEqual([]);
    expect(unansweredCalls(host.agent)).toEqual([]);
    expect(host.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "user"]);
  });

  it("speaks up once in a session", async () => {
    rule("any", ": any");
    const host = await run({
      turns: [{ text: "x: any" }, { text: "still : any" }, { text: "and : any" }],
    });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("ttsr_triggered")).toHaveLength(1);
    expect(host.requests).toHaveLength(3);
  });

  it("does not speak up again after a reload, nor when the session is resumed", async () => {
    rule("any", ": any");
    const session = SessionFile.create({ cwd: project.root, dir: project.home });
    const host = await run({
      session,
      turns: [{ text: "x: any" }, { text: "fine" }, { text: "again : any" }],
    });
    await host.agent.prompt("first");
    await host.agent.reload();
    await host.agent.prompt("second");
    expect(host.of("ttsr_triggered")).toHaveLength(1);
    await host.agent.dispose();

    const resumed = await run({
      session: SessionFile.open(session.getSessionFile() ?? "").session,
      turns: [{ text: "x: any" }],
    });
    await resumed.agent.prompt("third");
    expect(resumed.of("ttsr_triggered")).toEqual([]);
    expect(textsOf(storedMessages(resumed.agent)).at(-1)).toBe("x: any");
  });

  it("speaks up again in another session", async () => {
    rule("any", ": any");
    const host = await run({
      turns: [{ text: "x: any" }, { text: "fine" }, { text: "y: any" }, { text: "fine" }],
    });
    await host.agent.prompt("first");
    await host.agent.newSession();
    await host.agent.prompt("second");
    expect(host.of("ttsr_triggered")).toHaveLength(2);
  });
});

describe("a rule that repeats", () => {
  it("cannot keep a stubborn model from ever answering", async () => {
    rule("any", ": any", "repeat: true\n");
    const stubborn = Array.from({ length: 50 }, () => ({ text: "x: any, always" }));
    const host = await run({ turns: stubborn });
    await host.agent.prompt("Declare x");
    expect(host.of("ttsr_triggered").length).toBeGreaterThan(1);
    expect(host.requests.length).toBeLessThan(20);
    expect(storedMessages(host.agent).at(-1)).toMatchObject({ stopReason: "stop" });
  });

  it("speaks up again in the next turn", async () => {
    rule("any", ": any", "repeat: true\n");
    const host = await run({
      turns: [{ text: "x: any" }, { text: "fine" }, { text: "y: any" }, { text: "fine" }],
    });
    await host.agent.prompt("first");
    await host.agent.prompt("second");
    expect(host.of("ttsr_triggered")).toHaveLength(2);
  });
});

describe("a rule that cannot be used", () => {
  it("is said and does not keep the agent from starting", async () => {
    project.write(".seam/rules/bad.md", "---\ncondition: '('\n---\nNo.");
    const logged: string[] = [];
    const host = await run({
      turns: [{ text: "fine" }],
      onLog: (level, line) => logged.push(`${level} ${line}`),
    });
    await host.agent.prompt("go");
    expect(logged).toContainEqual(expect.stringMatching(/^warn .*bad\.md/));
    expect(textsOf(storedMessages(host.agent))).toEqual(["go", "fine"]);
  });
});
