import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SeamEvent } from "../../events/index.ts";
import type { ExtensionAPI } from "../../extensions/index.ts";
import { SessionFile } from "../session/index.ts";
import { type HostedOptions, newHosted } from "./host.ts";
import { returns } from "./returns.ts";
import { HOLDS, LIMIT_MS } from "./stuck-agent.ts";
import { resultTexts, unansweredCalls } from "./texts.ts";
import { addTool, text } from "./tools.ts";

type Findings = Readonly<Record<string, unknown>>;

const TURNS = [
  { text: "Let me", toolCalls: [{ name: "probe" }, { name: "probe" }] },
  { text: "Still here", when: "Are you there" },
];

/** Two tool calls, and an extension that takes the turn down with it somewhere on the way. */
const cutOff = (options: HostedOptions) => async () => {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "seam-stuck-")));
  const session = SessionFile.create({ cwd: dir, dir });
  const file = session.getSessionFile() ?? "";
  const onDisk: string[] = [];
  const look = ({ type, toolCallId }: { type: string; toolCallId: string }) => {
    const isThere = readFileSync(file, "utf8").includes(`"toolCallId":"${toolCallId}"`);
    onDisk.push(`${type} ${isThere ? "there" : "not yet"}`);
  };
  const auditor = {
    name: "auditor",
    factory: (pi: ExtensionAPI) => {
      pi.on("before_tool_call_persist", look);
      pi.on("after_tool_call_persist", look);
    },
  };
  try {
    const host = await returns(
      "createAgent",
      newHosted({
        turns: TURNS,
        stuckMs: LIMIT_MS,
        extend: (pi) => addTool(pi, "probe", async () => text("probed")),
        ...options,
        session,
        extensions: [auditor, ...(options.extensions ?? [])],
      }),
    );
    const { agent } = host;
    const told: string[] = [];
    const pairs: object[] = [];
    agent.subscribe((event) => {
      const line = toldOf(event);
      if (line !== undefined) told.push(line);
      if (event.type !== "after_tool_call_persist") return;
      const { toolCallId, toolName, toolInput, toolResult, ...ids } = event;
      pairs.push({ toolCallId, toolName, toolInput, toolResult, ids });
    });
    await returns("prompt", agent.prompt("go"));
    const answer = agent.session
      .getEntries()
      .find((entry) => entry.type === "message" && entry.message.role === "assistant");
    const found = {
      told: [...told],
      pairs: [...pairs],
      onDisk: [...onDisk],
      answerId: answer?.id,
      results: resultTexts(agent),
      unanswered: unansweredCalls(agent),
    };
    await returns("another prompt", agent.prompt("Are you there?"));
    await returns("dispose", agent.dispose());
    return found;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

function toldOf(event: SeamEvent): string | undefined {
  switch (event.type) {
    case "tool_execution_start":
    case "tool_execution_end":
    case "before_tool_call_persist":
    case "after_tool_call_persist":
      return `${event.type} ${event.toolCallId}`;
    case "message_start":
    case "message_end":
      if (event.message.role !== "toolResult") return undefined;
      return `${event.type} ${event.message.toolCallId}`;
    case "turn_end":
      return `${event.type} ${event.toolResults.length}`;
    case "agent_end":
      return event.type;
    default:
      return undefined;
  }
}

/** Where the loop is when it is lost. */
export const CUT_OFF_CASES: Readonly<Record<string, () => Promise<Findings>>> = {
  "cut off before the first call runs": cutOff({ on: { tool_call: HOLDS["at once"] } }),
  "cut off in a tool": cutOff({ extend: (pi) => addTool(pi, "probe", HOLDS["at once"]) }),
  "cut off after a tool": cutOff({ on: { tool_result: HOLDS["at once"] } }),
  "cut off before the first result is stored": cutOff({
    on: { before_tool_call_persist: HOLDS["at once"] },
  }),
  "cut off after the first result is stored": cutOff({
    on: { after_tool_call_persist: HOLDS["at once"] },
  }),
  "cut off twice": cutOff({
    on: { tool_call: HOLDS["at once"] },
    extensions: [
      { name: "other", factory: (pi) => void pi.on("after_tool_call_persist", HOLDS["at once"]) },
    ],
  }),
};
