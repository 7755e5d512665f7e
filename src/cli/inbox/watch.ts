import {
  askService,
  type DaemonPaths,
  type InboxLine,
  type Question,
  watchPeople,
} from "../../daemon/index.ts";
import { explain, SeamError } from "../../errors/index.ts";
import { Lines } from "../ask/lines.ts";
import { isCapable, printLine } from "../print.ts";
import { plainText } from "../record/format.ts";
import { questionLines } from "./question-lines.ts";

const NAME = "seam inbox";

/** What people type in place of a choice, and what it does. Where a text is wanted it is the text. */
const SHORT: Readonly<Record<string, { act?: "hold"; value?: string; isForGood?: true }>> = {
  ".": { act: "hold" },
  always: { value: "yes", isForGood: true },
  never: { value: "no", isForGood: true },
};

interface Waiting {
  readonly question: Question;
  readonly closed: AbortController;
}

/** Stays attached and shows what waits; on a terminal it also takes the answers. */
export async function watchInbox(paths: DaemonPaths, json = false): Promise<void> {
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort());
  process.once("SIGTERM", () => stop.abort());
  const asks = process.stdin.isTTY === true && !json;
  const lines = asks ? new Lines(process.stdin, process.stdout) : undefined;
  lines?.cancelled.addEventListener("abort", () => stop.abort());
  const waiting = new Map<string, Waiting>();
  let working = Promise.resolve();
  const take = (question: Question) => {
    if (waiting.has(question.id)) return;
    const one = { question, closed: new AbortController() };
    waiting.set(question.id, one);
    if (isCapable(process.stdout)) process.stdout.write("\x07");
    if (!lines) for (const line of questionLines(question)) printLine(line);
    else working = working.then(() => askFor(paths, lines, one, stop.signal));
  };
  if (!json) printLine("Attached: agents wait for your answers here. Ctrl+C leaves.");
  for await (const line of watchPeople(paths, { name: NAME, signal: stop.signal })) {
    if (json) process.stdout.write(`${JSON.stringify(line)}\n`);
    else show(line, waiting, take, (text) => interject(lines, text));
  }
  lines?.close();
}

function show(
  line: InboxLine,
  waiting: Map<string, Waiting>,
  take: (question: Question) => void,
  say: (text: string) => void,
): void {
  if (line.type === "waiting") for (const question of line.questions) take(question);
  else if (line.type === "asked") take(line.question);
  else if (line.type === "notice") say(`${line.agent}: ${plainText(line.text)}`);
  else if (line.type === "settled") {
    waiting.get(line.id)?.closed.abort();
    waiting.delete(line.id);
    const { settled } = line;
    const what = "value" in settled ? `${settled.who} answered "${settled.value}"` : settled.why;
    say(`${line.id} is closed: ${plainText(what)}.`);
    const rule = "value" in settled && settled.who !== "a rule" ? settled.rule : undefined;
    if (rule !== undefined) {
      say(`It is a rule of this project now. To take it back: seam rules remove ${rule}`);
    }
  }
}

/** A line that comes while somebody may be typing an answer. */
function interject(lines: Lines | undefined, text: string): void {
  if (lines) lines.interject(() => printLine(text));
  else printLine(text);
}

async function askFor(
  paths: DaemonPaths,
  lines: Lines,
  { question, closed }: Waiting,
  stop: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any([closed.signal, stop]);
  if (signal.aborted) return;
  printLine();
  for (const line of questionLines(question)) printLine(line);
  while (!signal.aborted) {
    const given = await lines.ask(promptFor(question), signal);
    if (given === undefined) return;
    const short = question.choices ? SHORT[given.trim()] : undefined;
    const { act, value = given, isForGood } = short ?? {};
    const [remember] = question.rememberable ?? [];
    try {
      await askService(paths, "POST", "/v1/inbox/answer", {
        id: question.id,
        who: NAME,
        ...(act ? { act } : { value }),
        ...(isForGood && remember && { remember }),
      });
      if (act) printLine(`It waits on. To answer it: seam inbox answer ${question.id} <answer>`);
      return;
    } catch (error) {
      if (!(error instanceof SeamError)) throw error;
      printLine(explain(error));
    }
  }
}

function promptFor({ method, choices, rememberable }: Question): string {
  const [what] = rememberable ?? [];
  const good = what ? `, always or never for this ${what}` : "";
  if (method === "confirm") return `y yes, n no, . not now${good} > `;
  return choices ? "number, or . not now > " : "your answer > ";
}
