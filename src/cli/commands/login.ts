import type { Command } from "commander";
import { SeamError } from "../../errors/index.ts";
import type { OAuthLoginCallbacks } from "../../extensions/index.ts";
import { describeProblem } from "../../extensions/index.ts";
import { createAgent, Models } from "../../host/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { Lines } from "../ask/lines.ts";
import { loadCacheDir } from "../load-cache.ts";
import { paint, printLine } from "../print.ts";
import { hanging } from "../record/lines.ts";
import { agentSettings } from "../run/agent-settings.ts";
import { extensionsFor } from "../run/find-extensions.ts";
import { warn } from "../run/warn.ts";
import { table } from "../table.ts";

interface Options {
  extension?: string[];
}

export function addLogin(program: Command): void {
  program
    .command("login")
    .argument("[provider]", "the provider; without it, those that offer a login are listed")
    .option("-e, --extension <path...>", "also load these extensions")
    .addHelpText(
      "after",
      `
The login is kept in ~/.seam/auth.json, which only you can read, and renewed when
it runs out. Providers with a key need no login: set its variable.

Examples:
  seam login
  seam login corp -e corp.ts`,
    )
    .action(login);
}

async function login(wanted: string | undefined, { extension }: Options): Promise<void> {
  const cwd = process.cwd();
  const { settings } = loadSettings(cwd);
  const models = new Models();
  // A provider may be registered only when a session begins: so one does.
  const agent = await createAgent({
    cwd,
    models,
    extensions: await extensionsFor(cwd, { extension }, warn),
    flags: (set) => {
      for (const { problem } of set.failures) warn(describeProblem(problem));
      return {};
    },
    cacheDir: loadCacheDir(),
    ...agentSettings(settings),
    onLog: (level, text) => {
      if (level === "error" || level === "warn") warn(text);
    },
  });
  try {
    if (wanted === undefined) list(models);
    else await logIn(models, wanted, extension);
  } finally {
    await agent.dispose();
  }
}

function list(models: Models): void {
  const known = models.loginProviders();
  if (known.length === 0) throw new SeamError("SEAM_LOGIN_NONE");
  const rows = known.map(({ name, title, isLoggedIn }) => [
    name,
    title,
    isLoggedIn ? "logged in" : "",
  ]);
  for (const row of table(rows)) printLine(row);
  printLine(paint("dim", "To log in: seam login <name>"));
}

async function logIn(models: Models, name: string, paths: readonly string[] = []): Promise<void> {
  const lines = new Lines();
  const over = new AbortController();
  const cancelled = new Promise<never>((_, reject) => {
    lines.cancelled.addEventListener("abort", () => {
      const hint = `To go on: seam login ${name}`;
      const detail = "it was cancelled";
      reject(new SeamError("SEAM_LOGIN", { provider: name, detail, hint }));
    });
  });
  try {
    const callbacks = terminalCallbacks(lines, say, over.signal);
    await Promise.race([models.login(name, callbacks), cancelled]);
  } finally {
    over.abort();
    lines.close();
  }
  const known = models.loginProviders().find((one) => one.name === name);
  say(`You are logged in to ${known?.title ?? name}.`);
  const first = models.getAvailable().find(({ provider }) => provider === name);
  const also = paths.map((path) => ` -e ${path}`).join("");
  if (first) {
    say(paint("dim", `To use it: seam run --model ${name}/${first.id}${also} -p "…"`));
  }
}

function say(text: string): void {
  for (const line of text.split("\n").flatMap(hanging)) printLine(line);
}

/** What a login asks and shows, on a terminal. */
export function terminalCallbacks(
  lines: Lines,
  say: (text: string) => void,
  over: AbortSignal,
): Required<OAuthLoginCallbacks> {
  const ask = async (question: string): Promise<string> => {
    const answer = await lines.ask(`${question} `, over);
    if (answer !== undefined) return answer.trim();
    // The login is over: nobody waits for this, and a rejection would be nobody's to catch.
    if (over.aborted) return new Promise(() => {});
    throw new Error("it was cancelled: there was no answer");
  };
  return {
    signal: over,
    onAuth: ({ url, instructions }) => {
      say("Open this address to log in:");
      say(`  ${url}`);
      if (instructions) say(instructions);
    },
    onPrompt: async ({ message, placeholder, allowEmpty = false }) => {
      const answer = await ask(placeholder ? `${message} (${placeholder})` : message);
      if (answer === "" && !allowEmpty) throw new Error("nothing was entered");
      return answer;
    },
    onManualCodeInput: () => ask("Finish in the browser, or paste the address it ends at:"),
    onSelect: async ({ message, options }) => {
      say(message);
      for (const [i, { label }] of options.entries()) say(`  ${i + 1} ${label}`);
      const answer = await ask("Number:");
      return options[Number(answer) - 1]?.id;
    },
    onProgress: say,
  };
}
