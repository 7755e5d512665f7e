import { randomBytes } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SeamError } from "../../errors/index.ts";
import { isInside, readText, replaceFile } from "../../files/index.ts";
import { changeByUser } from "../../protection/index.ts";
import { projectRoot } from "../../settings/index.ts";
import {
  type DialogMethod,
  MethodSchema,
  type Question,
  type QuestionedCall,
  type RememberedFor,
} from "./question.ts";

const RuleSchema = Type.Object({
  id: Type.String(),
  /** The root of the project it holds in. */
  project: Type.String(),
  /** The extension whose question it answers, or `seam`. */
  by: Type.String(),
  method: MethodSchema,
  /** What was asked, without the command or path that it was asked about. */
  question: Type.String(),
  tool: Type.String(),
  /** The exact command or path; both absent if the rule is for every call of the tool. */
  command: Type.Optional(Type.String()),
  /** As seen from the root of the project. */
  path: Type.Optional(Type.String()),
  /** What is answered: `yes` or `no` to a confirmation. */
  answer: Type.String(),
  /** When it was made; ISO. */
  at: Type.String(),
});

const FileSchema = Type.Object({ rules: Type.Array(RuleSchema) });

/** A question that is answered without asking, because a person said "always" or "never". */
export type Rule = Static<typeof RuleSchema>;

/** What a rule is looked for with. */
export interface Ruled {
  readonly cwd: string;
  readonly by: string;
  readonly method: DialogMethod;
  readonly title: string;
  readonly choices?: readonly string[];
  readonly call?: QuestionedCall;
}

/** What an answer to a question can be given for good for. */
export function rememberableFor({ call, method }: Ruled): RememberedFor[] {
  if (!call || (method !== "confirm" && method !== "select")) return [];
  const named = (["command", "path"] as const).filter(
    (kind) => typeof call.input[kind] === "string",
  );
  return [...named, "tool"];
}

/** The user's rules: one file in the user's Seam folder that people can read and edit. */
export class Rules {
  readonly path: string;
  readonly #home: string;
  /** The file as it was when it was last read, and what it said. */
  #known: { readonly text: string; readonly rules: readonly Rule[] } | undefined;

  constructor(home: string) {
    this.#home = home;
    this.path = join(home, "rules.json");
  }

  /** Throws if somebody edited the file and it makes no sense now: then no rule holds. */
  list(): readonly Rule[] {
    const text = readText(this.path);
    if (text === undefined || text.trim() === "") return [];
    if (this.#known?.text !== text) this.#known = { text, rules: parse(text, this.path) };
    return this.#known.rules;
  }

  /** The rule that answers a question. An answer that is not among the choices answers nothing. */
  find({ cwd, by, method, title, choices, call }: Ruled): Rule | undefined {
    if (!call) return undefined;
    const project = projectRoot(cwd);
    const question = questionIn(title, call);
    const { command, path } = call.input;
    const holds = (rule: Rule) =>
      rule.project === project &&
      rule.by === by &&
      rule.method === method &&
      rule.question === question &&
      rule.tool === call.tool &&
      (rule.command === undefined || rule.command === command) &&
      (rule.path === undefined || isSamePath(rule, cwd, path)) &&
      choices?.includes(rule.answer) !== false;
    // What holds for one command or path counts before what holds for all, and the newest first.
    const found = this.list().filter(holds).reverse();
    return found.find((rule) => (rule.command ?? rule.path) !== undefined) ?? found[0];
  }

  add({ cwd, by, method, title, call }: Question, answer: string, kind: RememberedFor): Rule {
    const what = call?.input[kind];
    if (!call || (kind !== "tool" && typeof what !== "string")) {
      throw new SeamError("SEAM_INBOX_REMEMBER", { kind });
    }
    const project = projectRoot(cwd);
    const rule: Rule = {
      id: randomBytes(3).toString("hex"),
      project,
      by,
      method,
      question: questionIn(title, call),
      tool: call.tool,
      ...(kind === "command" && { command: String(what) }),
      ...(kind === "path" && { path: pathIn(project, resolve(cwd, String(what))) }),
      answer,
      at: new Date().toISOString(),
    };
    const alike = ({ id: _, at: __, answer: ___, ...rest }: Rule) => JSON.stringify(rest);
    this.#write([...this.list().filter((one) => alike(one) !== alike(rule)), rule]);
    return rule;
  }

  remove(id: string): Rule {
    const rules = this.list();
    const rule = rules.find((one) => one.id === id);
    if (!rule) throw new SeamError("SEAM_RULE_UNKNOWN", { id });
    this.#write(rules.filter((one) => one !== rule));
    return rule;
  }

  #write(rules: readonly Rule[]): void {
    changeByUser(this.#home, () =>
      replaceFile(this.path, `${JSON.stringify({ rules }, null, 2)}\n`),
    );
  }
}

/** The same for every call that an extension asks about in the same words. */
function questionIn(title: string, { input }: QuestionedCall): string {
  const named = [input.command, input.path].filter((one) => typeof one === "string" && one !== "");
  return named.reduce<string>((text, one) => text.replaceAll(String(one), "…"), title);
}

/** As seen from the root of the project, for people who read the rules; whole if it is elsewhere. */
function pathIn(project: string, path: string): string {
  return isInside(path, project) ? relative(project, path) : path;
}

/** Agents name files from where they are: the same words elsewhere in the project are another file. */
function isSamePath({ project, path = "" }: Rule, cwd: string, named: unknown): boolean {
  return typeof named === "string" && resolve(project, path) === resolve(cwd, named);
}

function parse(text: string, path: string): readonly Rule[] {
  try {
    const value: unknown = JSON.parse(text);
    if (Value.Check(FileSchema, value)) return value.rules;
    const [first] = Value.Errors(FileSchema, value);
    throw new Error(`${first?.instancePath ?? ""} ${first?.message ?? "is not as expected"}`);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new SeamError("SEAM_RULES_FILE", { path, detail });
  }
}
