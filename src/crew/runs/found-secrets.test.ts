import { execFileSync } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { makeScratch, taskOf, workflowOf, writes } from "./test-kit/scratch-crew.ts";

/** Made of two parts, so that this file has none in it. */
const KEY = ["AKIA", "QX7ZP3M2N8V5B4C6"].join("");

const gitIn = (cwd: string, ...args: string[]) =>
  execFileSync("git", args, { cwd, encoding: "utf8" });

async function runWith(turns: Parameters<Awaited<ReturnType<typeof makeScratch>>["script"]>[1]) {
  const scratch = await makeScratch();
  const { crew, asked, ended } = await scratch.open();
  onTestFinished(() => crew.close());
  const workflow = workflowOf([taskOf("a", scratch.script("a", turns))]);
  const run = await crew.start({ ...scratch.place, workflow, goal: "Configure." });
  return { scratch, crew, asked, ended, run };
}

it("work with a secret in it waits for a person, who says that it is none", async () => {
  const { scratch, crew, asked, ended, run } = await runWith(
    writes("config.ts", `export const key = "${KEY}";\n`),
  );
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1);
  expect(asked[0]).toMatchObject({
    kind: "secrets",
    message: expect.stringContaining("config.ts: aws-access-key"),
  });
  expect(asked[0]?.message).not.toContain(KEY);
  await crew.answer(asked[0]?.id ?? "", "they are no secrets");
  expect(await ended(run.id)).toBe("done");
  expect(gitIn(scratch.repository, "show", `${run.target}:config.ts`)).toContain(KEY);
});

it("a secret is taken out by the agent that put it there, and no merge brings it along", async () => {
  const commit = "git add -A && git -c user.name=A -c user.email=a@localhost commit -qm config";
  const { scratch, crew, asked, ended, run } = await runWith([
    {
      when: "Do a",
      toolCalls: [
        { name: "write", arguments: { path: "config.ts", content: `const key = "${KEY}";\n` } },
        { name: "bash", arguments: { command: commit } },
      ],
    },
    {
      when: "Take them out",
      toolCalls: [
        { name: "write", arguments: { path: "config.ts", content: "const key = env.KEY;\n" } },
      ],
    },
    { text: "Done." },
    { text: "Done." },
  ]);
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBe(1);
  await crew.answer(asked[0]?.id ?? "", "take them out");
  expect(await ended(run.id)).toBe("done");
  expect(asked.length).toBe(1);
  expect(gitIn(scratch.repository, "show", `${run.target}:config.ts`)).toContain("env.KEY");
  expect(gitIn(scratch.repository, "log", "--patch", run.target)).not.toContain(KEY);
});

it("a lock file with the hashes of packages is no secret", async () => {
  const integrity = `sha512-${Buffer.from("a".repeat(64)).toString("base64")}`;
  const lock = JSON.stringify({ packages: { "node_modules/a": { version: "1.0.0", integrity } } });
  const { asked, ended, run } = await runWith(writes("package-lock.json", lock));
  expect(await ended(run.id)).toBe("done");
  expect(asked).toEqual([]);
});
