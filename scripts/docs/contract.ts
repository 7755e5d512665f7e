import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import {
  type Declaration,
  declarationOf,
  EVENT_NAMES,
  type EventGroup,
  type EventName,
  SkillEventSchema,
} from "../../src/events/index.ts";
import { GROUPS } from "./event-groups.ts";
import { type Schema, typeText } from "./type-text.ts";

/** Where each type that events carry is declared. */
const SOURCES: Readonly<Record<string, readonly string[]>> = {
  "./catalog/run.ts": ["BoundaryContext", "EntryDraft", "InjectedMessage"],
  "./catalog/user.ts": ["BashOutcome", "UserBashOperations"],
  "./content.ts": ["ImageContent", "TextContent"],
  "./declaration.ts": ["EventIds"],
  "./messages.ts": ["AgentMessage", "AssistantMessageEvent", "ToolResultMessage"],
  "./model.ts": ["Model"],
  "./notices.ts": ["Goal", "GoalModeState", "Rule", "TodoItem"],
  "./session-entries.ts": [
    "BranchSummaryEntry",
    "CompactionEntry",
    "CompactionPreparation",
    "CompactionResult",
    "SessionEntry",
    "TreePreparation",
  ],
};

/** Without the types that go with it. */
const skillEvent = SkillEventSchema as unknown as Schema;

const HOW: Record<Declaration["kind"], string> = {
  observe: "",
  gate: "The first handler that says no wins.",
  transform: "Each handler sees what the one before made of it.",
  claim: "The first handler that answers decides.",
  collect: "The answers of all handlers are used.",
};

/** `src/events/contract.ts`: every event and result as an interface one can read, from the catalogue. */
export function contract(): string {
  const text = [
    "/**",
    " * Every event, and what a handler of it may return. Written by `npm run docs` from the",
    " * declarations in `catalog/`, and checked against them: change those, not this file.",
    " */",
    ...Object.entries(SOURCES).map(
      ([from, names]) => `import type { ${names.join(", ")} } from "${from}";`,
    ),
    "",
    ...groups().flatMap(([group, names]) => [
      `// ---- ${GROUPS[group]} ----`,
      "",
      ...names.flatMap((name) => interfaces(declarationOf(name))),
    ]),
    "// ---- All of them ----",
    "",
    comment("One use of a skill, in the JSON it is stored in."),
    `export interface SkillEvent {\n${members(skillEvent)}\n}\n`,
    comment("What both events around the storing of a tool call carry."),
    "export interface ToolCallPersistEvent extends Omit<BeforeToolCallPersistEvent, 'type'> {",
    '  type: "before_tool_call_persist" | "after_tool_call_persist";',
    `  ${comment("What was stored; only after it was.")}`,
    "  toolResult?: unknown;",
    "}\n",
    comment("Any event of a session's life, or of its goal."),
    `export type SessionEvent = ${sessionEvents().join(" | ")};\n`,
    comment("The event of each name."),
    `export interface EventMap {\n${map((name) => eventType(name))}\n}\n`,
    comment("What the handlers of each event may return."),
    `export interface ResultMap {\n${map((name) => (declarationOf(name).result ? resultType(name) : "undefined"))}\n}\n`,
  ].join("\n");
  return formatted(text);
}

function groups(): [EventGroup, EventName[]][] {
  return (Object.keys(GROUPS) as EventGroup[]).map((group) => [group, inGroup(group)]);
}

function inGroup(group: EventGroup): EventName[] {
  return EVENT_NAMES.filter((name) => declarationOf(name).group === group);
}

function sessionEvents(): string[] {
  return [...inGroup("session"), "goal_updated"].map(eventType);
}

function interfaces({ name, doc, kind, payload, result, mutable = [] }: Declaration): string[] {
  const inPlace = mutable.map((field) => `\`${field}\``).join(" and ");
  const more = inPlace ? ` ${inPlace} may be changed in place.` : "";
  return [
    comment(`${doc} ${HOW[kind]}${more}`.trim()),
    `export interface ${eventType(name)} extends EventIds {`,
    `  type: "${name}";`,
    `${members(payload)}\n}\n`,
    ...(result ? resultText(name, result) : []),
  ];
}

function resultText(name: string, result: Schema): string[] {
  const about = comment(`What a handler of \`${name}\` may return.`);
  if (result.properties) {
    return [about, `export interface ${resultType(name)} {\n${members(result)}\n}\n`];
  }
  const choices = result.anyOf?.map(
    (choice) =>
      `\n  | ${choice.description ? comment(choice.description) : ""} ${typeText(choice)}`,
  );
  return [about, `export type ${resultType(name)} = ${choices?.join("") ?? typeText(result)};\n`];
}

function members({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .map(([field, schema]) => {
      const optional = required.includes(field) ? "" : "?";
      const about = schema.description ? `${comment(schema.description)}\n` : "";
      const isNested = schema.properties !== undefined && schema.title === undefined;
      const type = isNested ? `{\n${members(schema)}\n}` : typeText(schema);
      return `${about}${field}${optional}: ${type};`;
    })
    .join("\n");
}

const map = (type: (name: EventName) => string) =>
  EVENT_NAMES.map((name) => `${JSON.stringify(name)}: ${type(name)};`).join("\n");

/** tool_call → ToolCallEvent */
function eventType(name: string): string {
  return `${pascal(name)}Event`;
}

/** As Pi calls them: ToolCallEventResult, but SessionBeforeForkResult. */
function resultType(name: string): string {
  const isSession = EVENT_NAMES.some(
    (one) => one === name && declarationOf(one).group === "session",
  );
  return `${pascal(name)}${isSession ? "" : "Event"}Result`;
}

function pascal(name: string): string {
  return name.replace(/(^|[._])(\w)/g, (_, __, letter: string) => letter.toUpperCase());
}

/** A doc comment; what does not fit on a line goes on several. */
function comment(text: string): string {
  const words = text.split(" ");
  const lines = [""];
  for (const word of words) {
    const line = lines.at(-1) ?? "";
    if (line.length + word.length > 88) lines.push(word);
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`;
  }
  if (lines.length === 1) return `/** ${lines[0]} */`;
  return ["/**", ...lines.map((line) => ` * ${line}`), " */"].join("\n");
}

function formatted(text: string): string {
  const biome = fileURLToPath(new URL("../../node_modules/.bin/biome", import.meta.url));
  const args = ["format", "--stdin-file-path=src/events/contract.ts"];
  return execFileSync(biome, args, { input: text, encoding: "utf8" });
}
