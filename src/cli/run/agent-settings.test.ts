import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import type { SeamEvent } from "../../events/index.ts";
import { createAgent, type ScriptedTurn, scriptedModels } from "../../host/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { agentSettings } from "./agent-settings.ts";

/** What an agent with these settings fires, until it is idle. */
async function fired(settings: object, turns: readonly ScriptedTurn[]): Promise<SeamEvent[]> {
  const home = mkdtempSync(join(tmpdir(), "seam-settings-"));
  vi.stubEnv("SEAM_HOME", home);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(home, { recursive: true, force: true });
  });
  writeFileSync(join(home, "settings.json"), JSON.stringify(settings));
  const events: SeamEvent[] = [];
  const agent = await createAgent({
    ...agentSettings(loadSettings(home).settings),
    models: scriptedModels(turns, { env: {} }),
    cwd: home,
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => agent.dispose());
  await agent.prompt("go");
  return events;
}

const busy = { error: { status: 529, message: "busy" } };
const retries = async (settings: object) =>
  (await fired(settings, [busy, busy, { text: "ok" }])).flatMap((event) =>
    event.type === "auto_retry_start" ? [event.delayMs] : [],
  );

it("an agent asks again as often and after as long as is set", async () => {
  expect(await retries({ retry: { baseDelayMs: 3 } })).toEqual([3, 6]);
  expect(await retries({ retry: { baseDelayMs: 3, maxDelayMs: 4 } })).toEqual([3, 4]);
  expect(await retries({ retry: { maxRetries: 1, baseDelayMs: 3 } })).toEqual([3]);
  expect(await retries({ retry: { enabled: false } })).toEqual([]);
});

it("it compacts when that is set, and is reminded of todos as often", async () => {
  const full = { text: "ok", usage: { input: 199_000, output: 1 } };
  const summary = { text: "notes" };
  const starts = async (settings: object) =>
    (await fired(settings, [full, summary])).filter(({ type }) => type === "auto_compaction_start");
  expect(await starts({})).toHaveLength(1);
  expect(await starts({ compaction: { enabled: false } })).toEqual([]);
  const todos = [{ content: "a", status: "pending" }];
  const turns = [
    { toolCalls: [{ name: "todo", arguments: { todos } }] },
    summary,
    summary,
    summary,
  ];
  const reminders = async (settings: object) =>
    (await fired(settings, turns)).filter(({ type }) => type === "todo_reminder");
  expect(await reminders({ maxTodoReminders: 1 })).toHaveLength(1);
  expect(await reminders({ maxTodoReminders: 0 })).toEqual([]);
});
