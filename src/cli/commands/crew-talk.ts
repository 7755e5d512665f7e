import type { Command } from "commander";
import { type TalkRequest, talkToCrew } from "../../crew/index.ts";
import { daemonPaths } from "../../daemon/index.ts";
import { usageError } from "../../errors/index.ts";
import { printJson, printLine } from "../print.ts";

interface Options {
  run?: string;
  json?: boolean;
}

/** What is said in a crew from a shell: by its agents, which are known by themselves, and by people. */
export function addCrewTalk(crew: Command): void {
  crew
    .command("send <to> <text>")
    .description("say something to a task of a crew")
    .option("--run <run>", "the run; an agent of the run need not name it", "last")
    .option("--reply-to <message>", "the message that this answers")
    .option("--json", "print JSON")
    .addHelpText(
      "after",
      `
It is kept first, and heard at the task's next step or when it begins. To "all": every
task that is not over.

Examples:
  seam crew send build "Use the existing helper in src/files."
  seam crew send all "The API has changed: look at docs/api.md" --run 3f9a12c4`,
    )
    .action((to: string, text: string, options: Options & { replyTo?: string }) => {
      const { replyTo } = options;
      return say({ say: "send", to, text, ...(replyTo !== undefined && { replyTo }) }, options);
    });
  crew
    .command("messages [task]")
    .description("show what was said in a crew, and what nobody has heard yet")
    .option("--run <run>", "the run", "last")
    .option("--json", "print JSON")
    .action((member: string | undefined, options: Options) =>
      say({ say: "messages", ...(member !== undefined && { member }) }, options),
    );
  crew
    .command("ask <question>")
    .description("for agents of a crew: ask a person")
    .option("--json", "print JSON")
    .action((text: string, options: Options) => say({ say: "ask", text }, options));
  crew
    .command("result <json>")
    .description("for agents of a crew: hand over the typed result of the task")
    .option("--json", "print JSON")
    .action((text: string, options: Options) => {
      return say({ say: "result", value: parsed(text) }, options);
    });
}

async function say(request: TalkRequest, { run, json }: Options): Promise<void> {
  const attempt = process.env.SEAM_CREW_ATTEMPT;
  const who = attempt ? { attempt } : { ...(run !== undefined && { run }) };
  const { text, data } = await talkToCrew(daemonPaths(), { ...request, ...who });
  if (json) printJson(data);
  else printLine(text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw usageError("The result is no JSON.", `Put it into quotes: '{ "summary": "…" }'`);
  }
}
