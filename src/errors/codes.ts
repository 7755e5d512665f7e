import { CREW_ERRORS, CREW_WORKSPACE_ERRORS, WORKER_ERRORS } from "./crew-codes.ts";
import { EXTENSION_ERRORS } from "./extension-codes.ts";
import { INBOX_ERRORS } from "./inbox-codes.ts";
import { RECORD_ERRORS } from "./record-codes.ts";
import { SEARCH_ERRORS } from "./search-codes.ts";
import { VIEW_ERRORS } from "./view-codes.ts";

/**
 * Every error Seam can raise: a stable code, what happened, what to do next.
 * `docs/errors.md` is checked against this list. `{name}` is filled in from the error's details.
 */
export const ERRORS = {
  ...CREW_WORKSPACE_ERRORS,
  ...EXTENSION_ERRORS,
  ...WORKER_ERRORS,
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
  SEAM_HANDLER_STUCK: {
    what: "{who} has not given the thread back for {seconds} s.",
    next: "Look for a loop that never ends; long work must await a timer now and then.",
  },
  SEAM_PROCESS_STUCK: {
    what: "{who} did not give the thread back for {seconds} s, so the run was ended.",
    next: "The session is saved up to here. Go on without the extension: seam run --continue {without}",
  },
  SEAM_HANDLER_RESULT: {
    what: 'A handler of {path} for "{event}" returned something that cannot be used: {detail}',
    next: "docs/events.md shows what this event accepts.",
  },
  SEAM_HANDLER_ORDER: {
    what: 'The before and after options of the handlers for "{event}" contradict each other: {detail}',
    next: "Remove one of the before/after options.",
  },
  SEAM_QUEUE_FULL: {
    what: '{path} is too slow for "{event}": {lost} events were dropped.',
    next: "Do less in the handler, or collect events and work on them later.",
  },
  SEAM_TIMER_THREW: {
    what: "A timer, or a promise that nobody awaits, of {path} failed: {detail}",
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
  SEAM_VIRTUAL_MODEL_INVALID: {
    what: "{path} registered a virtual model that cannot be used: {detail}",
    next: "Use: pi.registerVirtualModel({ provider, id, name, route(request, ctx) { … } })",
  },
  SEAM_MCP_SERVER_INVALID: {
    what: "{path} registered an MCP server that cannot be used: {detail}",
    next: 'Use: pi.registerMcpServer("docs", { command: "docs-server" }) or { url: "https://…" }',
  },
  SEAM_NAME_CLASH: {
    what: 'Two extensions registered the {kind} "{name}": {first} and {second}.',
    next: "{hint}",
  },
  SEAM_FILE_UNFIT: {
    what: "{path} cannot be read: {detail}.",
    next: "Put an ordinary file in its place, or remove it.",
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
  SEAM_SETTINGS_UNTRUSTED: {
    what: '"{key}" in {path} is not used yet: you have not agreed to what this file asks for.',
    next: "Read the file, then run: seam trust",
  },
  SEAM_SETTINGS_CHANGED: {
    what: "{path} {what} since you trusted it. What you trusted stays in force.",
    next: "To see the difference and decide, run: seam trust",
  },
  SEAM_SETTINGS_OWN: {
    what: '"{key}" in {path} is not used as it is written: {detail}.',
    next: "Set it in ~/.seam/settings.json if you want it.",
  },
  SEAM_REDACTION_PATTERN: {
    what: 'Entry {number} of "{setting}" cannot be used as it is written: {detail}',
    next: "Write a text, or a regular expression between slashes: /acme-[0-9a-f]{32}/i",
  },
  SEAM_REDACTION_TEXT: {
    what: 'Entry {number} of "{setting}" looks like a regular expression but has no slashes, so it is searched for as plain text.',
    next: "If it is meant as one, put it between slashes: /acme-[0-9a-f]{32}/i",
  },
  SEAM_MODEL_UNKNOWN: {
    what: 'There is no model "{model}".',
    next: "{hint}",
  },
  SEAM_MODEL_NONE: {
    what: "No model is chosen, and no key for any model is set.",
    next: "{hint}",
  },
  SEAM_MODEL_API: {
    what: '"{model}" speaks "{api}", which Seam does not know.',
    next: "Use one of: {known}.",
  },
  SEAM_MODEL_KEY: {
    what: 'There is no key for "{provider}": {detail}.',
    next: "{hint}",
  },
  SEAM_MODELS_FILE: {
    what: "{path} cannot be used: {detail}.",
    next: "Fix the file. Until then this part of it is ignored.",
  },
  SEAM_LOGIN: {
    what: 'The login to "{provider}" failed: {detail}.',
    next: "{hint}",
  },
  SEAM_LOGIN_NONE: {
    what: "No provider here offers a login.",
    next: "Extensions add logins: load the one that adds yours, with -e. Keys are set as environment variables or in models.json.",
  },
  SEAM_LOGOUT: {
    what: 'There is no stored login to "{provider}".',
    next: "{hint}",
  },
  SEAM_SCRIPT_INVALID: {
    what: "{path} is not a script for the scripted model: {detail}",
    next: 'It must be a JSON list of turns, for example: [{ "text": "Hello" }]',
  },
  SEAM_SCRIPT_ENDED: {
    what: "The script {path} has {turns} turns, and every one that matches was used already.",
    next: "Add a turn for this model call.",
  },
  SEAM_SESSION_LOCKED: {
    what: "The session {path} is open in {who}.",
    next: "Continue there, or with a copy here: seam run --fork {id}",
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
    next: "Check the id or the path. To list all sessions, run: seam sessions",
  },
  SEAM_SESSION_AMBIGUOUS: {
    what: 'Several sessions start with "{id}":{list}',
    next: "Give more of the id.",
  },
  SEAM_SESSION_ENTRY: {
    what: "The entry {entry} {detail}.",
    next: "Choose another entry of this session.",
  },
  SEAM_AGENT_DISPOSED: {
    what: "This agent was disposed of. Its session has ended and its extensions are unloaded.",
    next: "Create another one with createAgent(). The session can be opened again.",
  },
  SEAM_SKILL_UNKNOWN: {
    what: 'There is no skill "{name}". {hint}',
    next: "Check the name. Skills are read from .seam/skills and ~/.seam/skills, among others.",
  },
  SEAM_COMMAND_QUEUED: {
    what: "/{name} is a command. Commands run at once and cannot be queued.",
    next: "Enter it as a prompt.",
  },
  SEAM_GIT: {
    what: "git {command} failed: {detail}",
    next: "Run the same in {cwd} to see more.",
  },
  SEAM_GIT_MISSING: {
    what: "The program git cannot be started: {detail}",
    next: "Install git 2.30 or newer and make sure that it is on the PATH.",
  },
  SEAM_GIT_WRITE: {
    what: "{path} could not be written: {detail}",
    next: "The repository is as it was. Remove the cause (a full disk, missing rights) and try again.",
  },
  SEAM_GIT_LOCK: {
    what: "{path} exists: another git program is running, or one was killed.",
    next: "Wait for it to end. If no git program runs in this repository, remove that file.",
  },
  SEAM_GIT_OBJECT: {
    what: "The git object {id} cannot be used: {detail}",
    next: "Run: git fsck",
  },
  SEAM_GIT_NAME: {
    what: "git cannot keep {name}: {detail}",
    next: "Choose another name.",
  },
  SEAM_GIT_REF: {
    what: "The reference {ref} cannot be used: {detail}",
    next: "Look at it with: git show-ref {ref}. Delete it if nothing needs it.",
  },
  ...INBOX_ERRORS,
  ...RECORD_ERRORS,
  ...VIEW_ERRORS,
  ...SEARCH_ERRORS,
  ...CREW_ERRORS,
  SEAM_DEMO: {
    what: '"seam {command}" failed in the scratch repository: {detail}',
    next: "Run: seam doctor",
  },
  SEAM_FILE_REFUSED: {
    what: "{path} cannot be used: {detail}.",
    next: "{hint}",
  },
  SEAM_FILE_EXISTS: {
    what: "{path} already exists.",
    next: "Choose another name, or use --force to overwrite it.",
  },
  SEAM_LINK_OUTSIDE: {
    what: "{path} leads out of the project, to {target}. Nothing was written there.",
    next: "Put a file or a folder in place of the link. Agents can also be enabled for all projects: seam enable --level user",
  },
  SEAM_AGENT_CONFIG: {
    what: "{path} cannot be used: {detail}.",
    next: "Correct the file and run the command again. It was left as it is.",
  },
  SEAM_AGENT_FILE: {
    what: "{path} cannot be changed: {detail}.",
    next: "{hint}",
  },
  SEAM_LOGIN_BUSY: {
    what: "Another seam command (process {process}) has been changing your logins for a minute.",
    next: "Wait until it is done, or end it. If there is none, remove {path}.",
  },
  SEAM_INSTALL_BUSY: {
    what: "Another seam command (process {process}) is changing the configuration of agents.",
    next: "Wait until it is done. If there is none, remove {path}.",
  },
  SEAM_AGENT_CANNOT: {
    what: "{method}() is not possible here: no hook can make {agent} do that.",
    next: 'Check first: behind another agent ctx.mode is "hook", and ctx.can(event) says whether a result counts.',
  },
  SEAM_DAEMON_FOLDER: {
    what: "{path} cannot be used: it {detail}.",
    next: "Remove the folder, or choose another one with SEAM_HOME.",
  },
  SEAM_DAEMON_START: {
    what: "The daemon did not start: {detail}",
    next: "Run: seam daemon logs",
  },
  SEAM_DAEMON_REFUSED: {
    what: "The daemon did not answer: {detail}",
    next: "Run: seam daemon logs",
  },
  SEAM_AGENT_REGISTER: {
    what: 'The agent "{name}" cannot be registered: {detail}',
    next: "Give it a name and a type of its own.",
  },
  SEAM_AGENT_LOAD: {
    what: "The agent in {path} could not be loaded: {detail}",
    next: "Its default export has to be an agent, see docs/agents-api.md.",
  },
  SEAM_HOOK_INPUT: {
    what: "What the agent sent to the hook cannot be used: {detail}",
    next: "Send one JSON object, as the agent does.",
  },
  SEAM_DAEMON_SERVICE: {
    what: "The daemon could not be set up to start at login: {detail}",
    next: "Without it the daemon starts with the next hook, or with: seam daemon start",
  },
  SEAM_THEME_FILE: {
    what: "The theme in {path} cannot be used: {detail}.",
    next: "Mend the file: it is read again as soon as it is saved.",
  },
  SEAM_OUTPUT: {
    what: "The output could not be written: {detail}",
    next: "Check whether the disk is full, or write the output somewhere else.",
  },
  SEAM_USAGE: {
    what: "{detail}",
    next: "{hint}",
  },
} as const satisfies Record<string, { what: string; next: string }>;

/** The code of an error of Seam; docs/errors.md lists them all. */
export type ErrorCode = keyof typeof ERRORS;
