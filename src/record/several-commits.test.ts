import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { conversation } from "./history/conversation.ts";
import { FakeClaude } from "./test-kit/fake-claude.ts";
import { Workshop } from "./test-kit/workshop.ts";

const THEN = "2026-05-25T12:34:56.000Z";
const A = "export const a = 1;\n";

/** The commands and files of the calls that a commit's checkpoint tells of. */
async function callsOf(shop: Workshop, rev: string): Promise<string[]> {
  const checkpoint = await shop.checkpoint(shop.idAt(rev));
  const { store } = await shop.record();
  const [session] = checkpoint.sessions;
  const said = (session && (await conversation(store, checkpoint, session))) ?? [];
  return said.flatMap(({ entry: { kind, tool } }) =>
    kind === "tool_call" ? [(tool?.about ?? "").split("/").at(-1) ?? ""] : [],
  );
}

it.each([
  ["its id", true],
  ["the time, where its start is not told", false],
])(
  "the first of several commits ends with its own call, known by %s, although the next stands in the transcript by then",
  async (_, isTold) => {
    const shop = await Workshop.open();
    const claude = await new FakeClaude(shop).start();
    // git waits for the editor and not for what comes after the commit: so the agent's next call is
    // written down before anybody is told of the commit.
    const next = { type: "tool_use", id: "toolu_next", name: "Bash", input: { command: "next" } };
    const lines = [
      { type: "user", message: { role: "user", content: [resultOf("toolu_first")] } },
      {
        type: "assistant",
        message: {
          id: "m9",
          role: "assistant",
          content: [next],
          usage: { input_tokens: 7000, output_tokens: 700 },
        },
      },
    ].map((line) =>
      JSON.stringify({ ...line, timestamp: isTold ? THEN : "2100-01-01T00:00:00.000Z" }),
    );
    const editor = join(shop.home, "editor");
    const later = join(shop.home, "later.jsonl");
    writeFileSync(later, `${lines.join("\n")}\n`);
    writeFileSync(editor, `#!/bin/sh\ncat '${later}' >> '${claude.transcript}'\n`);
    chmodSync(editor, 0o755);
    await claude.prompt("Two commits");
    await claude.write("a.ts", A);
    const command = `git add -A && GIT_EDITOR='${editor}' git commit -q -e -m First`;
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: "toolu_first" };
    claude.say([
      { type: "tool_use", id: "toolu_first", name: "Bash", input: { command: "first" } },
    ]);
    if (isTold) await claude.hook("PreToolUse", call);
    await claude.run(command);
    await claude.hook("PostToolUse", { ...call, tool_response: { ok: true } });
    await claude.write("b.ts", A);
    await claude.bash("git add -A && git commit -q -m Second");
    await claude.stop();
    expect(await callsOf(shop, "HEAD~1")).toEqual(["a.ts", "first"]);
    expect(await callsOf(shop, "HEAD")).toEqual([
      "next",
      "b.ts",
      "git add -A && git commit -q -m Second",
    ]);
    const used = async (rev: string) => {
      const { sessions } = await shop.checkpoint(shop.idAt(rev));
      return sessions[0]?.metadata.token_usage;
    };
    // The next call has used much, and is not of the first commit.
    const [first, second] = [await used("HEAD~1"), await used("HEAD")];
    expect(first?.input_tokens).toBeLessThan(7000);
    expect(first?.api_call_count).toBe(2);
    expect(second?.input_tokens).toBeGreaterThan(7000);
  },
);

function resultOf(id: string): object {
  return { type: "tool_result", tool_use_id: id, content: "ok" };
}
