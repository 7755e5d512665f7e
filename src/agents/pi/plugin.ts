import { PLUGIN_LIMITS, type PluginLimits, pluginHead, pluginLink } from "../hooks/plugin-link.ts";
import { hooks } from "./hooks.ts";

const HOOKS = Object.fromEntries(
  Object.entries(hooks.mapping).map(([hook, { powers }]) => [
    hook,
    { gate: powers.length > 0, closes: powers.includes("block") },
  ]),
);

/** The whole of the extension that goes into Pi's folder. */
export function piPlugin(limits: PluginLimits = PLUGIN_LIMITS): string {
  return `${pluginHead("Pi")}
${pluginLink("pi", limits)}
${PLUGIN}`;
}

const PLUGIN = `
var HOOKS = ${JSON.stringify(HOOKS)};

export default function (pi) {
  var link;
  var count = 0;
  // Between a prompt and the end of the work on it.
  var working = false;
  try {
    link = seamLink();
    Object.keys(HOOKS).forEach(function (hook) {
      try {
        pi.on(hook, function (event, ctx) {
          return handle(hook, event, ctx);
        });
      } catch (_) {}
    });
  } catch (_) {}

  function attempt(get) {
    try {
      return get();
    } catch (_) {
      return undefined;
    }
  }

  function about(ctx) {
    var sessions = attempt(function () { return ctx.sessionManager; });
    var model = attempt(function () { return ctx.model; });
    return {
      sessionId: attempt(function () { return sessions.getSessionId(); }),
      sessionFile: attempt(function () { return sessions.getSessionFile(); }),
      cwd: attempt(function () { return ctx.cwd; }),
      hasUI: attempt(function () { return ctx.hasUI; }),
      model: attempt(function () { return model.provider + "/" + model.id; }),
    };
  }

  function handle(hook, event, ctx) {
    try {
      var context = about(ctx);
      var at = new Date().toISOString();
      var payload = { event: event, ctx: context, at: at, n: count++ };
      if (hook === "session_shutdown") return atEnd(hook, payload);
      if (hook === "before_agent_start") working = true;
      var row = HOOKS[hook];
      var asked = link.ask(hook, payload, { gate: row.gate, closes: row.closes, cwd: context.cwd });
      // Pi writes the session down only when it is done with this: it is kept waiting only for
      // answers that count.
      return row.gate ? answered(asked, hook, event, ctx) : undefined;
    } catch (_) {
      return undefined;
    }
  }

  async function answered(asked, hook, event, ctx) {
    try {
      var answer = await asked;
      return answer ? apply(hook, answer, event, ctx) : undefined;
    } catch (_) {
      return undefined;
    } finally {
      if (hook === "agent_end") working = false;
    }
  }

  // Pi ends a session without waiting for the end of the work in it.
  async function atEnd(hook, payload) {
    try {
      for (var left = link.lingerMs; working && left > 0; left -= 20) await link.pause(20);
      await link.ask(hook, payload, {});
    } catch (_) {}
  }

  function apply(hook, answer, event, ctx) {
    if (typeof answer.notify === "string") {
      attempt(function () { ctx.ui.notify(answer.notify, "warning"); });
    }
    if (typeof answer.context === "string") {
      attempt(function () {
        pi.sendMessage({ customType: "seam", content: answer.context, display: true }, { deliverAs: "steer" });
      });
    }
    // Without a screen Pi is about to leave.
    if (typeof answer.followUp === "string" && attempt(function () { return ctx.hasUI; })) {
      attempt(function () { pi.sendUserMessage(answer.followUp, { deliverAs: "followUp" }); });
    }
    if (answer.abort === true) attempt(function () { ctx.abort(); });
    var known = RESULTS[hook];
    var result = known ? known(answer, event) : undefined;
    return answer.ask === true ? confirmed(String(answer.reason), event, ctx) : result;
  }

  // A dialog that cannot be shown, or that is dismissed, is a no.
  async function confirmed(reason, event, ctx) {
    var yes = false;
    try {
      var what = event.input && (event.input.command || event.input.path);
      var title = "Run " + event.toolName + "?";
      yes = await ctx.ui.confirm(title, what ? reason + "\\n\\n" + what : reason);
    } catch (_) {}
    return yes === true ? undefined : { block: true, reason: "The user said no. " + reason };
  }
}

var RESULTS = {
  tool_call: function (answer, event) {
    if (typeof answer.refuse === "string") return { block: true, reason: answer.refuse };
    if (answer.block === true && answer.ask !== true) return { block: true, reason: String(answer.reason) };
    if (answer.input && typeof answer.input === "object") {
      // Pi runs what is in this object after all extensions were asked.
      Object.keys(event.input).forEach(function (key) {
        if (!(key in answer.input)) delete event.input[key];
      });
      Object.assign(event.input, answer.input);
    }
    return undefined;
  },
  tool_result: function (answer) {
    return Array.isArray(answer.content) ? { content: answer.content, isError: answer.isError === true } : undefined;
  },
  input: function (answer) {
    if (answer.action === "handled") return { action: "handled" };
    if (answer.action === "transform" && typeof answer.text === "string") {
      return { action: "transform", text: answer.text };
    }
    return undefined;
  },
  before_agent_start: function (answer) {
    return answer.message && typeof answer.message === "object" ? { message: answer.message } : undefined;
  },
  session_before_compact: cancelled,
  session_before_switch: cancelled,
};

function cancelled(answer) {
  return answer.cancel === true ? { cancel: true } : undefined;
}
`;
