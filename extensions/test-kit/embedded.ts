import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { SeamEvent } from "../../src/events/index.ts";
import { type AgentOptions, createAgent } from "../../src/host/index.ts";
import { type Models, type ScriptedTurn, scriptedModels } from "../../src/host/models/index.ts";
import { type Answer, scriptedUI } from "../../src/testing/scripted-ui.ts";

const NOWHERE = { env: {}, modelsFile: "/nowhere/models.json", authFile: "/nowhere/auth.json" };

interface Options extends Omit<AgentOptions, "models" | "ui" | "extensions"> {
  readonly turns?: readonly ScriptedTurn[];
  /** Without any, there is nobody to ask. */
  readonly answers?: readonly Answer[];
  /** Called before the extensions are loaded. */
  readonly prepare?: (models: Models) => void;
  /** Further extensions, after the one that is tested. */
  readonly also?: NonNullable<AgentOptions["extensions"]>;
}

/** The embedded agent with an example, a scripted model and a scripted person; gone after the test. */
export async function embedded(example: string, options: Options = {}) {
  const { turns = [], answers, prepare, also = [], ...rest } = options;
  const models = scriptedModels(turns, NOWHERE);
  prepare?.(models);
  const { ui, seen } = scriptedUI(answers ?? []);
  const agent = await createAgent({
    cwd: tempDir(),
    models,
    model: models.resolve("scripted/script"),
    extensions: [join(import.meta.dirname, "..", example), ...also],
    ...(answers && { ui }),
    ...rest,
  });
  onTestFinished(() => agent.dispose());
  const events: SeamEvent[] = [];
  agent.subscribe((event) => events.push(event));
  return {
    agent,
    seen,
    /** The events of one type so far. */
    all: <Type extends SeamEvent["type"]>(type: Type) =>
      events.filter((event): event is Extract<SeamEvent, { type: Type }> => event.type === type),
    /** Each request as the model got it. */
    requests: () =>
      events.flatMap((event) =>
        event.type === "before_provider_request" ? [event.payload as Request] : [],
      ),
    problems: () => agent.extensions.problems.map(({ error }) => error.message),
  };
}

interface Request {
  readonly system: string;
  readonly messages: readonly { role: string; content: unknown }[];
  readonly tools: readonly { name: string; description: string }[];
}

/** What the tools of the conversation answered, as text. */
export function toolResults(agent: Awaited<ReturnType<typeof createAgent>>) {
  return agent.session.getBranch().flatMap((entry) => {
    if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
    const { toolName, content, isError, details } = entry.message;
    const text = content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return [{ toolName, text, isError, details }];
  });
}

/** A folder that is gone after the test. */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "seam-example-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }));
  return dir;
}
