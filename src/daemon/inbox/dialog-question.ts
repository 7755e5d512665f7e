import type { Dialog } from "../../extensions/index.ts";
import type { HookMoment } from "./hook-moment.ts";
import type { WantedQuestion } from "./inbox.ts";

export const YES_NO = ["yes", "no"] as const;

/** Turns a dialog of an extension into a question for the inbox. */
export function dialogQuestion(
  dialog: Dialog & { readonly timeoutMs?: number },
  about: Pick<WantedQuestion, "agent" | "session" | "cwd" | "by">,
  moment: HookMoment | undefined,
): WantedQuestion {
  const { method, title, message, options, placeholder, prefill, timeoutMs } = dialog;
  const choices = method === "confirm" ? YES_NO : options;
  const call = moment?.call();
  const content = JSON.stringify([about.by, method, title, message, options]);
  const ends = [
    ...(moment ? [moment.deadline] : []),
    ...(timeoutMs === undefined ? [] : [Date.now() + timeoutMs]),
  ];
  return {
    ...about,
    method,
    title,
    ...(message !== undefined && { message }),
    ...(choices && { choices }),
    ...(placeholder !== undefined && { placeholder }),
    ...(prefill !== undefined && { prefill }),
    ...(call && { call }),
    ...(moment && { key: moment.keyFor(content) }),
    ...(ends.length > 0 && { deadline: Math.min(...ends) }),
    otherwise:
      method === "confirm"
        ? `${about.by} goes on as if you had said no.`
        : `${about.by} goes on without an answer.`,
  };
}
