/**
 * Every error Seam can raise: a stable code, what happened, what to do next.
 * `docs/errors.md` is checked against this list. `{name}` is filled in from the error's details.
 */
export const ERRORS = {
  SEAM_EXT_NOT_FOUND: {
    what: "There is no extension at {path}.",
    next: "Check the path. It must be a .ts or .js file, or a folder with an index.ts.",
  },
  SEAM_EXT_SYNTAX: {
    what: "{path} cannot be parsed: {detail}",
    next: "Fix the syntax error at the line shown.",
  },
  SEAM_EXT_IMPORT: {
    what: '{path} imports "{specifier}", which is not installed.',
    next: "Install the package next to the extension, or remove the import.",
  },
  SEAM_EXT_MISSING_EXPORT: {
    what: '{path} imports "{name}" from "{specifier}", which has no such name.',
    next: "Check the spelling. docs/pi.md lists the names Seam offers.",
  },
  SEAM_EXT_NO_FACTORY: {
    what: "{path} does not have a function as its default export.",
    next: "Add: export default function (pi) { … }",
  },
  SEAM_EXT_FACTORY: {
    what: "{path} failed while starting: {detail}",
    next: "Fix the error at the line shown. Nothing it registered was kept.",
  },
  SEAM_EXT_LOAD_TIMEOUT: {
    what: "{path} did not finish loading within {ms} ms.",
    next: "Look for a loop that never ends or a promise that never settles at load time.",
  },
  SEAM_EXT_EXITED: {
    what: "{path} ended the process while it was loading.",
    next: "Remove the call of process.exit(), or make it later.",
  },
  SEAM_EXT_UNTRUSTED: {
    what: "{path} was not loaded: this project's extensions are not trusted yet.",
    next: "Read the file, then run: seam trust",
  },
  SEAM_EXT_CHANGED: {
    what: "{path} was not loaded: it changed since it was trusted.",
    next: "Read the change, then run: seam trust",
  },
  SEAM_EXT_CRITICAL: {
    what: "The critical extension {path} is not running, so tool calls are blocked.",
    next: "Fix the extension, or remove it if you no longer need it.",
  },
  SEAM_EXT_NOT_BOUND: {
    what: "{method}() was called by {path} before there is a session.",
    next: "Call it from an event handler or a command instead.",
  },
  SEAM_EXT_STALE: {
    what: "{path} used an object from before a reload or a session change.",
    next: "Use the ctx of the current handler, or the one passed to withSession.",
  },
  SEAM_EVENT_UNKNOWN: {
    what: '{path} listens for "{event}", which is not an event.',
    next: "{hint}",
  },
  SEAM_HANDLER_NOT_FUNCTION: {
    what: '{path} passed something that is not a function as the handler of "{event}".',
    next: 'Use: pi.on("{event}", async (event, ctx) => { … })',
  },
  SEAM_HANDLER_THREW: {
    what: 'A handler of {path} for "{event}" failed: {detail}',
    next: "Fix the error in the extension at the line shown.",
  },
  SEAM_HANDLER_TIMEOUT: {
    what: 'A handler of {path} for "{event}" did not finish within {ms} ms.',
    next: "Make it faster, or give it more time: pi.on(event, handler, { deadlineMs }).",
  },
  SEAM_HANDLER_RESULT: {
    what: 'A handler of {path} for "{event}" returned something that cannot be used: {detail}',
    next: "docs/events.md shows what this event accepts.",
  },
  SEAM_HANDLER_ORDER: {
    what: 'The order of the handlers for "{event}" contradicts itself: {detail}',
    next: "Remove one of the before/after options.",
  },
  SEAM_QUEUE_FULL: {
    what: '{path} is too slow for "{event}": {lost} events were dropped.',
    next: "Do less in the handler, or collect events and work on them later.",
  },
  SEAM_TIMER_THREW: {
    what: "A timer or a detached promise of {path} failed: {detail}",
    next: "Catch the error inside the extension.",
  },
  SEAM_TOOL_INVALID: {
    what: "{path} registered a tool that cannot be used: {detail}",
    next: "A tool needs a name, a description, an object schema as parameters and execute().",
  },
  SEAM_TOOL_INPUT: {
    what: 'The input of tool "{tool}" no longer fits its schema after {by} changed it: {detail}',
    next: "Fix the extension so that the input stays valid.",
  },
  SEAM_COMMAND_INVALID: {
    what: "{path} registered a command that cannot be used: {detail}",
    next: 'Use: pi.registerCommand("name", { handler: async (args, ctx) => { … } })',
  },
  SEAM_FLAG_INVALID: {
    what: "{path} registered a flag that cannot be used: {detail}",
    next: 'Use: pi.registerFlag("name", { type: "boolean" | "string", default })',
  },
  SEAM_SHORTCUT_INVALID: {
    what: "{path} registered a shortcut that cannot be used: {detail}",
    next: 'Use: pi.registerShortcut("ctrl+x", { handler: async (ctx) => { … } })',
  },
  SEAM_RENDERER_INVALID: {
    what: "{path} registered a renderer that cannot be used: {detail}",
    next: "Use: pi.registerMessageRenderer(customType, (message, options, theme) => component)",
  },
  SEAM_PROVIDER_INVALID: {
    what: "{path} registered a model provider that cannot be used: {detail}",
    next: "docs/extensions.md shows a provider.",
  },
  SEAM_NAME_CLASH: {
    what: 'Two extensions registered the {kind} "{name}": {first} and {second}.',
    next: "{hint}",
  },
  SEAM_SETTINGS_SYNTAX: {
    what: "{path} is not valid JSON: {detail}",
    next: "Fix the file. Until then its settings are ignored.",
  },
  SEAM_SETTINGS_VALUE: {
    what: '"{key}" in {path} is ignored: {detail}',
    next: "Run: seam config --help",
  },
  SEAM_SETTINGS_UNKNOWN: {
    what: '"{key}" in {path} is not a setting.',
    next: "{hint}",
  },
  SEAM_SETTINGS_TRACKED: {
    what: '"{key}" in {path} is ignored: it makes Seam run something, and git tracks the file.',
    next: "Move it to .seam/settings.local.json or ~/.seam/settings.json.",
  },
  SEAM_MODEL_UNKNOWN: {
    what: 'There is no model "{model}".',
    next: "{hint}",
  },
  SEAM_MODEL_API: {
    what: '"{model}" speaks "{api}", which Seam does not know.',
    next: "Use one of: {known}.",
  },
  SEAM_MODEL_KEY: {
    what: 'There is no key for "{provider}": {detail}',
    next: "{hint}",
  },
  SEAM_MODELS_FILE: {
    what: "{path} cannot be used: {detail}",
    next: "Fix the file. Until then this part of it is ignored.",
  },
  SEAM_LOGIN: {
    what: 'The login to "{provider}" failed: {detail}',
    next: "{hint}",
  },
  SEAM_SCRIPT_INVALID: {
    what: "{path} is not a script for the scripted model: {detail}",
    next: 'It must be a JSON list of turns, for example: [{ "text": "Hello" }]',
  },
  SEAM_SCRIPT_ENDED: {
    what: "The script {path} has {turns} turns, and all that fit were used.",
    next: "Add a turn for this model call.",
  },
  SEAM_SESSION_LOCKED: {
    what: "The session {path} is open in {who}.",
    next: "Go on there, or with a copy here: seam run --fork {id}",
  },
  SEAM_SESSION_WRITE: {
    what: "The session {path} could not be written: {detail}",
    next: "What was saved before is still there. Remove the cause and try again.",
  },
  SEAM_SESSION_READ: {
    what: "The session {path} cannot be read: {detail}",
    next: "Check the path. A session is a .jsonl file whose first line says what it is.",
  },
  SEAM_SESSION_NOT_FOUND: {
    what: "There is no session {session}.",
    next: "Check the id or the path. seam run --continue goes on with the last session.",
  },
  SEAM_SESSION_AMBIGUOUS: {
    what: 'Several sessions start with "{id}":{list}',
    next: "Give more of the id.",
  },
  SEAM_SESSION_ENTRY: {
    what: "The entry {entry} {detail}.",
    next: "Choose another entry of this session.",
  },
  SEAM_FILE_EXISTS: {
    what: "{path} is there already.",
    next: "Choose another name, or use --force to write over it.",
  },
  SEAM_USAGE: {
    what: "{detail}",
    next: "Run the command again with --help.",
  },
} as const satisfies Record<string, { what: string; next: string }>;

export type ErrorCode = keyof typeof ERRORS;
