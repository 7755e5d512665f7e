import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OAuthCredentials, ProviderConfig } from "../../extensions/index.ts";
import { HELLO, hear, lonelyModels } from "./test-kit/ask.ts";

let dir: string;
let authFile: string;
let refreshes: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "seam-auth-"));
  authFile = join(dir, "deeper", "auth.json");
  refreshes = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

const CALLBACKS = { onAuth: () => {}, onPrompt: async () => "code-1" };

function provider(lifeMs: number, change: Partial<ProviderConfig> = {}): ProviderConfig {
  const credentials = (n: number): OAuthCredentials => ({
    access: `access-${n}`,
    refresh: `refresh-${n}`,
    expires: Date.now() + lifeMs,
    enterprise: "acme",
  });
  return {
    baseUrl: "http://x",
    api: "openai-completions",
    models: [
      {
        id: "m",
        name: "M",
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 1_000,
        maxTokens: 100,
      },
    ],
    oauth: {
      name: "Fake",
      login: async ({ onPrompt }) => {
        if ((await onPrompt({ message: "Code?" })) !== "code-1") throw new Error("wrong code");
        return credentials(1);
      },
      refreshToken: async ({ refresh }) => {
        refreshes.push(refresh);
        await sleep(30);
        return credentials(refreshes.length + 1);
      },
      getApiKey: ({ access }) => `key of ${access}`,
      modifyModels: (models, { enterprise }) =>
        models.map((model) => ({ ...model, baseUrl: `http://${enterprise}` })),
    },
    ...change,
  };
}

function withProvider(lifeMs: number) {
  const models = lonelyModels({ authFile });
  models.register("fake", provider(lifeMs));
  return models;
}

test("a login is stored where only the user can read it, and used from then on", async () => {
  const models = withProvider(60_000);
  const before = models.resolve("fake/m");
  expect(models.hasConfiguredAuth(before)).toBe(false);
  expect(await models.getApiKeyAndHeaders(before)).toMatchObject({
    ok: false,
    error: expect.stringContaining("log in to Fake"),
  });
  await models.login("fake", CALLBACKS);
  const model = models.resolve("fake/m");
  expect(model.baseUrl).toBe("http://acme");
  expect(models.isUsingOAuth(model)).toBe(true);
  expect(models.hasConfiguredAuth(model)).toBe(true);
  expect(await models.getApiKeyForProvider("fake")).toBe("key of access-1");
  expect(statSync(authFile).mode & 0o777).toBe(0o600);
  expect(statSync(join(dir, "deeper")).mode & 0o777).toBe(0o700);
  // Another process sees it, too.
  expect(await withProvider(60_000).getApiKeyForProvider("fake")).toBe("key of access-1");
  expect(refreshes).toEqual([]);
});

test("an expired login is refreshed once, however many ask", async () => {
  const models = withProvider(-1);
  await models.login("fake", CALLBACKS);
  models.register("fake", provider(60_000));
  const asked = Array.from({ length: 10 }, () => models.getApiKeyForProvider("fake"));
  expect(new Set(await Promise.all(asked))).toEqual(new Set(["key of access-2"]));
  expect(refreshes).toEqual(["refresh-1"]);
  const stored = JSON.parse(readFileSync(authFile, "utf8"));
  expect(stored.fake).toMatchObject({ type: "oauth", access: "access-2", enterprise: "acme" });
});

test("two processes refresh once between them", async () => {
  const first = withProvider(-1);
  await first.login("fake", CALLBACKS);
  const [one, two] = [withProvider(60_000), withProvider(60_000)];
  const asked = [one.getApiKeyForProvider("fake"), two.getApiKeyForProvider("fake")];
  expect(await Promise.all(asked)).toEqual(["key of access-2", "key of access-2"]);
  expect(refreshes).toEqual(["refresh-1"]);
});

test("a refresh that fails is told, and the login is not lost", async () => {
  const models = withProvider(-1);
  await models.login("fake", CALLBACKS);
  const config = provider(0);
  const refreshToken = async () => {
    throw new Error("revoked");
  };
  models.register("fake", {
    ...config,
    ...(config.oauth && { oauth: { ...config.oauth, refreshToken } }),
  });
  const auth = await models.getApiKeyAndHeaders(models.resolve("fake/m"));
  expect(auth).toMatchObject({ ok: false, error: expect.stringMatching(/revoked.*Log in again/) });
  expect(JSON.parse(readFileSync(authFile, "utf8")).fake.refresh).toBe("refresh-1");
});

test("logging out forgets the login and keeps the others", async () => {
  const models = withProvider(60_000);
  await models.login("fake", CALLBACKS);
  const stored = JSON.parse(readFileSync(authFile, "utf8"));
  writeFileSync(authFile, JSON.stringify({ ...stored, openai: { type: "api_key", key: "sk" } }));
  await models.logout("fake");
  expect(JSON.parse(readFileSync(authFile, "utf8"))).toEqual({
    openai: { type: "api_key", key: "sk" },
  });
  expect(models.isUsingOAuth(models.resolve("fake/m"))).toBe(false);
  expect(await models.getApiKeyForProvider("openai")).toBe("sk");
});

test("a login that fails, and a provider that has none", async () => {
  const models = withProvider(60_000);
  const wrong = { ...CALLBACKS, onPrompt: async () => "?" };
  await expect(models.login("fake", wrong)).rejects.toMatchObject({ code: "SEAM_LOGIN" });
  await expect(models.login("openai", CALLBACKS)).rejects.toThrow("it offers none");
});

test("who can be logged in to, and what is kept, is known", async () => {
  const models = withProvider(60_000);
  const known = { name: "fake", title: "Fake" };
  expect(models.loginProviders()).toEqual([{ ...known, isLoggedIn: false }]);
  expect(models.storedLogins()).toEqual([]);
  await models.login("fake", CALLBACKS);
  expect(models.loginProviders()).toEqual([{ ...known, isLoggedIn: true }]);
  expect(models.storedLogins()).toEqual(["fake"]);
});

test("a name that is wrong is told from one that is unknown", async () => {
  const models = withProvider(60_000);
  await expect(models.login("fkae", CALLBACKS)).rejects.toMatchObject({
    next: 'Did you mean "fake"?',
  });
  await expect(lonelyModels().login("corp", CALLBACKS)).rejects.toMatchObject({
    next: expect.stringContaining("with -e"),
  });
  await expect(models.login("openai", CALLBACKS)).rejects.toMatchObject({
    next: expect.stringContaining("set OPENAI_API_KEY"),
  });
  await models.login("fake", CALLBACKS);
  await expect(models.logout("fkae")).rejects.toMatchObject({
    code: "SEAM_LOGOUT",
    next: "Kept are: fake.",
  });
});

test("who is not logged in is told how", async () => {
  const models = withProvider(60_000);
  const { message } = await hear(models.stream(models.resolve("fake/m"), HELLO));
  expect(message.errorMessage).toMatch(/none is configured\. To use it, .*seam login fake/);
  expect(models.noModel().next).toMatch(/OPENAI_API_KEY.*seam login fake.*models\.json/);
});

test("a broken auth file counts as no logins", async () => {
  const models = withProvider(60_000);
  await models.login("fake", CALLBACKS);
  for (const content of ["{", "[]", "null", '{"fake": 7}', '{"fake": {"type": "oauth"}}']) {
    writeFileSync(authFile, content);
    expect(await models.getApiKeyForProvider("fake"), content).toBeUndefined();
  }
});
