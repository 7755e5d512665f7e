import { isEventName, textOfContent } from "../../events/index.ts";
import { isRecord } from "../../values/index.ts";
import { real } from "../hooks/answering.ts";
import { contentOf } from "../hooks/content.ts";
import { defineHooks } from "../hooks/define-hooks.ts";
import { AFTER_TOOL, BEFORE_TOOL, STOP } from "../hooks/event-lists.ts";
import { recordOf, textAt, valueAt } from "../hooks/fields.ts";
import type { Payload } from "../hooks/hook-support.ts";
import type { Reading } from "../hooks/reading.ts";
import { skillOfPrompt } from "../hooks/skills.ts";
import { quirks } from "./quirks.ts";
import { tools } from "./tools.ts";

/** What plugin.ts sends: Pi's event, what is known of the session, when it was and which one. */
const EVENT = "event";

const CANCEL = () => ({ say: { cancel: true } });
const CONTEXT = (text: string) => ({ say: { context: text } });
const ABORT = () => ({ say: { abort: true } });
const NOTIFY = (text: string) => ({ say: { notify: text } });

export const hooks = defineHooks({
  agent: "pi",
  tools,
  quirks,
  style: {
    sessionId: ["ctx.sessionId"],
    cwd: ["ctx.cwd"],
    transcriptPath: ["ctx.sessionFile"],
    model: ["ctx.model"],
    previousSession: { file: [`${EVENT}.previousSessionFile`] },
    start: {
      from: [`${EVENT}.reason`],
      means: { startup: "startup", reload: "reload", new: "new", resume: "resume", fork: "fork" },
    },
    end: {
      from: [`${EVENT}.reason`],
      means: { quit: "quit", reload: "reload", new: "new", resume: "resume", fork: "fork" },
    },
    prompt: [`${EVENT}.text`, `${EVENT}.prompt`],
    tool: {
      name: [`${EVENT}.toolName`],
      input: [`${EVENT}.input`],
      callId: [`${EVENT}.toolCallId`],
      output: [`${EVENT}.content`],
    },
    compaction: { summary: [`${EVENT}.compactionEntry.summary`] },
  },
  failed: (_, payload) => valueAt(payload, [`${EVENT}.isError`]) === true,
  hooks: {
    session_start: { events: ["session_start"], arrives: "real", repeats: true },
    input: {
      events: ["input", "skill_invoked"],
      arrives: "real",
      says: {
        // Pi itself shows nothing.
        block_prompt: real((notify) => ({ say: { action: "handled", notify } })),
        rewrite_prompt: real((text) => ({ say: { action: "transform", text } })),
        message: real(NOTIFY),
      },
    },
    before_agent_start: {
      events: ["before_agent_start", "agent_start"],
      arrives: "real",
      says: {
        add_context: real((content) => ({
          say: { message: { customType: "seam", content, display: true } },
        })),
      },
    },
    turn_start: { events: ["turn_start"], arrives: "real" },
    tool_call: {
      events: BEFORE_TOOL,
      arrives: "real",
      says: {
        block: real((reason) => ({ say: { block: true, reason } })),
        rewrite_input: real((input) => ({ say: { input } })),
        // The plugin asks in Pi's own dialog, if there is a screen for it. One that was installed
        // before it could ask blocks.
        ask: real((reason, { payload }) =>
          valueAt(payload, ["ctx.hasUI"]) === true
            ? { say: { ask: true, block: true, reason } }
            : undefined,
        ),
        add_context: real(CONTEXT),
        interrupt: real(ABORT),
        message: real(NOTIFY),
      },
    },
    tool_result: {
      events: AFTER_TOOL,
      arrives: "real",
      says: {
        replace_result: real(({ content, isError }) => ({ say: { content, isError } })),
        add_context: real(CONTEXT),
        interrupt: real(ABORT),
      },
    },
    turn_end: { events: ["turn_end"], arrives: "real" },
    agent_end: {
      events: STOP,
      arrives: "real",
      says: { continue: real((text) => ({ say: { followUp: text } })) },
    },
    session_before_compact: {
      events: ["session_before_compact"],
      arrives: "real",
      says: { cancel: real(CANCEL) },
    },
    session_compact: { events: ["session_compact"], arrives: "real" },
    session_before_switch: {
      events: ["session_before_switch"],
      arrives: "real",
      says: { cancel: real(CANCEL) },
    },
    session_shutdown: { events: ["session_shutdown"], arrives: "real" },
  },
  refine: (reading, hook, payload) => ({
    ...reading,
    ...given(hook, payload),
    ...(hook === "input" && typedSkill(payload)),
    ...(hook === "agent_end" && lastAnswer(payload)),
  }),
});

/** Pi's events are the vocabulary's, so what Pi says of one is passed on as it is. */
function given(hook: string, payload: Payload): Pick<Reading, "given"> {
  const { type: _, ...fields } = recordOf(payload.event);
  return isEventName(hook) ? { given: { event: hook, fields } } : {};
}

/** What the model said last, and whether the user cut it short. */
function lastAnswer(payload: Payload): Pick<Reading, "lastMessage" | "aborted"> {
  const messages = valueAt(payload, [`${EVENT}.messages`]);
  const answers = (Array.isArray(messages) ? messages : []).filter(isRecord);
  const last = answers.findLast(({ role }) => role === "assistant");
  const text = textOfContent(contentOf(last?.content));
  return {
    ...(text !== "" && { lastMessage: text }),
    ...(last?.stopReason === "aborted" && { aborted: true }),
  };
}

/** `/skill:name` before Pi puts the skill's text in its place. */
function typedSkill(payload: Payload): Pick<Reading, "skill"> {
  const text = textAt(payload, [`${EVENT}.text`]);
  const [command, skill] = /^\/skill:(\S+)/.exec(text ?? "") ?? [];
  if (command === undefined || skill === undefined) return {};
  const at = textAt(payload, ["at"]);
  const n = typeof payload.n === "number" ? payload.n : 0;
  return {
    skill: skillOfPrompt(
      { agent: "pi" },
      { skill, command, ...(at !== undefined && { timestamp: at, key: `${at}-${n}` }) },
    ),
  };
}
