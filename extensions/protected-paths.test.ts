import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTestHost, type TestHostOptions } from "../src/testing/index.ts";

const PATH = join(import.meta.dirname, "protected-paths.ts");

async function guard(options: Partial<TestHostOptions> = {}) {
  const host = await createTestHost({ extensions: [PATH], ...options });
  onTestFinished(() => host.dispose());
  return host;
}

it.each([
  ".env",
  "config/.env.local",
  "server.key",
  "certs/site.pem",
  ".git/config",
  "packages/a/node_modules/b/index.js",
  "src\\node_modules\\x.js",
])("a write to %s is blocked", async (path) => {
  const host = await guard();
  for (const tool of ["write", "edit"]) {
    const { blocked, reason, by } = await host.toolCall(tool, { path });
    expect({ blocked, by }).toEqual({ blocked: true, by: "protected-paths" });
    expect(reason).toContain(path);
  }
});

it.each(["src/app.ts", "environment.ts", ".envrc", ".gitignore", "my.git/readme", "key.ts"])(
  "a write to %s goes through",
  async (path) => {
    expect(await (await guard()).toolCall("write", { path })).toMatchObject({ blocked: false });
  },
);

it("reading is allowed", async () => {
  expect(await (await guard()).toolCall("read", { path: ".env" })).toMatchObject({
    blocked: false,
  });
});

it("a call without a path does not confuse it", async () => {
  expect(await (await guard()).toolCall("write", {})).toMatchObject({ blocked: false });
});

it("tells the person, if there is one", async () => {
  const host = await guard({ answers: [] });
  await host.toolCall("write", { path: ".env" });
  expect(host.ui.notifications).toEqual([{ message: "Blocked a write to .env", type: "warning" }]);
});
