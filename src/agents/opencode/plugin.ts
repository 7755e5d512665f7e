import { PLUGIN_LIMITS, type PluginLimits, pluginHead, pluginLink } from "../hooks/plugin-link.ts";
import { hooks } from "./hooks.ts";

const EVENTS = Object.keys(hooks.mapping)
  .filter((hook) => hook.startsWith("event."))
  .map((hook) => hook.slice("event.".length));

/** The whole of the plugin that goes into OpenCode's folder. */
export function opencodePlugin(limits: PluginLimits = PLUGIN_LIMITS): string {
  return `${pluginHead("OpenCode")}
${pluginLink("opencode", limits)}
${PLUGIN}`;
}

const PLUGIN = `
var EVENTS = ${JSON.stringify(EVENTS)};

export const Seam = async function (host) {
  var link = seamLink();
  var directory = host && host.directory;
  // Whom a session was started by, and the sessions the user talks to.
  var parents = new Map();
  var roots = new Set();
  // Calls that were refused: OpenCode reports them as failed.
  var refused = new Set();
  var pending = new Set();

  function rootOf(session) {
    var at = session;
    for (var step = 0; parents.has(at) && step < 50; step++) at = parents.get(at);
    return at;
  }

  // Resolves with the daemon's answer or nothing; never throws.
  function tell(hook, payload, session, options) {
    var root = rootOf(session);
    var known = { directory: directory };
    if (session && root !== session) {
      known.rootSessionID = root;
      known.childSessionID = session;
    } else if (session) {
      roots.add(session);
    }
    var settings = Object.assign({ gate: false, closes: false, cwd: directory }, options);
    var asked = link.ask(hook, Object.assign(known, payload), settings);
    pending.add(asked);
    return asked.then(function (answer) {
      pending.delete(asked);
      return answer || {};
    });
  }

  // Ends the turn of the session the user talks to. Nobody waits: the call is over first.
  function abort(answer, session) {
    if (answer.abort !== true) return;
    var id = rootOf(session);
    try {
      Promise.resolve(host.client.session.abort({ path: { id: id } })).catch(function () {});
    } catch (_) {}
  }

  async function onEvent(event) {
    var properties = event.properties || {};
    var info = properties.info || {};
    if (event.type === "session.created" && info.parentID) parents.set(info.id, info.parentID);
    if (EVENTS.indexOf(event.type) < 0) return;
    if (event.type === "message.part.updated") {
      var part = properties.part || {};
      if (part.type !== "tool" || !part.state || part.state.status !== "error") return;
      if (refused.delete(part.callID)) return;
    }
    await tell("event." + event.type, { input: event }, properties.sessionID || info.id);
  }

  return {
    event: async function (given) {
      try {
        await onEvent(given.event);
      } catch (_) {}
    },

    "chat.message": async function (input, output) {
      var refusal;
      try {
        var answer = await tell("chat.message", { input: input, output: output }, input.sessionID, { gate: true });
        refusal = answer.error;
        if (typeof answer.text === "string") rewrite(output.parts, answer.text);
        if (typeof answer.context === "string") addPart(output, answer.context);
      } catch (_) {}
      if (typeof refusal === "string") throw new Error(refusal);
    },

    "tool.execute.before": async function (input, output) {
      var refusal;
      try {
        var answer = await tell("tool.execute.before", { input: input, output: { args: output.args } }, input.sessionID, { gate: true, closes: true });
        refusal = answer.refuse || answer.error;
        abort(answer, input.sessionID);
        if (answer.args && typeof answer.args === "object") replace(output.args, answer.args);
      } catch (_) {}
      if (typeof refusal !== "string") return;
      refused.add(input.callID);
      throw new Error(refusal);
    },

    "tool.execute.after": async function (input, output) {
      try {
        var answer = await tell("tool.execute.after", { input: input, output: output }, input.sessionID, { gate: true });
        abort(answer, input.sessionID);
        if (typeof answer.output !== "string") return;
        var before = output.output;
        output.output = answer.output;
        // Some tools keep a second copy for the screen.
        if (output.metadata && output.metadata.output === before) output.metadata.output = answer.output;
      } catch (_) {}
    },

    "experimental.session.compacting": async function (input) {
      try {
        await tell("experimental.session.compacting", { input: input }, input.sessionID);
      } catch (_) {}
    },

    dispose: async function () {
      try {
        await Promise.all(Array.from(pending));
        await Promise.all(
          Array.from(roots).map(function (session) {
            return tell("dispose", { input: {}, sessionID: session }, session);
          }),
        );
      } catch (_) {}
    },
  };
};

// A new object would be ignored: OpenCode keeps the one it made.
function replace(args, changed) {
  Object.keys(args).forEach(function (key) {
    if (!(key in changed)) delete args[key];
  });
  Object.assign(args, changed);
}

function isTyped(part) {
  return part && part.type === "text" && part.synthetic !== true;
}

function rewrite(parts, text) {
  parts.filter(isTyped).forEach(function (part, index) {
    part.text = index === 0 ? text : "";
  });
}

function addPart(output, text) {
  var like = output.parts.filter(isTyped)[0] || output.parts[0];
  if (!like) return;
  output.parts.push({
    id: "prt_zz" + Date.now(),
    sessionID: like.sessionID,
    messageID: like.messageID,
    type: "text",
    text: text,
    synthetic: true,
  });
}
`;
