/** Examples that reach outside. */
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { prove, proveUnloadable, unproven } from "./proofs.ts";
import { plain } from "./screen.ts";
import { folder, onSeam, put, setEnv, textOf } from "./stage.ts";

prove(
  "E",
  "ssh",
  "--ssh: read, write, edit, bash and !commands work in the other folder (a stand-in for ssh)",
  async () => {
    const bin = folder("bin");
    put(join(bin, "ssh"), '#!/bin/sh\n[ "$1" = me@there ] || exit 9\nexec sh -c "$2"\n');
    chmodSync(join(bin, "ssh"), 0o755);
    setEnv({ PATH: `${bin}:${process.env.PATH}` });
    const there = folder("there");
    put(join(there, "a.txt"), "old there\n");
    const stage = await onSeam("ssh", {
      turns: [
        { toolCalls: [{ name: "read", arguments: { path: "a.txt" } }] },
        {
          toolCalls: [
            {
              name: "edit",
              arguments: { path: "a.txt", edits: [{ oldText: "old", newText: "new" }] },
            },
          ],
        },
        { toolCalls: [{ name: "write", arguments: { path: "sub/b.txt", content: "woven" } }] },
        { toolCalls: [{ name: "bash", arguments: { command: "pwd; cat sub/b.txt" } }] },
        { text: "Done." },
      ],
      files: { "a.txt": "old here\n" },
      flags: { ssh: `me@there:${there}` },
      answers: [],
    });
    expect(stage.agent.extensions.flags().map(({ name }) => name)).toEqual(["ssh"]);
    expect(plain([stage.person.seen.statuses.get("ssh") ?? ""])).toBe(`SSH: me@there:${there}`);
    await stage.prompt("Work there.");
    const [read, edit, write, bash] = stage.results();
    expect(textOf(read?.content)).toContain("old there");
    expect([edit, write, bash].map((result) => result?.isError)).toEqual([false, false, false]);
    expect(readFileSync(join(there, "a.txt"), "utf8")).toBe("new there\n");
    expect(readFileSync(join(stage.cwd, "a.txt"), "utf8")).toBe("old here\n");
    expect(textOf(bash?.content)).toContain(`${there}\nwoven`);
    const own = await stage.agent.bash("pwd");
    expect(own).toMatchObject({ exitCode: 0 });
    expect(own.output.trim()).toBe(there);
    expect(stage.asked[0]?.system).toContain(there);
    return stage;
  },
);
unproven("E", "ssh", "another machine: the stand-in runs the command here");

proveUnloadable("E", "sandbox", "the message names what is missing, the agent works", async () => {
  const stage = await onSeam("sandbox", { turns: [{ text: "Hi." }] });
  const [failure] = stage.agent.extensions.failures;
  expect(failure?.name).toBe("sandbox");
  expect(failure?.problem.error.message).toContain("@anthropic-ai/sandbox-runtime");
  await stage.prompt("Hello.");
  expect(stage.asked).toHaveLength(1);
});
unproven("E", "sandbox", "the sandbox: it needs @anthropic-ai/sandbox-runtime and bubblewrap");
