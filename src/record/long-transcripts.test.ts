import { expect, it, onTestFinished } from "vitest";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { KEEPS_ALL, Workshop } from "./test-kit/workshop.ts";

const A = "export const a = 1;\n";

/** Storing takes until it may end, as it does with a transcript of many megabytes. */
function slowStoring() {
  let begun = 0;
  let goOn = () => {};
  const until = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const redactor = {
    ...KEEPS_ALL,
    redact: async (bytes: Buffer) => {
      begun++;
      await until;
      return KEEPS_ALL.redact(bytes);
    },
  };
  return { redactor, goOn: () => goOn(), hasBegun: () => begun > 0 };
}

it("a commit does not wait until the transcript of the one before is stored", async () => {
  const { redactor, goOn, hasBegun } = slowStoring();
  const shop = await Workshop.open({ redactor });
  onTestFinished(goOn);
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Two commits");
  await claude.write("a.ts", A);
  const [first, second] = ["First", "Second"].map((name) => `git add -A && git commit -qm ${name}`);
  const said: string[] = [];
  // What git itself waits for: its own end, not that of the record.
  const commit = async (command = "") => said.push(await claude.runOnly(command));
  await commit(first);
  await shop.until(hasBegun);
  await claude.runOnly("echo 1 > b.ts");
  await commit(second);
  expect([hasBegun(), shop.idsAt("HEAD~1").length, shop.idsAt("HEAD").length]).toEqual([
    true,
    1,
    1,
  ]);
  goOn();
  await shop.heard();
  await claude.stop();
  const files = async (rev: string) => (await shop.checkpoint(shop.idAt(rev))).metadata;
  expect(await files("HEAD~1")).toMatchObject({ files_touched: ["a.ts"] });
  expect(await files("HEAD")).toMatchObject({ files_touched: ["b.ts"] });
  expect(said.join("")).toBe("");
  expect(shop.said.filter((line) => line.startsWith("warn"))).toEqual([]);
});

it("a person's commit goes through while an agent's is stored, and neither turn is broken off", async () => {
  const { redactor, goOn, hasBegun } = slowStoring();
  const shop = await Workshop.open({ redactor });
  onTestFinished(goOn);
  const claude = await new FakeClaude(shop).start();
  await claude.prompt("Commit it");
  await claude.write("a.ts", A);
  await claude.runOnly("git add -A && git commit -qm Agents");
  await shop.until(hasBegun);
  await claude.runOnly("echo mine > c.ts");
  await shop.runOnly("add", "-A");
  await shop.runOnly("commit", "-qm", "Mine");
  goOn();
  await shop.heard();
  await claude.write("d.ts", A);
  await claude.stop();
  const { metadata } = await shop.checkpoint(shop.idAt("HEAD~1"));
  expect(metadata).toMatchObject({ files_touched: ["a.ts"] });
  const last = await shop.commitAll("The rest");
  expect((await shop.checkpoint(last)).sessions[0]?.metadata).toMatchObject({
    files_touched: ["d.ts"],
  });
});
