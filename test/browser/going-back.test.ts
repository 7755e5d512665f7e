/** What a person does on the page after an agent has worked: goes back, undoes that, goes on. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { until } from "../../src/daemon/test-kit/setup.ts";
import { ClaudeLines } from "../../src/view/test-kit/claude-lines.ts";
import { Scene } from "./scene.ts";

const scene = new Scene();
const file = (path: string) => join(scene.place.project, path);
const BEFORE = "export {};\n";
const AFTER = "export const post = () => 1;\n";

beforeAll(async () => {
  await scene.start();
  const lines = new ClaudeLines().prompt("Write post.ts").answer("It is written.");
  await scene.session("s1", "Write post.ts", lines);
  await write("w1", "src/post.ts", AFTER);
  await write("w2", "src/new.ts", "export {};\n");
  await scene.hook("Stop");
  await scene.hook("SessionEnd", { reason: "other" });
});
afterEach(() => scene.closePages());
afterAll(() => scene.stop());

/** A file that the agent writes, with the hooks around it. */
async function write(id: string, path: string, content: string): Promise<void> {
  const call = {
    tool_name: "Write",
    tool_input: { file_path: file(path), content },
    tool_use_id: id,
  };
  await scene.hook("PreToolUse", call);
  writeFileSync(file(path), content);
  await scene.hook("PostToolUse", { ...call, tool_response: { success: true } });
}

it("a turn is taken back after a look at what would change, and that is undone", async () => {
  const { page, troubles } = await scene.open({ path: "history" });
  const row = page.locator(".log-row", { hasText: "Write post.ts" });
  await row.getByRole("link", { name: "Rewind…" }).click();
  await page.getByRole("heading", { name: "Back to the start of this turn" }).waitFor();
  const changes = page.locator("ul.changes").first();
  expect((await changes.locator("code").allTextContents()).sort()).toEqual([
    "src/new.ts",
    "src/post.ts",
  ]);
  await page.getByRole("region", { name: "Changes of src/post.ts" }).waitFor();
  // Nothing has changed so far.
  expect(readFileSync(file("src/post.ts"), "utf8")).toBe(AFTER);
  await page.getByRole("button", { name: "Rewind 2 files" }).click();
  await page.getByRole("heading", { name: "Rewound: 2 files changed" }).waitFor();
  expect(readFileSync(file("src/post.ts"), "utf8")).toBe(BEFORE);
  expect(existsSync(file("src/new.ts"))).toBe(false);
  await page.getByRole("link", { name: "Undo…" }).click();
  await page.getByRole("button", { name: "Undo 2 files" }).click();
  await page.getByRole("heading", { name: "Undone: 2 files changed" }).waitFor();
  expect(readFileSync(file("src/post.ts"), "utf8")).toBe(AFTER);
  expect(existsSync(file("src/new.ts"))).toBe(true);
  expect(troubles).toEqual([]);
});

it("a preview that is no longer true changes nothing, and has to be looked at again", async () => {
  const { page } = await scene.open({ path: "history" });
  const row = page.locator(".log-row", { hasText: "Write post.ts" });
  await row.getByRole("link", { name: "Rewind…" }).click();
  const rewind = page.getByRole("button", { name: "Rewind 2 files" });
  await rewind.waitFor();
  const mine = "export const mine = 2;\n";
  writeFileSync(file("src/post.ts"), mine);
  await rewind.click();
  await page.locator(".notice[data-level=error]").getByText("files have changed since").waitFor();
  expect(readFileSync(file("src/post.ts"), "utf8")).toBe(mine);
  expect(existsSync(file("src/new.ts"))).toBe(true);
  writeFileSync(file("src/post.ts"), AFTER);
});

it("Run it goes on with a session in the terminal of the settings, in its folder", async () => {
  const { home, project } = scene.place;
  const said = join(home, "said");
  const terminal = join(home, "terminal");
  writeFileSync(
    terminal,
    `#!/bin/sh\nprintf '%s\\n' "$PWD" "$@" > "${said}.part"\nmv "${said}.part" "${said}"\n`,
    {
      mode: 0o755,
    },
  );
  writeFileSync(
    join(home, "settings.json"),
    JSON.stringify({ view: { terminal: [terminal, "--"] } }),
  );
  const { page, troubles } = await scene.open({ path: "session/claude-code/s1" });
  await page.getByText("It is written.").first().waitFor();
  await page.getByRole("button", { name: "Run it" }).click();
  await page.getByText("It goes on in your terminal.").waitFor();
  await until(() => existsSync(said));
  expect(readFileSync(said, "utf8").split("\n")).toEqual([
    ...[project, "--", "claude", "--resume", "s1"],
    "",
  ]);
  expect(troubles).toEqual([]);
});
