import { expect, it } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

it("a session's start that is told after its first prompt does not end the turn [copilot-start-overtaken]", async () => {
  const shop = await Workshop.open();
  const agent = new FakeClaude(shop);
  await agent.prompt("Write it");
  const [prompt] = shop.journal;
  if (!prompt) throw new Error("nothing was told");
  const { id: _, events: __, ...rest } = prompt;
  await shop.tell({
    ...rest,
    seq: shop.nextSeq(),
    id: "late",
    hook: "SessionStart",
    at: "2026-01-01T00:00:00.000Z",
    events: ["session_start"],
  });
  const { states } = await shop.record();
  expect(states.get("claude-code", agent.id)).toMatchObject({ phase: "active", turn_count: 1 });
  await agent.bash("echo made > made.txt; git add .; git commit -qm Work");
  expect(shop.idAt()).toBeDefined();
});
