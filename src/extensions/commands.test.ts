import { describe, expect, it } from "vitest";
import type { SlashCommandInfo } from "./index.ts";
import { load, stubHost } from "./test-kit/index.ts";

const COMMAND = (handler: string) => `export default (pi) => {
  given.pi = pi;
  pi.registerCommand("greet", { description: "Says hello", handler: ${handler} });
};`;

async function running(handler: string) {
  const loaded = await load({ "a.ts": COMMAND(handler) });
  const host = stubHost();
  loaded.set.bind(host);
  const [command] = loaded.set.commands();
  if (!command) throw new Error("The command is missing.");
  return { ...loaded, host, command };
}

describe("a command", () => {
  it("is run with its arguments, and waited for", async () => {
    const { command, seen } = await running(
      "async (args) => { await new Promise((r) => setTimeout(r, 5)); seen.push(args); }",
    );
    await command.run("to you");
    expect(seen).toEqual(["to you"]);
  });

  it("can replace the session", async () => {
    const { command, host, seen, path } = await running(`async (_args, ctx) => {
      await ctx.waitForIdle();
      seen.push(await ctx.newSession({ parentSession: "p" }), await ctx.fork("e", { position: "at" }));
      await ctx.navigateTree("t", { summarize: true });
      await ctx.switchSession("/file");
      await ctx.reload();
    }`);
    await command.run("");
    expect(seen).toEqual([{ cancelled: false }, { cancelled: false }]);
    const from = path("a.ts");
    expect(host.calls).toEqual([
      ["waitForIdle"],
      ["newSession", { parentSession: "p", from }],
      ["fork", "e", { position: "at", from }],
      ["navigateTree", "t", { summarize: true }],
      ["switchSession", "/file", { from }],
      ["reload"],
    ]);
  });

  it.each([
    ["throws", "() => {\n  throw new Error('not today'); }"],
    ["rejects", "async () => {\n  throw new Error('not today'); }"],
  ])("that %s is reported with its name and line, and nothing else happens", async (_, handler) => {
    const { command, problem, path } = await running(handler);
    await command.run("");
    const found = problem("SEAM_HANDLER_THREW");
    expect(found).toMatchObject({
      severity: "error",
      path: path("a.ts"),
      event: "/greet",
      where: { file: path("a.ts"), line: 4 },
    });
    expect(found.error.message).toContain("not today");
  });

  it("that misuses the API is reported with the API's own error", async () => {
    const { command, problem } = await running("() => given.pi.registerTool({})");
    await command.run("");
    expect(problem("SEAM_TOOL_INVALID")).toMatchObject({ event: "/greet" });
  });

  it("is listed with where it came from, before those of the host", async () => {
    const { host, pi, path, dir } = await running("() => {}");
    const sourceInfo = { path: "/p", source: "local", scope: "user", origin: "top-level" } as const;
    const prompt: SlashCommandInfo = { name: "review", source: "prompt", sourceInfo };
    host.getOtherCommands = () => [prompt];
    expect(pi().getCommands()).toEqual([
      {
        name: "greet",
        description: "Says hello",
        source: "extension",
        sourceInfo: {
          path: path("a.ts"),
          source: "local",
          scope: "temporary",
          origin: "top-level",
          baseDir: dir,
        },
      },
      prompt,
    ]);
  });
});
