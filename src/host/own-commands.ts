import { SeamError } from "../errors/index.ts";
import type { ExtensionUIContext, OAuthLoginCallbacks } from "../extensions/index.ts";
import { abortable } from "./abortable.ts";
import { chooseModel } from "./choose-model.ts";
import type { Core } from "./core.ts";

/** Commands the agent has by itself. One of an extension with the same name takes its place. */
const COMMANDS: ReadonlyMap<string, (core: Core, args: string) => Promise<void>> = new Map([
  ["login", login],
  ["logout", logout],
]);

export function ownCommand(name: string, core: Core, args: string) {
  const command = COMMANDS.get(name);
  const provider = args.trim();
  // "/login fails with a 500" is a prompt.
  if (!command || /\s/.test(provider)) return undefined;
  return { run: () => command(core, provider) };
}

async function login(core: Core, wanted: string): Promise<void> {
  const { models, ui } = core;
  const known = models.loginProviders();
  if (wanted === "" && known.length === 0) throw new SeamError("SEAM_LOGIN_NONE");
  if (!core.hasUI) {
    const hint = `Run: seam login ${wanted}`.trimEnd();
    const detail = "there is nobody to ask";
    throw new SeamError("SEAM_LOGIN", { provider: wanted || "a provider", detail, hint });
  }
  const controller = new AbortController();
  const { signal } = controller;
  core.run.login?.abort();
  core.run.login = controller;
  try {
    const chosen =
      wanted ||
      (await ui.select(
        "Log in to",
        known.map(({ name }) => name),
        { signal },
      ));
    if (!chosen) return;
    await loggedIn(core, chosen, signal);
    const title = known.find(({ name }) => name === chosen)?.title ?? chosen;
    ui.notify(`You are logged in to ${title}.`);
  } finally {
    if (core.run.login === controller) core.run.login = undefined;
    // What it still asks, nobody needs an answer to any more.
    controller.abort();
  }
  if (!core.session.model) chooseModel(core, true);
}

/** A provider may wait for its browser for ever; an abort does not wait for it. */
async function loggedIn(core: Core, provider: string, signal: AbortSignal): Promise<void> {
  try {
    await abortable(core.models.login(provider, dialogCallbacks(core.ui, signal)), signal);
  } catch (thrown) {
    if (!signal.aborted || thrown instanceof SeamError) throw thrown;
    const details = { provider, detail: "it was cancelled", hint: `To go on: /login ${provider}` };
    throw new SeamError("SEAM_LOGIN", details, { cause: thrown });
  }
}

async function logout(core: Core, wanted: string): Promise<void> {
  const kept = core.models.storedLogins();
  const provider =
    wanted || (core.hasUI && kept.length > 0 ? await core.ui.select("Log out of", kept) : "");
  if (provider === undefined) return;
  await core.models.logout(provider);
  core.ui.notify(`You are logged out of ${core.models.getProviderDisplayName(provider)}.`);
}

/** What a login asks and shows, as dialogs. What it asks is dismissed when the signal fires. */
function dialogCallbacks(
  ui: ExtensionUIContext,
  signal: AbortSignal,
): Required<OAuthLoginCallbacks> {
  const answered = (answer: string | undefined): string | Promise<never> => {
    if (answer !== undefined) return answer;
    // The login is over: nobody waits for this, and a rejection would be nobody's to catch.
    if (signal.aborted) return new Promise(() => {});
    throw new Error("it was cancelled");
  };
  return {
    signal,
    onAuth: ({ url, instructions }) => {
      ui.notify(["Open this address to log in:", url, instructions ?? ""].join("\n").trimEnd());
    },
    onPrompt: async ({ message, placeholder, allowEmpty = false }) => {
      const answer = await answered(await ui.input(message, placeholder, { signal }));
      if (answer === "" && !allowEmpty) throw new Error("nothing was entered");
      return answer;
    },
    onManualCodeInput: async () =>
      answered(
        await ui.input("Finish in the browser, or paste the address it ends at:", undefined, {
          signal,
        }),
      ),
    onSelect: async ({ message, options }) => {
      const labels = options.map(({ label }) => label);
      const chosen = await ui.select(message, labels, { signal });
      return options.find(({ label }) => label === chosen)?.id;
    },
    onProgress: (message) => ui.notify(message),
  };
}
