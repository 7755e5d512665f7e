import { describe, expect, it } from "vitest";
import { hosted, storedMessages, testProject, textsOf } from "./test-kit/index.ts";

const project = testProject();

describe("what handlers of input return", () => {
  it("takes the place of what was typed", async () => {
    const { agent, requests } = await hosted({
      cwd: project.root,
      turns: [{ text: "ok" }],
      on: { input: ({ text }) => ({ action: "transform", text: text.toUpperCase() }) },
    });
    await agent.prompt("hello");
    expect(textsOf(requests[0]?.messages)).toEqual(["HELLO"]);
    expect(textsOf(storedMessages(agent))).toEqual(["HELLO", "ok"]);
  });

  it("ends the matter when it was handled: no message, no model call", async () => {
    const { agent, requests, of } = await hosted({
      cwd: project.root,
      on: { input: () => ({ action: "handled" }) },
    });
    await agent.prompt("ping");
    expect(requests).toEqual([]);
    expect(agent.session.getEntries()).toEqual([]);
    expect(of("agent_start")).toEqual([]);
  });

  it("may bring pictures", async () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const { agent } = await hosted({
      cwd: project.root,
      turns: [{ text: "ok" }],
      on: { input: ({ text }) => ({ action: "transform", text, images: [image] }) },
    });
    await agent.prompt("look");
    const [first] = storedMessages(agent);
    expect(first).toMatchObject({ content: [{ type: "text", text: "look" }, image] });
  });
});

describe("what handlers of before_agent_start return", () => {
  it("reaches the model: a message after the prompt, and the system prompt", async () => {
    const { agent, requests } = await hosted({
      cwd: project.root,
      turns: [{ text: "ok" }, { text: "ok" }],
      on: {
        before_agent_start: ({ prompt, systemPrompt }) =>
          prompt === "first"
            ? {
                message: { customType: "hint", content: "Mind the gap", display: false },
                systemPrompt: `${systemPrompt}\n\nSpeak like a pirate.`,
              }
            : undefined,
      },
    });
    await agent.prompt("first");
    await agent.prompt("second");
    expect(textsOf(requests[0]?.messages)).toEqual(["first", "Mind the gap"]);
    expect(requests[0]?.systemPrompt).toContain("pirate");
    expect(requests[1]?.systemPrompt).not.toContain("pirate");
    expect(agent.session.getEntries()[1]).toMatchObject({
      type: "custom_message",
      customType: "hint",
      content: "Mind the gap",
      display: false,
    });
  });
});

describe("what handlers of context return", () => {
  it("changes what is sent and nothing that is stored", async () => {
    const { agent, requests } = await hosted({
      cwd: project.root,
      turns: [{ text: "one" }, { text: "two" }],
      on: { context: ({ messages }) => ({ messages: messages.slice(-1) }) },
    });
    await agent.prompt("first");
    await agent.prompt("second");
    expect(textsOf(requests[1]?.messages)).toEqual(["second"]);
    expect(textsOf(storedMessages(agent))).toEqual(["first", "one", "second", "two"]);
  });

  it("also counts when the messages are changed in place", async () => {
    const { agent, requests } = await hosted({
      cwd: project.root,
      turns: [{ text: "one" }],
      on: { context: ({ messages }) => void messages.splice(0, messages.length) },
    });
    await agent.prompt("secret");
    expect(requests[0]?.messages).toEqual([]);
    expect(textsOf(storedMessages(agent))).toEqual(["secret", "one"]);
  });
});

describe("what handlers of before_provider_request return", () => {
  it("is what the provider gets", async () => {
    const { agent } = await hosted({
      cwd: project.root,
      turns: [{ when: "^changed$", text: "I was asked something else" }, { text: "as usual" }],
      on: {
        before_provider_request: ({ payload }) => ({
          ...(payload as object),
          messages: [{ role: "user", content: "changed", timestamp: 0 }],
        }),
      },
    });
    await agent.prompt("original");
    expect(textsOf(storedMessages(agent))).toEqual(["original", "I was asked something else"]);
  });
});

describe("what handlers of message_end return", () => {
  it("is what is stored and sent from then on", async () => {
    const { agent, requests, of } = await hosted({
      cwd: project.root,
      turns: [{ text: "the password is swordfish" }, { text: "two" }],
      on: {
        message_end: ({ message }) =>
          message.role === "assistant"
            ? { message: { ...message, content: [{ type: "text", text: "[redacted]" }] } }
            : undefined,
      },
    });
    await agent.prompt("first");
    await agent.prompt("second");
    expect(textsOf(storedMessages(agent))[1]).toBe("[redacted]");
    expect(textsOf(requests[1]?.messages)).toEqual(["first", "[redacted]", "second"]);
    expect(textsOf(of("agent_end")[0]?.messages)).toEqual(["first", "[redacted]"]);
  });

  it.each([
    ["returned", (message: object) => ({ message: { ...message, content: { junk: true } } })],
    ["edited in place", (message: object) => void Object.assign(message, { content: "junk" })],
  ])(
    "is refused if it cannot be used (%s), and the turn goes on with what was there",
    async (_, spoil) => {
      const { agent } = await hosted({
        cwd: project.root,
        turns: [{ toolCalls: [{ name: "ls" }] }, { text: "done" }],
        on: {
          message_end: ({ message }) => {
            if (message.role !== "user") return spoil(message) as undefined;
          },
        },
      });
      await agent.prompt("first");
      expect(agent.lastError).toBeUndefined();
      expect(textsOf(storedMessages(agent)).at(-1)).toBe("done");
      expect(agent.extensions.problems[0]?.error).toMatchObject({
        code: "SEAM_HANDLER_RESULT",
        message: expect.stringContaining("content"),
      });
    },
  );

  it("is refused if it has another role", async () => {
    const { agent } = await hosted({
      cwd: project.root,
      turns: [{ text: "one" }],
      on: { message_end: () => ({ message: { role: "user", content: "x", timestamp: 0 } }) },
    });
    await agent.prompt("first");
    expect(storedMessages(agent).map(({ role }) => role)).toEqual(["user", "assistant"]);
    expect(agent.extensions.problems[0]?.error.code).toBe("SEAM_HANDLER_RESULT");
  });
});

describe("what handlers of resources_discover return", () => {
  it("is looked through for skills and prompts", async () => {
    const skill = "---\nname: extra\ndescription: More\n---\nBe thorough.\n";
    project.write("more/skills/extra/SKILL.md", skill);
    project.write("more/prompts/greet.md", "Greet $1 warmly");
    const { agent, requests, pi } = await hosted({
      cwd: project.root,
      turns: [{ text: "ok" }, { text: "ok" }],
      on: {
        resources_discover: () => ({ skillPaths: ["more/skills"], promptPaths: ["more/prompts"] }),
      },
    });
    expect(pi.getCommands().map(({ name }) => name)).toEqual(["greet", "skill:extra"]);
    await agent.prompt("/greet Ada");
    expect(textsOf(requests[0]?.messages)).toEqual(["Greet Ada warmly"]);
    await agent.prompt("/skill:extra now");
    expect(textsOf(requests[1]?.messages).at(-1)).toContain("Be thorough.");
    expect(requests[1]?.systemPrompt).toContain("extra");
  });
});
