import { expect, it } from "vitest";
import { agentNamed, eventsFor } from "../agents/index.ts";
import { turns, withCutOff } from "./history/turns.ts";
import { recordStatus } from "./record-status.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

/** What is said of the ends of the turns, the newest first. */
async function ends(shop: Workshop): Promise<(string | undefined)[]> {
  const record = await shop.record();
  const found = await turns(record.store);
  const told = await Promise.all(found.map((turn) => withCutOff(record, turn)));
  return told.map(({ cut_off }) => cut_off);
}

async function atWork(shop: Workshop): Promise<FakeClaude> {
  const claude = await new FakeClaude(shop).start();
  await claude.turn("All of it", () => claude.write("a.ts", "export const a = 1;\n"));
  await claude.prompt("And more");
  await claude.write("b.ts", "export const b = 1;\n");
  return claude;
}

it("a turn whose agent was killed is said to be cut off: at once, and for good", async () => {
  const shop = await Workshop.open();
  const claude = await atWork(shop);
  expect(await ends(shop)).toEqual([undefined, undefined]);
  await claude.die();
  expect(await ends(shop)).toEqual(["agent", undefined]);
  const { repo } = await shop.record();
  expect((await recordStatus(repo)).sessions).toMatchObject([{ phase: "ended" }]);
  await shop.recorder.sweep();
  const [last] = await turns((await shop.record()).store);
  expect(last).toMatchObject({ cut_off: "agent", files: ["b.ts"] });
  const { sessions } = await shop.checkpoint(await shop.commitAll("What is there"));
  expect(sessions[0]?.metadata).toMatchObject({
    cut_off: "agent",
    files_touched: ["a.ts", "b.ts"],
  });
});

it("a commit in a turn that was cut off later says so too", async () => {
  const shop = await Workshop.open();
  const claude = await atWork(shop);
  await claude.bash("git add -A && git commit -q -m 'In the middle'");
  const id = shop.idAt();
  expect((await shop.checkpoint(id)).sessions[0]?.metadata).not.toHaveProperty("cut_off");
  await claude.die();
  await shop.recorder.sweep();
  expect((await shop.checkpoint(id)).sessions[0]?.metadata).toMatchObject({ cut_off: "agent" });
});

it("an agent that is told to end in the middle of a turn has cut it off", async () => {
  const shop = await Workshop.open();
  const claude = await atWork(shop);
  await claude.hook("SessionEnd", { reason: "other" });
  expect(await ends(shop)).toEqual(["agent", undefined]);
});

it("a turn that its user stopped is not the agent's doing", async () => {
  const shop = await Workshop.open();
  const claude = await atWork(shop);
  const content = [{ type: "text", text: "[Request interrupted by user]" }];
  const timestamp = new Date().toISOString();
  claude.line({ type: "user", message: { role: "user", content }, uuid: "esc", timestamp });
  // Whoever looks before the recorder has noticed it is told, too.
  expect(await ends(shop)).toEqual(["user", undefined]);
  await shop.recorder.sweep();
  expect(await ends(shop)).toEqual(["user", undefined]);
});

it("a turn without an end before the next prompt was cut off, and the next one was not", async () => {
  const shop = await Workshop.open();
  const claude = await atWork(shop);
  await claude.turn("Something else", () => {});
  await claude.hook("SessionEnd", { reason: "other" });
  expect(await ends(shop)).toEqual([undefined, "unknown", undefined]);
});

it("a turn is stopped by its user where the agent's hook says so", async () => {
  const shop = await Workshop.open();
  const hooks = agentNamed("codex")?.hooks;
  const tell = async (hook: string, more: object = {}) => {
    const about = { session_id: "c0dec", cwd: shop.root, hook_event_name: hook };
    const reading = hooks?.read(hook, { ...about, ...more });
    const row = hooks?.mapping[hook];
    if (!reading || !row) throw new Error(`no such hook: ${hook}`);
    const seq = shop.nextSeq();
    await shop.tell({
      seq,
      id: `codex-${seq}`,
      at: new Date().toISOString(),
      agent: "codex",
      hook,
      cwd: shop.root,
      reading,
      events: eventsFor(row, reading).map(({ type }) => type),
      told: {},
    });
  };
  await tell("SessionStart", { source: "startup" });
  await tell("UserPromptSubmit", { prompt: "Look at it" });
  await tell("Interrupt");
  await tell("UserPromptSubmit", { prompt: "Go on" });
  await tell("Stop");
  expect(await ends(shop)).toEqual([undefined, "user"]);
});
