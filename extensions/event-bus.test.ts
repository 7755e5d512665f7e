import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { InlineExtension } from "../src/extensions/index.ts";
import { createTestHost } from "../src/testing/index.ts";
import { embedded, tempDir } from "./test-kit/embedded.ts";

const TURNS = [
  {
    toolCalls: [
      { name: "ls", arguments: {} },
      { name: "ls", arguments: {} },
      { name: "bash", arguments: { command: "true" } },
    ],
  },
  { text: "Done." },
];
const start = (also: InlineExtension[] = []) =>
  embedded("event-bus.ts", { answers: [], turns: TURNS, also });

it("one end answers what the other asks", async () => {
  const { agent, seen, problems } = await start();
  await agent.prompt("/tool-stats");
  await agent.prompt("Look around");
  await agent.prompt("/tool-stats");
  expect(seen.notifications.map(({ message }) => message)).toEqual([
    "No tool was called yet.",
    "ls: 2\nbash: 1",
  ]);
  expect(problems()).toEqual([]);
});

it("an extension of someone else can ask too, and gets its own answer", async () => {
  const heard: unknown[] = [];
  const { agent } = await start([
    {
      name: "stranger",
      factory: (pi) => {
        pi.events.on("tool-stats:answer", (data) => heard.push(data));
        pi.on("agent_settled", () => pi.events.emit("tool-stats:ask", { id: "mine" }));
      },
    },
  ]);
  await agent.prompt("Look around");
  expect(heard).toEqual([{ id: "mine", stats: { ls: 2, bash: 1 } }]);
});

it("answers to other questions and nonsense on the channels do no harm", async () => {
  const host = await createTestHost({
    answers: [],
    extensions: [
      {
        name: "noise",
        factory: (pi) => {
          pi.events.on("tool-stats:ask", () => {
            pi.events.emit("tool-stats:answer", { id: "other", stats: { wrong: 1 } });
            pi.events.emit("tool-stats:answer", "nonsense");
          });
          pi.on("session_start", () => pi.events.emit("tool-stats:ask", null));
        },
      },
      join(import.meta.dirname, "event-bus.ts"),
    ],
  });
  onTestFinished(() => host.dispose());
  await host.command("/tool-stats");
  expect(host.ui.notifications.map(({ message }) => message)).toEqual(["No tool was called yet."]);
  expect(host.problems).toEqual([]);
});

it("a question nobody answers comes to an end", async () => {
  const asker = join(tempDir(), "asker.ts");
  const both = JSON.stringify(join(import.meta.dirname, "event-bus.ts"));
  writeFileSync(asker, `export { askingEnd as default } from ${both};`);
  const host = await createTestHost({ extensions: [asker], answers: [] });
  onTestFinished(() => host.dispose());
  await host.command("/tool-stats");
  expect(host.ui.notifications).toEqual([
    { message: "Nobody counts tool calls.", type: "warning" },
  ]);
});
