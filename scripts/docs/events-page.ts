import { AGENT_NAMES, firing } from "../../src/agents/index.ts";
import {
  type Declaration,
  declarationOf,
  EVENT_NAMES,
  type EventGroup,
  type EventKind,
  type EventName,
  type FailureRule,
  LIFECYCLE,
} from "../../src/events/index.ts";
import { GROUPS } from "./event-groups.ts";
import { code, table } from "./markdown.ts";
import { type Schema, typeText } from "./type-text.ts";

const FAILURES: Record<FailureRule, string> = {
  report: "reported, the others go on",
  block: "it is blocked, and the reason names the extension",
  withhold: "reported; if the extension is critical, the result is withheld",
};

const namesOf = (rule: FailureRule) =>
  EVENT_NAMES.filter((name) => declarationOf(name).onFailure === rule)
    .map(code)
    .join(" and ");

const KINDS: Record<EventKind, { several: string; fails: string }> = {
  observe: {
    several: "All run. What they return is ignored. The agent does not wait for them.",
    fails: "Reported; the others go on.",
  },
  gate: {
    several: "One after the other. The first block or cancel wins and ends the chain.",
    fails: `Reported; nothing is stopped. But with ${namesOf("block")}: ${FAILURES.block}.`,
  },
  transform: {
    several: "One after the other. Each sees what the one before made.",
    fails: `Reported; its change is dropped. With ${namesOf("withhold")}: ${FAILURES.withhold}.`,
  },
  claim: {
    several: "One after the other. The first answer wins.",
    fails: "Reported; the next one is asked.",
  },
  collect: {
    several: "All run. All answers are kept, each with its origin.",
    fails: "Reported; the others go on.",
  },
};

/** docs/events.md: everything there is to know about every event, from the declarations. */
export function eventsPage(): string {
  const lines = [
    "# Events",
    "",
    "This page is written by `npm run docs` from the declarations in `src/events/`.",
    "",
    "An extension listens with `pi.on(name, handler)`. [extensions.md](extensions.md) explains",
    "handlers; this page lists what each event carries and what a handler may return.",
    "",
    "## Kinds",
    "",
    "The kind of an event says how its handlers become one decision.",
    "",
    ...table(
      ["kind", "several handlers", "a handler throws, is too late or returns nonsense"],
      Object.entries(KINDS).map(([kind, { several, fails }]) => [kind, several, fails]),
    ),
    "",
    "## What every event may carry",
    "",
    ...table(
      ["field", "type", ""],
      [
        ["`type`", "`string`", "The name of the event. Always there."],
        ["`sessionId`", "`string`", "The agent's session."],
        ["`turnId`", "`string`", "One prompt and all the work until the agent stops."],
        ["`agent`", "`string`", "Which agent it comes from."],
        ["`nativeHook`", "`string`", "The agent's own name of the hook the event came from."],
        ["`native`", "`unknown`", "The agent's own payload, as it came. Not to be changed."],
      ],
    ),
    "",
    "Unknown fields are kept.",
    "",
    "## Which agents fire what",
    "",
    "Each event names the agents whose hooks report it. *Decided* means that the agent acts on what",
    "handlers return; *told* means that it only reports the event. `seam` is Seam's own agent.",
    "[coverage.md](coverage.md) has the hooks they come from.",
    "",
    "## Names used elsewhere",
    "",
    "Recorders reduce every agent to the same few lifecycle steps. In Seam they are called:",
    "",
    ...table(
      ["lifecycle step", "event"],
      Object.entries(LIFECYCLE).map(([step, event]) => [step, linkTo(event)]),
    ),
    "",
    "## All events",
    "",
    ...table(
      ["event", "kind", ""],
      groups().flatMap(([, names]) =>
        names.map((name) => [linkTo(name), declarationOf(name).kind, declarationOf(name).doc]),
      ),
    ),
    "",
  ];
  for (const [group, names] of groups()) {
    lines.push(`## ${GROUPS[group]}`, "");
    for (const name of names) lines.push(...section(declarationOf(name), name));
  }
  return lines.join("\n");
}

function groups(): [EventGroup, EventName[]][] {
  return (Object.keys(GROUPS) as EventGroup[]).map((group) => [
    group,
    EVENT_NAMES.filter((name) => declarationOf(name).group === group),
  ]);
}

function section(declaration: Declaration, name: EventName): string[] {
  const { doc, kind, deadlineMs, onFailure, payload, result, mutable } = declaration;
  const facts = [`Kind: ${kind}`, `Deadline: ${deadlineMs / 1000} s`];
  if (onFailure !== "report") facts.push(`A failing handler: ${FAILURES[onFailure]}`);
  return [
    `### ${name}`,
    "",
    doc,
    "",
    `${facts.join(". ")}.`,
    "",
    ...fields("payload", payload),
    ...(result ? results(result, mutable) : []),
    agents(name, kind),
    "",
  ];
}

function results(result: Schema, mutable: readonly string[] = []): string[] {
  const changed = mutable.map(code).join(" and ");
  const place = changed ? [`A handler may also change ${changed} in place.`, ""] : [];
  if (result.anyOf) {
    const choices = result.anyOf.map((choice) => `- ${code(typeText(choice))}`);
    return ["A handler may return one of:", "", ...choices, "", ...place];
  }
  if (!result.properties) return ["A handler may return any value.", "", ...place];
  return [...fields("result", result), ...place];
}

function fields(what: string, { properties = {}, required = [] }: Schema): string[] {
  const rows = Object.entries(properties).map(([field, schema]) => [
    code(`${field}${required.includes(field) ? "" : "?"}`),
    code(typeText(schema)),
    schema.description ?? "",
  ]);
  return rows.length > 0 ? [...table([what, "type", ""], rows), ""] : [];
}

function agents(name: EventName, kind: EventKind): string {
  const by = (power: string) => AGENT_NAMES.filter((agent) => firing(agent, name) === power);
  const decided = by("decide");
  const told = by("observe");
  if (kind === "observe") return `Told by: ${[...decided, ...told].sort().join(", ")}.`;
  const parts = [`Decided on: ${decided.join(", ")}.`];
  if (told.length > 0) parts.push(`Only told by: ${told.join(", ")}.`);
  return parts.join(" ");
}

/** A link to the section of an event, spelt as Markdown viewers spell headings. */
function linkTo(name: string): string {
  return `[${code(name)}](#${name.replaceAll(".", "")})`;
}
