import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { place } from "./cli/seam.ts";

/** What is wrong, and the step that fits it. `~` is the folder of the test. */
const WRONG: readonly (readonly [command: string, error: string, hint: string])[] = [
  ["enabel", "There is no command enabel.", "Did you mean enable?"],
  ["help nonsense", "There is no command nonsense.", "Which there are: seam --help"],
  ["ext nonsense", "There is no command nonsense.", "Which there are: seam ext --help"],
  ["log --bogus", "There is no option --bogus.", "Which there are: seam log --help"],
  ["inbox answer", "<id> is missing.", "Use: seam inbox answer <id> [answer]"],
  [
    "agents all",
    "Too many arguments for 'agents'. Expected 0 arguments but got 1.",
    "Use: seam agents [options]",
  ],
  [
    "enable --agent",
    "The option -a, --agent <name...> needs a value.",
    "Write the value behind it.",
  ],
  [
    "log -n 0",
    "Option '-n, --number <count>' argument '0' is invalid.",
    "It must be a whole number above 0.",
  ],
  ["enable", "There is no terminal to ask on.", "Say what you want: --agent <name> or --yes."],
  ["enable --level all", 'There is no level "all".', "Use --level project or --level user."],
  ["enable --agent claud", 'There is no agent "claud".', "Did you mean claude-code?"],
  ["search --agent clause x", 'There is no agent "clause".', "Did you mean claude-code?"],
  ["stats --agent codx", 'There is no agent "codx".', "Did you mean codex?"],
  ["events --agent gemin", 'There is no agent "gemin".', "Did you mean gemini?"],
  [
    "rewind",
    "There is no terminal to ask on where to.",
    "Name a turn, a checkpoint or a commit. To see them: seam log, or seam log --turns",
  ],
  [
    "sync --push --fetch",
    "--push and --fetch each mean: only this.",
    "Leave both out to fetch and to send.",
  ],
  [
    "sync --with-push",
    "Nothing is recorded in ~: the record is not switched on.",
    "Switch it on with: seam enable. What others recorded is fetched with: seam sync --fetch",
  ],
  [
    "show nobody",
    "Nothing is recorded in ~: the record is not switched on.",
    "Switch it on with: seam enable. What others recorded is fetched with: seam sync --fetch",
  ],
  [
    "run -p hi --continue --fork x",
    "--continue and --fork cannot be used together.",
    "Leave out all but one.",
  ],
  ["view --port none", "--port none is not a port.", "It is a number from 1 to 65535."],
  [
    "ext remove nobody",
    'No package "nobody" was added here.',
    "There is none to choose from. All extensions: seam ext list",
  ],
];

it.each(WRONG)("seam %s: the hint fits the error", async (command, error, hint) => {
  const here = place();
  execFileSync("git", ["init", "-q"], { cwd: here.project });
  const { code, stderr } = await here.seam(...command.split(" "));
  expect(code).not.toBe(0);
  expect(stderr.replaceAll(here.project, "~")).toBe(`error ${error}\n      ${hint}\n`);
});

it("nobody raises an error of usage without saying what to do", () => {
  const src = join(import.meta.dirname, "../src");
  const raising = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .filter((name) => readFileSync(join(src, name), "utf8").includes('SeamError("SEAM_USAGE"'));
  expect(raising).toEqual(["errors/usage-error.ts"]);
});
