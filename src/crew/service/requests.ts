import { type Static, Type } from "typebox";
import { checkedBody } from "../../daemon/index.ts";

const id = Type.String({ minLength: 1, maxLength: 200 });
const amount = Type.Optional(Type.Number({ exclusiveMinimum: 0 }));

const Amounts = Type.Object(
  { dollars: amount, tokens: amount, minutes: amount, turns: amount },
  { additionalProperties: false },
);

/** Of the process that asks: agents and checks of the run get it. */
const Environment = Type.Record(Type.String(), Type.String());

/** What somebody wants a crew to do. */
const RunRequestSchema = Type.Object(
  {
    /** The name of a workflow or of a team, or the path of a file. */
    workflow: Type.String({ minLength: 1, maxLength: 4_096 }),
    goal: Type.String({ maxLength: 100_000 }),
    /** The folder it is asked in. */
    cwd: Type.String({ minLength: 1, maxLength: 4_096 }),
    team: Type.Optional(id),
    /** Who does what the workflow leaves open: "claude-code", "codex:gpt-5". */
    agents: Type.Optional(Type.Array(Type.String({ maxLength: 500 }), { maxItems: 50 })),
    budget: Type.Optional(Amounts),
    pool: Type.Optional(id),
    /** Commands that Seam runs on every merged candidate, beside those of the workflow. */
    verify: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 50 })),
    /** The user has read what agents are started with, and agrees. */
    agrees: Type.Optional(Type.Boolean()),
    /** How many agents at once. */
    atOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
    environment: Type.Optional(Environment),
  },
  { additionalProperties: false },
);
export type RunRequest = Static<typeof RunRequestSchema>;

const NamedRun = Type.Object({ run: id });
const ResumedRun = Type.Object({ run: id, environment: Type.Optional(Environment) });
const RetriedTask = Type.Object({ run: id, task: id, environment: Type.Optional(Environment) });
const Answer = Type.Object({ id, value: Type.String({ maxLength: 100_000 }) });
const Allowance = Type.Object({
  run: id,
  of: Type.Union([Type.Literal("task"), Type.Literal("run"), Type.Literal("day")]),
  task: Type.Optional(id),
  more: Amounts,
});
const Pools = Type.Object({ pools: Type.Array(id, { maxItems: 100 }) });
const Landing = Type.Object({ run: id, branch: Type.Optional(id) });

export const runRequestIn = (body: unknown): RunRequest => checkedBody(RunRequestSchema, body);
export const namedRun = (body: unknown): string => checkedBody(NamedRun, body).run;
export const resumedRun = (body: unknown) => checkedBody(ResumedRun, body);
export const retriedTask = (body: unknown) => checkedBody(RetriedTask, body);
export const answerIn = (body: unknown) => checkedBody(Answer, body);
export const allowanceIn = (body: unknown) => checkedBody(Allowance, body);
export const poolsIn = (body: unknown): readonly string[] => checkedBody(Pools, body).pools;
export const landingIn = (body: unknown) => checkedBody(Landing, body);
