import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { subagentWork } from "./history/subagent-work.ts";
import { turns } from "./history/turns.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const A = "export const a = 1;\n";

/** A turn that is answered while its children go on. */
async function answered(): Promise<{ shop: Workshop; claude: FakeClaude }> {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Do it in the background", () => {});
  return { shop, claude };
}

async function told(shop: Workshop) {
  const { store } = await shop.record();
  return (await turns(store)).map(({ prompt, files }) => ({ prompt, files }));
}

it("what children write after the answer is the turn's, as often as one of them ends [claude-works-after-stop]", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("one.ts", A));
  await claude.inChild("two", () => claude.bash("echo two > two.txt"));
  await claude.childStops("one");
  await claude.inChild("two", () => claude.write("two.ts", A));
  await claude.childStops("two");
  const files = ["one.ts", "two.ts", "two.txt"];
  expect(await told(shop)).toEqual([{ prompt: "Do it in the background", files }]);
  const id = (await shop.commitAll("By a person")) ?? "";
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata).toMatchObject({
    files_touched: files,
    session_metrics: { turn_count: 1 },
    // One answer; three calls and two answers of children.
    token_usage: { api_call_count: 1, subagent_tokens: { api_call_count: 5 } },
  });
});

it("the end of a task is no prompt: its turn goes on", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("one.ts", A));
  await claude.childStops("one");
  await claude.notify("one");
  await claude.write("after.ts", A);
  await claude.stop();
  const files = ["after.ts", "one.ts"];
  expect(await told(shop)).toEqual([{ prompt: "Do it in the background", files }]);
  const id = (await shop.commitAll("By a person")) ?? "";
  expect(shop.file(id, "0/prompt.txt")).toBe("Do it in the background");
});

it("a task that a shell did in the background is of the turn that began it", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  await claude.turn("Build it", () => claude.bash("true"));
  shop.write("built.txt", "built\n");
  await claude.notify("shell");
  await claude.stop();
  expect(await told(shop)).toEqual([{ prompt: "Build it", files: ["built.txt"] }]);
});

it("a child that outlives the next prompt works for that one", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("early.ts", A));
  await claude.turn("Something else", () => claude.inChild("one", () => claude.write("mid.ts", A)));
  await claude.inChild("one", () => claude.write("late.ts", A));
  await claude.childStops("one");
  expect(await told(shop)).toEqual([
    { prompt: "Something else", files: ["late.ts", "mid.ts"] },
    { prompt: "Do it in the background", files: ["early.ts"] },
  ]);
  const id = (await shop.commitAll("All of it")) ?? "";
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata.files_touched).toEqual(["early.ts", "late.ts", "mid.ts"]);
});

it("a child makes commits of its own, which have its session", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () =>
    claude.bash("echo 'a line of it' > a.txt && git add . && git commit -q -m 'By a child'"),
  );
  const id = shop.idAt() ?? "";
  await claude.childStops("one");
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata).toMatchObject({ session_id: claude.id, files_touched: ["a.txt"] });
  expect(sessions[0]?.metadata.finalized_at).toBeDefined();
});

it("what comes after a commit of what was there is in the next one, with the same prompt", async () => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.write("early.ts", A));
  await claude.childStops("one");
  await shop.commitAll("Early");
  await claude.inChild("two", () => claude.write("late.ts", A));
  await claude.childStops("two");
  const id = (await shop.commitAll("Late")) ?? "";
  expect(shop.file(id, "0/prompt.txt")).toBe("Do it in the background");
  const { sessions } = await shop.checkpoint(id);
  expect(sessions[0]?.metadata.files_touched).toEqual(["late.ts"]);
});

it.each([
  [
    "is killed",
    async (shop: Workshop, claude: FakeClaude) => {
      await claude.die();
      await shop.recorder.sweep();
    },
  ],
  ["ends", (_: Workshop, claude: FakeClaude) => claude.hook("SessionEnd", { reason: "clear" })],
  [
    "is followed by a restart of the recorder",
    async (shop: Workshop, claude: FakeClaude) => {
      await shop.restart();
      await claude.childStops("one");
    },
  ],
])("what a child did until its agent %s is kept", async (_, happen) => {
  const { shop, claude } = await answered();
  await claude.inChild("one", () => claude.bash("echo 'a line of it' > a.txt"));
  await happen(shop, claude);
  expect(await told(shop)).toEqual([{ prompt: "Do it in the background", files: ["a.txt"] }]);
  const { sessions } = await shop.checkpoint(await shop.commitAll("Late"));
  expect(sessions[0]?.metadata.files_touched).toEqual(["a.txt"]);
});

it("what a person writes when nothing is under way is not the agent's", async () => {
  const { shop, claude } = await answered();
  await claude.childStops("one");
  shop.write("mine.txt", "a line of mine\n");
  await claude.turn("Next", () => claude.write("its.ts", A));
  expect((await told(shop)).map(({ files }) => files)).toEqual([["its.ts"], []]);
});

it("what each child did, also after the answer, is told below the call that started it", async () => {
  const shop = await Workshop.open();
  const claude = await new FakeClaude(shop).start();
  const begins = (id: string, prompt: string) =>
    claude.inChild(id, () => claude.line({ type: "user", message: { content: prompt } }));
  await claude.prompt("Do it in the background");
  const first = await claude.tool("Agent", { prompt: "The first part" }, () => {});
  const second = await claude.tool("Agent", { prompt: "The second part" }, () => {});
  // The names of children say nothing of their order.
  await begins("z", "The first part");
  await begins("a", "The second part");
  await claude.inChild("a", () => claude.write("a.ts", A));
  await claude.stop();
  await claude.inChild("z", () => claude.write("z.ts", A));
  await claude.childStops("z");
  await claude.inChild("a", () => claude.write("late.ts", A));
  await claude.childStops("a");
  const { sessions } = await shop.checkpoint(await shop.commitAll("By a person"));
  const { store } = await shop.record();
  const [metadata] = sessions.map((one) => one.metadata);
  if (!metadata) throw new Error("no session");
  const work = await subagentWork(store, metadata);
  const below = (call: string) =>
    work.get(call)?.map(({ kind, text = "" }) => (kind === "call" ? text.split("/").at(-1) : kind));
  expect(below(first)).toEqual(["z.ts", "answer"]);
  expect(below(second)).toEqual(["a.ts", "late.ts", "answer"]);
  expect(work.size).toBe(2);
});

describe("what a command writes that its turn left running", () => {
  /** A turn that is over while its command waits for a word to go on. */
  async function left(
    command: string,
  ): Promise<{ shop: Workshop; claude: FakeClaude; goOn: () => Promise<void> }> {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop, { isNow: true }).start();
    const gate = join(shop.home, "gate");
    const wait = `until [ -e ${gate} ]; do sleep 0.05; done`;
    await claude.turn("Leave it running", () =>
      claude.bash(`(${wait}; ${command}; echo done > ${gate}.done) > /dev/null 2>&1 &`),
    );
    const goOn = async () => {
      writeFileSync(gate, "");
      await vi.waitFor(() => expect(existsSync(`${gate}.done`)).toBe(true), 20_000);
    };
    return { shop, claude, goOn };
  }

  it("is in the commit that a person makes of it, and in its turn", async () => {
    const { shop, goOn } = await left("echo 'a line of it' > late.txt");
    await goOn();
    shop.write("mine.txt", "written by hand\n");
    const { sessions } = await shop.checkpoint(await shop.commitAll("By a person"));
    expect(sessions.map(({ metadata }) => metadata.files_touched)).toEqual([["late.txt"]]);
    expect(shop.file(shop.idAt() ?? "", "0/prompt.txt")).toBe("Leave it running");
    expect(await told(shop)).toEqual([{ prompt: "Leave it running", files: ["late.txt"] }]);
  });

  it("is its turn's when the next prompt comes, and not that one's", async () => {
    const { shop, claude, goOn } = await left("echo 'a line of it' | tee -a 'late one.txt'");
    await goOn();
    shop.write("mine.txt", "written by hand\n");
    await claude.turn("Next", () => claude.write("next.ts", A));
    expect(await told(shop)).toEqual([
      { prompt: "Next", files: ["next.ts"] },
      { prompt: "Leave it running", files: ["late one.txt"] },
    ]);
    const { sessions } = await shop.checkpoint(await shop.commitAll("By a person"));
    expect(sessions[0]?.metadata.files_touched).toEqual(["late one.txt", "next.ts"]);
  });

  it("is found although the agent has ended, and the recorder began anew", async () => {
    const { shop, claude, goOn } = await left("echo 'a line of it' >> late.txt");
    await claude.hook("SessionEnd", { reason: "other" });
    await shop.restart();
    await goOn();
    const { sessions } = await shop.checkpoint(await shop.commitAll("By a person"));
    expect(sessions[0]?.metadata.files_touched).toEqual(["late.txt"]);
  });

  it("is not known where the command does not say it, and the turn says that", async () => {
    const { shop, claude, goOn } = await left("touch late.txt");
    await goOn();
    await claude.turn("Next", () => claude.write("next.ts", A));
    expect((await told(shop)).map(({ files }) => files)).toEqual([["next.ts"], []]);
    const { store } = await shop.record();
    expect((await turns(store)).map(({ left_running }) => left_running)).toEqual([undefined, true]);
  });
});
