import type { Question } from "../../daemon/index.ts";
import { wrapTextWithAnsi } from "../../terminal/index.ts";
import { lineWidth, paint } from "../print.ts";
import { agentType, plain, when } from "../record/format.ts";
import { shownFolder } from "../shown-path.ts";
import { inSight } from "./in-sight.ts";

/** A question as people read it: who asks, about what in full, and what happens without an answer. */
export function questionLines(asked: Question): string[] {
  const question = plain(asked);
  const { id, agent, session, cwd, at, title, message, by, deadline, otherwise } = question;
  const indented = (text: string, indent: number) =>
    text
      .split("\n")
      .flatMap((line) => wrapTextWithAnsi(line, lineWidth() - indent))
      .map((line) => " ".repeat(indent) + line);
  const body = (text: string) => indented(text, 4);
  const said = [title, ...(message ? [message] : [])].join("\n");
  const until = deadline === undefined ? "" : ` Until ${when(deadline)}.`;
  return [
    `${paint("yellow", id)}  ${agentType(agent)}  ${shownFolder(cwd)}  since ${when(at)}${question.isHeld ? "  not now" : ""}`,
    ...body(said),
    ...callLines(asked).flatMap((line) => indented(line, 6)),
    ...choiceLines(question).flatMap(body),
    ...body(
      paint("dim", `Asked by ${by}, session ${session}.${until} Without an answer: ${otherwise}`),
    ),
  ];
}

/** The whole command or the diff: people see what they agree to, every character of it. */
function callLines({ call }: Question): string[] {
  if (!call) return [];
  const { tool, input, diff } = call;
  const { command, path } = input;
  const lines = (text: string) => inSight(text).split("\n");
  if (diff !== undefined) return lines(diff).map(paintDiff);
  if (typeof command === "string") return lines(command).map((line) => paint("bold", line));
  if (typeof path === "string") return lines(`${tool} ${path}`);
  return lines(JSON.stringify(input, null, 2));
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
