import type { Command } from "commander";
import { askService, daemonPaths, type Question, type RememberedFor } from "../../daemon/index.ts";
import { usageError } from "../../errors/index.ts";
import { questionLines } from "../inbox/question-lines.ts";
import { watchInbox } from "../inbox/watch.ts";
import { printJson, printLine } from "../print.ts";
import { plain } from "../record/format.ts";

interface AnswerOptions {
  later?: boolean;
  remember?: RememberedFor;
  json?: boolean;
}

export function addInbox(program: Command): void {
  const inbox = program
    .command("inbox")
    .option("-w, --watch", "stay attached: agents wait for answers as long as this runs")
    .option("--json", "print JSON; with --watch one object a line")
    .addHelpText(
      "after",
      `
Extensions and gates can ask a person. While a page (seam view) or a terminal
(seam inbox --watch) is attached, the agent waits for the answer; without one it
asks in its own dialog, where it has one.

Examples:
  seam inbox
  seam inbox --watch
  seam inbox answer 3f9a12c4 yes
  seam inbox answer 3f9a12c4 no --remember command
  seam inbox answer 3f9a12c4 --later`,
    )
    .action(list);
  inbox
    .command("answer <id> [answer]")
    .description("answer a question: yes or no, one of its choices or its number, or a text")
    .option(
      "--later",
      "not now: the agent keeps waiting, and in the end is told to try again later",
    )
    .option(
      "--remember <what>",
      "answer it like this from now on in this project: command, path or tool",
    )
    .option("--json", "print JSON")
    .action(answer);
}

async function list({ watch, json }: { watch?: boolean; json?: boolean }): Promise<void> {
  const paths = daemonPaths();
  const { questions } = (await askService(paths, "GET", "/v1/inbox")) as { questions: Question[] };
  if (watch) return watchInbox(paths, json);
  if (json) return printJson({ questions: questions.map((question) => plain(question)) });
  if (questions.length === 0) return printLine("Nothing waits for you.");
  for (const [index, question] of questions.entries()) {
    if (index > 0) printLine();
    for (const line of questionLines(question)) printLine(line);
  }
  printLine();
  printLine(`To answer: seam inbox answer ${questions[0]?.id} <answer>`);
}

const KINDS = ["command", "path", "tool"];

async function answer(
  id: string,
  given: string | undefined,
  options: AnswerOptions,
): Promise<void> {
  const { later, remember, json } = options;
  if (later !== true && given === undefined) {
    throw usageError(
      "The answer is missing.",
      `See what can be answered: seam inbox. Then: seam inbox answer ${id} <answer>`,
    );
  }
  if (remember !== undefined && !KINDS.includes(remember)) {
    throw usageError(
      `An answer cannot be remembered for "${remember}".`,
      `It can be for this ${KINDS.join(", this ")}: --remember ${KINDS.join(" | ")}`,
    );
  }
  const answered = await askService(daemonPaths(), "POST", "/v1/inbox/answer", {
    id,
    who: "seam inbox",
    ...(later ? { act: "hold" } : { value: given }),
    ...(remember && { remember }),
  });
  if (json) return printJson(answered);
  printLine(later ? "It waits on." : "Answered.");
  if (remember) printLine("Remembered. To see or remove it: seam rules");
}
