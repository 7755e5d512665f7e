import {
  AGENTS,
  type Evidence,
  eventPowers,
  firing,
  type HookRow,
  POWER_TEXT,
  POWERS,
  type Power,
  type Quirk,
} from "../../src/agents/index.ts";
import { EVENT_NAMES, type EventName } from "../../src/events/index.ts";
import { code, table } from "./markdown.ts";

const HOOKED = AGENTS.flatMap(({ name, hooks }) => (hooks ? [{ name, ...hooks }] : []));
const ALL: readonly Evidence[] = ["real", "fixture"];

/** Stands behind what was not proved on the agent's own program. */
const UNPROVED = "°";

/** docs/coverage.md: what each agent's hooks become and what can be answered, from the mappings. */
export function coveragePage(): string {
  return [
    "# Coverage",
    "",
    "This page is written by `npm run docs` from the tables in `src/agents/*/hooks.ts`.",
    "",
    "It shows which hooks of which agent become which [events](events.md), and what an extension can",
    "do there. Anything that is not listed does not work: Seam never answers with what an agent ignores.",
    "",
    `Everything was proved on the agent's own program, except for what is marked ${UNPROVED}. That comes`,
    "from the agent's documentation, and is tested on payloads that follow it.",
    "",
    "## Powers",
    "",
    ...table(
      ["power", "what an extension can do"],
      POWERS.map((power) => [code(power), POWER_TEXT[power]]),
    ),
    "",
    ...table(
      ["agent", ...POWERS.map(code)],
      HOOKED.map(({ name, mapping }) => [
        name,
        ...POWERS.map((power) => mark(best(Object.values(mapping), power))),
      ]),
    ),
    "",
    "Seam's own agent, `seam`, has all of them. `aider` has no hooks: Seam watches what it writes.",
    "",
    "## Events",
    "",
    "*decided*: the agent acts on what handlers return. *told*: the agent only reports the event.",
    "Events that are not in this table are fired by `seam` alone, and those of crews by",
    "[crews](crews.md), whatever agents work in them.",
    "",
    ...table(
      ["event", ...HOOKED.map(({ name }) => name)],
      EVENT_NAMES.filter((event) => HOOKED.some(({ name }) => told(name, event))).map((event) => [
        code(event),
        ...HOOKED.map(({ name }) => told(name, event) ?? ""),
      ]),
    ),
    "",
    "Tool calls keep the agent's own name of the tool as `nativeToolName`. Where an agent gives a",
    "call no id, Seam makes one of session, tool and input and says so: `madeUpToolCallId`.",
    "",
    ...HOOKED.flatMap(({ name, mapping, quirks = [] }) => section(name, mapping, quirks)),
  ].join("\n");
}

function section(
  agent: string,
  mapping: Readonly<Record<string, HookRow>>,
  quirks: readonly Quirk[],
): string[] {
  return [
    `## ${agent}`,
    "",
    ...table(
      ["hook", "events", "powers", "quirks"],
      Object.entries(mapping).map(([hook, { events, powers, evidence }]) => [
        `${code(hook)}${evidence?.arrives === "real" ? "" : UNPROVED}`,
        events.map(code).join(", "),
        powers.map((power) => `${code(power)}${proved(evidence?.[power])}`).join(", "),
        quirks
          .filter(({ hooks }) => hooks?.includes(hook))
          .map(linkTo)
          .join(", "),
      ]),
    ),
    "",
    "What each event can be used for here:",
    "",
    ...table(
      ["event", "powers"],
      Object.entries(eventPowers(mapping))
        .filter(([, powers]) => powers.length > 0)
        .map(([event, powers]) => [code(event), powers.map(code).join(", ")]),
    ),
    "",
    `### Quirks of ${agent}`,
    "",
    ...quirks.flatMap(({ id, seenIn, what, does }) => [
      `#### ${id}`,
      "",
      `${what} Seen in ${seenIn}.`,
      "",
      does,
      "",
    ]),
  ];
}

function linkTo({ id }: Quirk): string {
  return `[${id}](#${id})`;
}

function proved(evidence: Evidence | undefined): string {
  return evidence === "real" ? "" : UNPROVED;
}

function best(rows: readonly HookRow[], power: Power): Evidence | undefined {
  return ALL.find((evidence) => rows.some((row) => row.evidence?.[power] === evidence));
}

function mark(evidence: Evidence | undefined): string {
  return evidence === undefined ? "" : `yes${proved(evidence)}`;
}

function told(agent: string, event: EventName): string | undefined {
  const how = firing(agent, event);
  return how && (how === "decide" ? "decided" : "told");
}
