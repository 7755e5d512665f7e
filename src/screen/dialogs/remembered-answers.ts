import { explain } from "../../errors/index.ts";
import type { Dialog, HostDialogOptions } from "../../extensions/index.ts";
import { seamHome } from "../../settings/index.ts";
import type { Remembered } from "./ask-person.ts";

/** Answers for good are rules of the project, the same that the inbox keeps. */
export function rememberedAnswers(
  cwd: string,
  nameOf: (path: string) => string,
  onProblem: (text: string) => void,
): Remembered {
  // The rules are loaded with the first question.
  const rules = async () => new (await import("../../daemon/index.ts")).Rules(seamHome());
  const about = ({ method, title }: Dialog, { from = "", call }: HostDialogOptions) => ({
    cwd,
    by: nameOf(from),
    method,
    title,
    ...(method === "confirm" && { choices: ["yes", "no"] }),
    ...(call && { call: { tool: call.tool, input: call.input } }),
  });
  return {
    find: async (dialog, options) => {
      try {
        return (await rules()).find(about(dialog, options))?.answer;
      } catch (thrown) {
        onProblem(explain(thrown));
        return undefined;
      }
    },
    keep: async (dialog, options, answer, what) => {
      const kind = what === "command" || what === "path" ? what : "tool";
      const question = {
        ...about(dialog, options),
        id: "",
        agent: "seam",
        session: "",
        at: "",
        otherwise: "",
      };
      const rule = (await rules()).add(question, answer, kind);
      return `It is a rule of this project now. To take it back: seam rules remove ${rule.id}`;
    },
  };
}
