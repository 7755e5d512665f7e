import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { headlessUI, type ProviderConfig } from "../extensions/index.ts";
import { createAgent } from "./create-agent.ts";
import { Models } from "./models/index.ts";
import { hosted, testProject, textsOf } from "./test-kit/index.ts";

const project = testProject();
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "seam-login-"));
});
afterEach(() => rmSync(dir, { recursive: true }));

type Login = NonNullable<ProviderConfig["oauth"]>["login"];

const CREDENTIALS = { access: "a", refresh: "r", expires: Date.now() + 60_000 };
const MODEL = {
  id: "m1",
  name: "M1",
  reasoning: false,
  input: ["text" as const],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 8_000,
  maxTokens: 500,
};

/** An agent with a provider to log in to, and someone who answers its dialogs. */
async function withLogin(login: Login, answers: readonly (string | undefined)[] = []) {
  const shown: string[] = [];
  const left = [...answers];
  const asked = (title: string) => {
    shown.push(title);
    return left.shift();
  };
  const authFile = join(dir, "auth.json");
  const models = new Models({ env: {}, modelsFile: join(dir, "models.json"), authFile });
  const agent = await createAgent({
    cwd: project.root,
    models,
    ui: {
      ...headlessUI(),
      notify: (text) => void shown.push(text),
      input: async (title, _placeholder, options) => {
        if (answers.length > 0) return asked(title);
        shown.push(title);
        return new Promise((resolve) => {
          options?.signal?.addEventListener("abort", () => resolve(undefined));
        });
      },
      select: async (title, options) => asked(`${title}: ${options.join(", ")}`),
    },
    extensions: [
      {
        name: "corp",
        factory: (pi) =>
          pi.registerProvider("corp", {
            baseUrl: "http://x",
            api: "openai-completions",
            models: [MODEL],
            oauth: {
              name: "Corp",
              login,
              refreshToken: async (old) => old,
              getApiKey: ({ access }) => access,
            },
          }),
      },
    ],
  });
  onTestFinished(() => agent.dispose());
  const kept = () => JSON.parse(readFileSync(authFile, "utf8"));
  return { agent, models, shown, kept };
}

describe("/login", () => {
  it("asks and shows what the provider wants, keeps the login, and the model is there", async () => {
    const login: Login = async ({ onAuth, onPrompt, onProgress, onSelect }) => {
      onAuth({ url: "http://login", instructions: "Then come back." });
      const plan = await onSelect?.({
        message: "Plan?",
        options: [
          { id: "p", label: "Pro" },
          { id: "f", label: "Free" },
        ],
      });
      const code = await onPrompt({ message: "Code?" });
      onProgress?.("Nearly there.");
      return { ...CREDENTIALS, access: `${plan} ${code}` };
    };
    const { agent, shown, kept } = await withLogin(login, ["Free", "123"]);
    expect(agent.model).toBeUndefined();
    await agent.prompt("/login corp");
    expect(shown).toEqual([
      "Open this address to log in:\nhttp://login\nThen come back.",
      "Plan?: Pro, Free",
      "Code?",
      "Nearly there.",
      "You are logged in to Corp.",
    ]);
    expect(kept().corp).toMatchObject({ type: "oauth", access: "f 123" });
    expect(agent.model?.id).toBe("m1");
    expect(agent.session.getEntries().filter(({ type }) => type === "message")).toEqual([]);
  });

  it("without a name asks for one", async () => {
    const { agent, shown, kept } = await withLogin(async () => CREDENTIALS, ["corp"]);
    await agent.prompt("/login");
    expect(shown[0]).toBe("Log in to: corp");
    expect(kept()).toHaveProperty("corp");
  });

  it.each([
    ["a dialog that was dismissed", [undefined], "it was cancelled"],
    ["nothing entered", [""], "nothing was entered"],
  ])("fails with %s, and nothing is kept", async (_, answers, detail) => {
    const login: Login = async ({ onPrompt }) => {
      await onPrompt({ message: "Code?" });
      return CREDENTIALS;
    };
    const { agent, models } = await withLogin(login, answers);
    await expect(agent.prompt("/login corp")).rejects.toThrow(detail);
    expect(models.storedLogins()).toEqual([]);
  });

  it("ends at an abort, even if the provider waits for ever", async () => {
    let begun: () => void = () => {};
    const waiting = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const { agent } = await withLogin(() => {
      begun();
      return new Promise(() => {});
    });
    const prompted = agent.prompt("/login corp");
    prompted.catch(() => {});
    await waiting;
    await agent.abort();
    await expect(prompted).rejects.toThrow("it was cancelled");
  });

  it("takes a pasted address, or closes the question when the browser was faster", async () => {
    const dismissed: unknown[] = [];
    const login: Login = async ({ onManualCodeInput, signal }) => {
      signal?.addEventListener("abort", () => dismissed.push("closed"));
      // Not caught: a question that is left open must not become an unhandled rejection.
      void onManualCodeInput?.();
      return CREDENTIALS;
    };
    const { agent, shown, kept } = await withLogin(login);
    await agent.prompt("/login corp");
    expect(shown[0]).toContain("paste the address");
    expect(dismissed).toEqual(["closed"]);
    expect(kept()).toHaveProperty("corp");
  });

  it("says where to go when nobody can be asked", async () => {
    const models = new Models({ env: {}, modelsFile: join(dir, "m"), authFile: join(dir, "a") });
    const agent = await createAgent({ cwd: project.root, models });
    onTestFinished(() => agent.dispose());
    await expect(agent.prompt("/login corp")).rejects.toMatchObject({
      code: "SEAM_LOGIN",
      next: "Run: seam login corp",
    });
    await expect(agent.prompt("/login")).rejects.toMatchObject({ code: "SEAM_LOGIN_NONE" });
  });
});

describe("/logout", () => {
  it("forgets the login, and says so if there is none", async () => {
    const { agent, models, shown } = await withLogin(async () => CREDENTIALS);
    await agent.prompt("/login corp");
    await agent.prompt("/logout corp");
    expect(shown.at(-1)).toBe("You are logged out of Corp.");
    expect(models.storedLogins()).toEqual([]);
    await expect(agent.prompt("/logout corp")).rejects.toMatchObject({ code: "SEAM_LOGOUT" });
  });
});

it("a sentence that begins like a command is a prompt", async () => {
  const { agent } = await hosted({ cwd: project.root, turns: [{ text: "I see." }] });
  await agent.prompt("/login fails with a 500");
  expect(textsOf(agent.session.buildContext().messages)).toEqual([
    "/login fails with a 500",
    "I see.",
  ]);
});

it("a command of an extension takes the place of the agent's own", async () => {
  const calls: string[] = [];
  const models = new Models({ env: {}, modelsFile: join(dir, "m"), authFile: join(dir, "a") });
  const agent = await createAgent({
    cwd: project.root,
    models,
    extensions: [
      {
        name: "mine",
        factory: (pi) => pi.registerCommand("login", { handler: (args) => void calls.push(args) }),
      },
    ],
  });
  onTestFinished(() => agent.dispose());
  await agent.prompt("/login corp");
  expect(calls).toEqual(["corp"]);
});
