import type { Question } from "../../daemon/index.ts";
import { wrapTextWithAnsi } from "../../terminal/index.ts";
import { lineWidth, paint } from "../print.ts";
import { agentType, plain, when } from "../record/format.ts";
import { shownPath } from "../shown-path.ts";

/** A question as people read it: who asks, about what in full, and what happens without an answer. */
export function questionLines(asked: Question): string[] {
  const question = plain(asked);
  const { id, agent, session, cwd, at, title, message, call, by, deadline, otherwise } = question;
  const indented = (text: string, indent: number) =>
    text
      .split("\n")
      .flatMap((line) => wrapTextWithAnsi(line, lineWidth() - indent))
      .map((line) => " ".repeat(indent) + line);
  const body = (text: string) => indented(text, 4);
  const said = [title, ...(message ? [message] : [])].join("\n");
  const until = deadline === undefined ? "" : ` Until ${when(deadline)}.`;
  return [
    `${paint("yellow", id)}  ${agentType(agent)}  ${shownPath(cwd)}  since ${when(at)}${question.isHeld ? "  not now" : ""}`,
    ...body(said),
    ...(call ? callLines(question).flatMap((line) => indented(line, 6)) : []),
    ...choiceLines(question).flatMap(body),
    ...body(
      paint("dim", `Asked by ${by}, session ${session}.${until} Without an answer: ${otherwise}`),
    ),
  ];
}

/** The whole command or the diff: people see what they agree to. */
function callLines({ call }: Question): string[] {
  if (!call) return [];
  const { tool, input, diff } = call;
  const { command, path } = input;
  if (diff !== undefined) return diff.split("\n").map(paintDiff);
  if (typeof command === "string") return command.split("\n").map((line) => paint("bold", line));
  if (typeof path === "string") return [`${tool} ${path}`];
  return JSON.stringify(input, null, 2).split("\n");
}

function paintDiff(line: string): string {
  if (line.startsWith("+")) return paint("green", line);
  return line.startsWith("-") ? paint("red", line) : line;
}

function choiceLines({ choices, method, placeholder, prefill }: Question): string[] {
  if (method === "confirm") return [];
  if (choices) return choices.map((choice, index) => `${index + 1}  ${choice}`);
  return [placeholder ?? prefill ?? ""].filter((text) => text !== "");
}
