import { describe, expect, it } from "vitest";
import type { SessionEntry } from "../events/index.ts";
import { SessionTree } from "./session/index.ts";
import {
  addTool,
  type HostedOptions,
  hosted,
  never,
  returns,
  storedMessages,
  testProject,
  text,
  textsOf,
} from "./test-kit/index.ts";

const project = testProject();

/** A session on a disk that fills up when an entry is to be written that `isTooMuch`. */
async function onFullDisk(
  isTooMuch: (entry: SessionEntry) => boolean,
  options: HostedOptions = {},
) {
  const disk = { isFull: true };
  const session = new SessionTree({
    cwd: project.root,
    onAppend: (entry) => {
      if (disk.isFull && isTooMuch(entry)) throw new Error("ENOSPC: no space left on device");
    },
  });
  const logged: string[] = [];
  const host = await hosted({
    cwd: project.root,
    session,
    turns: [
      { toolCalls: [{ name: "quick" }] },
      { text: "done" },
      { text: "again" },
      { text: "again" },
    ],
    extend: (pi) => addTool(pi, "quick", async () => text("quick")),
    onLog: (level, line) => logged.push(`${level}: ${line}`),
    ...options,
  });
  return { ...host, disk, logged };
}

const isRole = (role: string) => (entry: SessionEntry) =>
  entry.type === "message" && entry.message.role === role;

describe("a disk that is full", () => {
  it.each(["user", "assistant", "toolResult"])(
    "when a message of %s is to be stored ends the turn, not the agent",
    async (role) => {
      const host = await onFullDisk(isRole(role));
      const { agent, of } = host;
      await returns("prompt", agent.prompt("go"));
      expect(String(agent.lastError)).toContain("ENOSPC");
      expect(host.logged).toContainEqual(expect.stringMatching(/^error: .*ENOSPC/));
      expect(of("agent_settled")).toMatchObject([{ aborted: false }]);
      expect(of("agent_end")).toHaveLength(1);
      expect(agent.isIdle).toBe(true);
      expect(storedMessages(agent).map((one) => one.role)).not.toContain(role);
      expect(of("after_tool_call_persist")).toEqual([]);

      host.disk.isFull = false;
      await returns("the next prompt", agent.prompt("and now?"));
      expect(agent.lastError).toBeUndefined();
      expect(textsOf(storedMessages(agent))).toContain("and now?");
      expect(storedMessages(agent).at(-1)).toMatchObject({ role: "assistant", stopReason: "stop" });
    },
  );

  it("does not leave other tools of the same answer running", async () => {
    let signal: AbortSignal | undefined;
    const { agent } = await onFullDisk(isRole("toolResult"), {
      turns: [{ toolCalls: [{ name: "quick" }, { name: "endless" }] }],
      extend: (pi) => {
        addTool(pi, "quick", async () => text("quick"));
        addTool(pi, "endless", (_id, _params, given) => {
          signal = given;
          return never();
        });
      },
    });
    await returns("prompt", agent.prompt("go"));
    expect(signal?.aborted).toBe(true);
  });

  it("when a compaction is to be stored: it failed, the session goes on", async () => {
    const { agent, of } = await onFullDisk(({ type }) => type === "compaction", {
      turns: [{ text: "one" }, { text: "two" }, { text: "a summary" }, { text: "three" }],
      compaction: { keepRecentTokens: 3 },
    });
    await agent.prompt("first");
    await agent.prompt("second");
    expect((await agent.compact()).error).toContain("ENOSPC");
    expect(of("session_compact_failed")).toHaveLength(1);
    expect(of("session_compact")).toEqual([]);
    await agent.prompt("third");
    expect(textsOf(storedMessages(agent)).at(-1)).toBe("three");
  });
});

describe("someone who looks on and fails", () => {
  it("cannot stop the work", async () => {
    const logged: string[] = [];
    const { agent } = await hosted({
      cwd: project.root,
      turns: [{ text: "done" }],
      onLog: (_level, line) => logged.push(line),
    });
    agent.subscribe(() => {
      throw new Error("broken pipe");
    });
    await returns("prompt", agent.prompt("go"));
    expect(textsOf(storedMessages(agent))).toEqual(["go", "done"]);
    expect(agent.lastError).toBeUndefined();
    expect(logged[0]).toContain("broken pipe");
  });
});
