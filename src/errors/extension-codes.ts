/** What can go wrong with finding, trusting and loading extensions, and with their registrations. */
export const EXTENSION_ERRORS = {
  SEAM_EXT_NOT_FOUND: {
    what: "There is no extension at {path}.",
    next: "Check the path. It must be a .ts or .js file, or a folder with an index.ts.",
  },
  SEAM_EXT_NAMED: {
    what: "An extension that you named cannot be loaded, so nothing was run. {detail}",
    next: "Without it the agent could do what it must not. Leave out its -e to run all the same.",
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
    next: "It is undefined there. Check the spelling; docs/pi.md lists the names Seam offers.",
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
    what: "{path} {what}. The copy you trusted keeps running.",
    next: "To see the difference and decide, run in its project: seam trust",
  },
  SEAM_TRUST_WAITING: {
    what: "Not trusted, so without effect in {path}: {what}.",
    next: "To read it and decide, run there: seam trust",
  },
  SEAM_EXT_NOT_IN_COPY: {
    what: "{path} was not loaded: it is not part of what you trusted.",
    next: "Import it by a relative path with a fixed name, or move it into the extension's folder; then run: seam trust",
  },
  SEAM_TRUST_COPY: {
    what: "What you trusted of {path} cannot be used: {detail}.",
    next: "Read the file as it is now, then run in its project: seam trust (or seam trust --revoke to do without it)",
  },
  SEAM_TRUST_FILE: {
    what: "Seam no longer knows what you trusted: {detail}.",
    next: "Look at your projects' extensions and settings again: seam trust",
  },
  SEAM_TRUST_BUSY: {
    what: "Process {process} is changing what you trust, and does not finish.",
    next: "Try again. If no such process runs, delete {path}.",
  },
  SEAM_TRUST_UNREAD: {
    what: "Nothing was changed in {path}, which cannot be read: {detail}.",
    next: "Make the file readable, then try again.",
  },
  SEAM_TRUST_CHANGED: {
    what: "Nothing was trusted: {names} changed while you were asked.",
    next: "Find out who changes it, for example an agent that is at work there. Then read it again: seam trust",
  },
  SEAM_TRUST_TOO_LARGE: {
    what: "{path} cannot be trusted: with all it imports it is more than {detail}.",
    next: "Make it smaller, or install it in ~/.seam and name it in ~/.seam/settings.json.",
  },
  SEAM_TRUST_OUTSIDE: {
    what: "{path} cannot be trusted: it is a link that leads out of the project.",
    next: "Put the file itself there, or name it in ~/.seam/settings.json.",
  },
  SEAM_TRUST_UNREADABLE: {
    what: "{path} cannot be trusted: {detail}.",
    next: "Look at the extension's files and the links among them.",
  },
  SEAM_EXT_PROJECT: {
    what: "The extensions of {path} could not be looked for: {detail}.",
    next: "What you trusted there goes on, and so do your own extensions. Run: seam doctor",
  },
  SEAM_EXT_CRITICAL: {
    what: "The critical extension {path} is not running, so tool calls are blocked. {detail}",
    next: "{next}",
  },
  SEAM_EXT_STUCK: {
    what: "An extension kept its thread busy and had to be stopped ({path}: {detail}).",
    next: "Look for a loop that never ends. After the second time it is left out until it changes.",
  },
  SEAM_EXT_CRASHED: {
    what: "The thread of this session's extensions ended ({path}: {detail}).",
    next: "It is started again with the next hook. seam daemon logs shows more.",
  },
  SEAM_EXT_NOT_RUN: {
    what: "Seam cannot run the extensions of this session: {detail}.",
    next: "Seam tries again with the next hooks. If it goes on, run: seam doctor",
  },
  SEAM_EXT_LEFT_OUT: {
    what: "{path} is left out: it stopped its session's other extensions twice ({detail}).",
    next: "Fix the extension. It is tried again once one of its files has changed.",
  },
  SEAM_EXT_NOT_BOUND: {
    what: "{method}() was called by {path} before there is a session.",
    next: "Call it from an event handler or a command instead.",
  },
  SEAM_EXT_STALE: {
    what: "{path} used an object from before a reload or a session change.",
    next: "Use the ctx of the current handler, or the one passed to withSession.",
  },
  SEAM_PACKAGE_SOURCE: {
    what: '"{source}" cannot be added: {detail}.',
    next: "Write the name of a package on npm, https://host/repository.git, or ./folder.",
  },
  SEAM_PACKAGE_INSTALL: {
    what: "{source} could not be installed: {detail}",
    next: "{hint}",
  },
  SEAM_PACKAGE_EMPTY: {
    what: "{source} has no extensions, skills, prompts or themes.",
    next: 'Nothing was added. A package names them in its package.json: { "pi": { "extensions": ["./index.ts"] } }',
  },
  SEAM_PACKAGE_OUTSIDE: {
    what: "{source} names files that are not its own: {list}.",
    next: "Nothing was added. A package that reaches out of its folder is broken, or means harm.",
  },
  SEAM_PACKAGE_UNKNOWN: {
    what: 'No package "{name}" was added here.',
    next: "{hint}",
  },
  SEAM_PACKAGE_MISSING: {
    what: "The package {source} is not installed.",
    next: 'Install it: seam ext add "{source}"{option}',
  },
  SEAM_PACKAGE_CHANGED: {
    what: "The package {name} is not what you added: {detail}. Nothing of it runs.",
    next: 'See what changed and decide: seam ext add "{source}"',
  },
  SEAM_PACKAGE_BUSY: {
    what: "Another process adds or removes a package at this moment.",
    next: "Wait for it, then try again.",
  },
} as const satisfies Record<string, { what: string; next: string }>;
