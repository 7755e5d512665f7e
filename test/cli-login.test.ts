import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

const CORP = `export default (pi) => {
  pi.on("session_start", () => pi.registerProvider("corp", {
    baseUrl: "http://127.0.0.1:9", api: "openai-completions",
    models: [{ id: "m1", name: "M1", reasoning: false, input: ["text"], contextWindow: 8000,
      maxTokens: 500, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } }],
    oauth: {
      name: "Corp",
      login: async ({ onAuth }) => {
        onAuth({ url: "http://corp/login" });
        return { access: "c", refresh: "r", expires: Date.now() + 60000 };
      },
      refreshToken: async (old) => old,
      getApiKey: ({ access }) => access,
    },
  }));
};`;

it("one logs in to what an extension brings, and out again", async () => {
  const at = place({ "corp.ts": CORP });
  const auth = join(at.home, "auth.json");
  const missing = await at.seam("run", "-p", "hi", "--model", "corp/m1", "-e", "corp.ts");
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain("seam login corp");
  expect((await at.seam("login", "-e", "corp.ts")).stdout).toMatch(/^corp +Corp\n/);

  const done = await at.seam("login", "corp", "-e", "corp.ts");
  expect(done.code).toBe(0);
  expect(done.stdout).toContain("http://corp/login");
  expect(done.stdout).toContain("You are logged in to Corp.");
  expect(done.stdout).toContain("--model corp/m1 -e corp.ts");
  expect(JSON.parse(readFileSync(auth, "utf8")).corp).toMatchObject({ access: "c" });
  expect((await at.seam("login", "-e", "corp.ts")).stdout).toMatch(/^corp +Corp +logged in\n/);
  expect((await at.seam("logout")).stdout).toBe("corp\n");

  expect(await at.seam("logout", "crop")).toMatchObject({ code: 1 });
  expect((await at.seam("logout", "corp")).code).toBe(0);
  expect(JSON.parse(readFileSync(auth, "utf8"))).toEqual({});
});

it("who cannot be logged in to is told, and nothing is written", async () => {
  const at = place({ "corp.ts": CORP });
  const none = await at.seam("login");
  expect(none.code).toBe(1);
  expect(none.stderr).toContain("No provider here offers a login.");
  expect((await at.seam("login", "cor", "-e", "corp.ts")).stderr).toContain("Did you mean");
  const key = await at.seam("login", "anthropic");
  expect(key.stderr).toContain("set ANTHROPIC_API_KEY");
  expect(existsSync(join(at.home, "auth.json"))).toBe(false);
});
