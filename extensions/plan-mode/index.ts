import type { AgentMessage, ExtensionAPI, ExtensionContext } from "agentseam";
import { instructionsFor, withoutOldInstructions } from "./instructions.ts";
import { isReadOnly } from "./read-only.ts";
import { newState, type PlanState, savedState } from "./state.ts";
import { listed, markDone, stepsIn } from "./steps.ts";

const READING_TOOLS = ["read", "bash", "grep", "find", "ls", "Skill"];
const CHOICES = { go: "Carry it out", change: "Change it", stay: "Stay in plan mode" };

/**
 * Plan first, change later. While planning, the agent has only tools that read, and shell commands
 * that could change something are blocked. Its plan becomes a list; once you agree, it is carried
 * out and ticked off. The state is kept in the session, so a resumed session goes on with it.
 *
 * Start with `--plan`, `/plan` or ctrl+alt+p; `/plan` again ends it, `/plan go` carries out the plan.
 *
 * Shows: a flag, a command and a shortcut for one thing, `setActiveTools`, a gate for tools,
 * messages injected in `before_agent_start` and taken out again in `context`, state with
 * `appendEntry`, a status and a widget, a question when the agent has settled.
 *
 * @example
 * seam run -e extensions/plan-mode --plan -p "How would you add a cache?"
 * seam run -e extensions/plan-mode --continue -p "/plan go"
 */
export default function planMode(pi: ExtensionAPI) {
  let state = newState();
  let hasNewPlan = false;

  const apply = (next: PlanState, { ui }: ExtensionContext) => {
    if (next.mode === "planning") {
      pi.setActiveTools(next.tools.filter((name) => READING_TOOLS.includes(name)));
    } else if (state.mode === "planning") pi.setActiveTools([...state.tools]);
    state = next;
    const done = next.steps.filter((step) => step.done).length;
    const executing = `plan ${done}/${next.steps.length}`;
    ui.setStatus("plan-mode", { off: undefined, planning: "planning", executing }[next.mode]);
    const visible = next.mode !== "off" && next.steps.length > 0;
    ui.setWidget("plan-mode", visible ? listed(next.steps) : undefined);
  };
  const change = (next: Partial<PlanState>, ctx: ExtensionContext) => {
    apply({ ...state, ...next }, ctx);
    pi.appendEntry("plan-mode", state);
  };
  const toggle = (ctx: ExtensionContext) => {
    if (state.mode === "planning") return change({ mode: "off", steps: [] }, ctx);
    change({ mode: "planning", steps: [], tools: pi.getActiveTools() }, ctx);
  };
  const carryOut = (ctx: ExtensionContext) => {
    if (state.steps.length === 0) return ctx.ui.notify("There is no plan yet.", "warning");
    change({ mode: "executing" }, ctx);
    pi.sendUserMessage("Carry out the plan.");
  };

  pi.registerFlag("plan", { type: "boolean", default: false, description: "Start in plan mode" });
  pi.registerCommand("plan", {
    description: "Plan mode on or off; /plan go carries out the plan",
    handler: (args, ctx) => (args.trim() === "go" ? carryOut(ctx) : toggle(ctx)),
  });
  pi.registerShortcut("ctrl+alt+p", { description: "Plan mode on or off", handler: toggle });

  pi.on("session_start", ({ reason }, ctx) => {
    apply(savedState(ctx.sessionManager.getBranch()), ctx);
    const isFirst = reason === "startup" || reason === "resume";
    if (isFirst && pi.getFlag("plan") === true && state.mode !== "planning") toggle(ctx);
  });
  pi.on("session_tree", (_event, ctx) => apply(savedState(ctx.sessionManager.getBranch()), ctx));
  // After a reload this extension may be gone; the tools must not stay as we chose them.
  pi.on("session_shutdown", () => {
    if (state.mode === "planning") pi.setActiveTools([...state.tools]);
  });

  pi.on("tool_call", ({ toolName, input }) => {
    if (state.mode !== "planning") return;
    const reason = "This is plan mode: nothing is changed yet. Put it into the plan.";
    if (!READING_TOOLS.includes(toolName)) return { block: true, reason };
    const command = String(input.command ?? "");
    if (toolName === "bash" && !isReadOnly(command)) return { block: true, reason };
  });

  pi.on("before_agent_start", () => instructionsFor(state));
  pi.on("context", ({ messages }) => ({ messages: withoutOldInstructions(messages, state.mode) }));

  pi.on("turn_end", ({ message }, ctx) => {
    const answer = textOf(message);
    if (state.mode === "planning") {
      const steps = stepsIn(answer);
      if (steps.length === 0) return;
      hasNewPlan = true;
      change({ steps }, ctx);
    } else if (state.mode === "executing") {
      const steps = markDone(state.steps, answer);
      if (steps === state.steps) return;
      const isFinished = steps.every(({ done }) => done);
      change({ steps, mode: isFinished ? "off" : "executing" }, ctx);
      if (isFinished) ctx.ui.notify("The plan is carried out.");
    }
  });

  pi.on("agent_settled", async ({ aborted }, ctx) => {
    const isWorthAsking = hasNewPlan && !aborted && ctx.hasUI && state.mode === "planning";
    hasNewPlan = false;
    if (!isWorthAsking) return;
    const choice = await ctx.ui.select("The plan is ready.", Object.values(CHOICES));
    if (choice === CHOICES.go) return carryOut(ctx);
    if (choice !== CHOICES.change) return;
    const wish = await ctx.ui.editor("What should change?");
    if (wish?.trim()) pi.sendUserMessage(wish);
  });
}

function textOf(message: AgentMessage): string {
  if (message.role !== "assistant") return "";
  return message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
