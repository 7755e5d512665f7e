import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { RpcClient } from "../test-kit/rpc-client.ts";

const folder = mkdtempSync(join(tmpdir(), "seam-rpc-"));
const TURNS = [...Array(6)].map(() => ({ when: "^(one|two)$", text: "said" }));
let client: RpcClient;

beforeAll(() => {
  mkdirSync(join(folder, ".git"));
  client = new RpcClient([...TURNS, { text: "the summary" }], folder, folder);
});
afterAll(() => {
  client.process.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

const settled = (after: number) =>
  client.find("agent_settled", ({ type }) => type === "agent_settled", after);

describe("the tree", () => {
  type Entry = { id: string; type: string; message?: { role: string } };
  const entries = async () => {
    const { data } = await client.ask({ type: "get_entries" });
    return (data as { entries: Entry[] }).entries;
  };
  const talk = async () => {
    await client.ask({ type: "new_session" });
    for (const message of ["one", "two"]) {
      const before = client.said.length;
      await client.ask({ type: "prompt", message });
      await settled(before);
    }
    return (await entries()).filter(({ message }) => message?.role === "user");
  };

  it("navigate_tree goes before a message, with a label, and gives its text back", async () => {
    const [, second] = await talk();
    const label = "here";
    expect(await client.ask({ type: "navigate_tree", targetId: second?.id, label })).toMatchObject({
      success: true,
      data: { cancelled: false, editorText: "two" },
    });
    expect((await entries()).at(-1)).toMatchObject({ type: "label", targetId: second?.id, label });
    expect(await client.ask({ type: "get_state" })).toMatchObject({ data: { messageCount: 2 } });
  });

  it("navigate_tree hands over what the summary should mind", async () => {
    const [first] = await talk();
    const before = client.said.length;
    await client.ask({
      type: "navigate_tree",
      targetId: first?.id,
      summarize: true,
      customInstructions: "Mind the tests",
      replaceInstructions: true,
    });
    expect(
      client.said.slice(before).find(({ type }) => type === "session_before_tree"),
    ).toMatchObject({
      preparation: {
        userWantsSummary: true,
        customInstructions: "Mind the tests",
        replaceInstructions: true,
      },
    });
    expect(
      await client.ask({ type: "navigate_tree", targetId: first?.id, label: 5 }),
    ).toMatchObject({ success: false, error: '"label" must be a string.' });
  });

  it("fork goes before a message or ends with an entry", async () => {
    const [, second] = await talk();
    const forked = await client.ask({ type: "fork", entryId: second?.id, position: "at" });
    expect(forked).toMatchObject({ success: true, data: { cancelled: false } });
    expect(forked.data).not.toHaveProperty("text");
    expect(await client.ask({ type: "get_state" })).toMatchObject({ data: { messageCount: 3 } });
    const again = (await entries()).filter(({ message }) => message?.role === "user")[1];
    expect(await client.ask({ type: "fork", entryId: again?.id })).toMatchObject({
      data: { cancelled: false, text: "two" },
    });
    expect(await client.ask({ type: "get_state" })).toMatchObject({ data: { messageCount: 2 } });
    expect(await client.ask({ type: "fork", entryId: again?.id, position: "after" })).toMatchObject(
      { success: false, error: '"position" must be one of: before, at.' },
    );
  });
});
