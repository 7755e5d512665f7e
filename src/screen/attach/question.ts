import { askService, type DaemonPaths, type Question } from "../../daemon/index.ts";
import { safeText } from "../../terminal/index.ts";
import type { Dialogs } from "../dialogs/dialogs.ts";

const WHO = "seam attach";

/** Asks a question of the inbox in this terminal, and hands the answer over. */
export async function askQuestion(
  paths: DaemonPaths,
  dialogs: Dialogs,
  question: Question,
  signal: AbortSignal,
): Promise<void> {
  const given = await answerTo(dialogs, question, signal);
  if (signal.aborted) return;
  const { id } = question;
  await askService(paths, "POST", "/v1/inbox/answer", { id, who: WHO, ...given });
}

type Given = { value?: string; act?: "hold" | "cancel"; remember?: string };

async function answerTo(dialogs: Dialogs, question: Question, signal: AbortSignal): Promise<Given> {
  const { method, title, message, call, by, agent, cwd, choices, placeholder, prefill } = question;
  const from = `${agent} in ${cwd}, asked by ${by}`;
  const about = call?.diff ?? textOf(call?.input.command ?? call?.input.path);
  // Many gates say the command themselves.
  const parts = new Set([title, message ?? "", about]);
  const text = [...parts].filter((part) => part !== "").join("\n");
  const options = { signal, from: safeText(from) };
  if (method === "input") return given(await dialogs.input(text, placeholder, options));
  if (method === "editor") return given(await dialogs.editor(text, prefill, options));
  if (method === "select") return given(await dialogs.select(text, choices ?? [], options));
  const [what] = question.rememberable ?? [];
  const items = [
    { value: "yes", label: "y  Yes" },
    { value: "no", label: "n  No" },
    { value: "hold", label: ".  Not now" },
    ...(what === undefined
      ? []
      : [
          { value: "always", label: `a  Always for this ${what}` },
          { value: "never", label: `x  Never for this ${what}` },
        ]),
  ];
  const keys = { y: "yes", n: "no", ".": "hold", ...(what && { a: "always", x: "never" }) };
  const chosen = await dialogs.choose(text, items, { ...options, keys });
  if (chosen === "always" || chosen === "never") {
    const value = chosen === "always" ? "yes" : "no";
    return { value, ...(what !== undefined && { remember: what }) };
  }
  return chosen === undefined || chosen === "hold" ? { act: "hold" } : { value: chosen };
}

const given = (value: string | undefined): Given =>
  value === undefined ? { act: "hold" } : { value };

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
