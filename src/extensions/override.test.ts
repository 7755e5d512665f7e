import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Scope, sourceOf } from "./find/source.ts";
import { loadExtensions } from "./load/load-extensions.ts";
import { stubHost } from "./test-kit/index.ts";

const text = (from: string, blocks: string) => `export default (pi) => {
  pi.registerTool({ name: "dig", description: "${from}", parameters: { type: "object" }, execute() {} });
  pi.registerCommand("${from}-only", { handler() {} });
  pi.registerCommand("both", { description: "${from}", handler() {} });
  pi.on("tool_call", ({ toolName }) => ({ block: toolName === "${blocks}", reason: "${from}" }));
};`;

async function two(theirs: Scope, own: Scope) {
  const dir = mkdtempSync(join(tmpdir(), "seam-override-"));
  const sources = ([theirs, own] as const).map((scope, at) => {
    const from = at === 0 ? "theirs" : "own";
    mkdirSync(join(dir, from));
    const path = join(dir, from, "gate.ts");
    writeFileSync(path, text(from, at === 0 ? "read" : "bash"));
    return sourceOf(path, scope);
  });
  const set = await loadExtensions({ cwd: dir, sources });
  set.bind(stubHost());
  return set;
}

it.each<Scope>(["user", "package"])(
  "a project's extension takes the place of a %s's with the same name, and the gates of both hold",
  async (scope) => {
    const set = await two("project", scope);
    expect(set.tools().map(({ tool }) => tool.description)).toEqual(["theirs"]);
    expect(set.commands().map(({ invocationName }) => invocationName)).toEqual([
      "theirs-only",
      "both",
    ]);
    expect(set.problems).toEqual([]);
    for (const [toolName, reason] of [
      ["bash", "own"],
      ["read", "theirs"],
    ] as const) {
      const event = { type: "tool_call", toolName, toolCallId: "1", input: {} } as const;
      const decided = await set.dispatcher.emit(event);
      expect(decided).toMatchObject({ blocked: true, reason });
    }
    set.dispose();
  },
);

it("one of the command line takes nobody's place", async () => {
  const set = await two("cli", "user");
  expect(set.commands().map(({ invocationName }) => invocationName)).toEqual([
    "theirs-only",
    "both:1",
    "own-only",
    "both:2",
  ]);
  set.dispose();
});
