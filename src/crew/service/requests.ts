import { type Static, Type } from "typebox";
import { Value } from "typebox/value";
import { SeamError } from "../../errors/index.ts";

const id = Type.String({ minLength: 1, maxLength: 200 });
const amount = Type.Optional(Type.Number({ minimum: 0 }));

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
    budget: Type.Optional(
      Type.Object(
        { dollars: amount, tokens: amount, minutes: amount, turns: amount },
        { additionalProperties: false },
      ),
    ),
    pool: Type.Optional(id),
    /** Commands that Seam runs on every merged candidate, beside those of the workflow. */
    verify: Type.Optional(Type.Array(Type.String({ maxLength: 10_000 }), { maxItems: 50 })),
    /** The user has read what agents are started with, and agrees. */
    agrees: Type.Optional(Type.Boolean()),
    /** How many agents at once. */
    atOnce: Type.Optional(Type.Integer({ minimum: 1, maximum: 256 })),
  },
  { additionalProperties: false },
);
export type RunRequest = Static<typeof RunRequestSchema>;

const NamedRun = Type.Object({ run: id });
const NamedTask = Type.Object({ run: id, task: id });
const Answer = Type.Object({ id, value: Type.String({ maxLength: 100_000 }) });
const Pools = Type.Object({ pools: Type.Array(id, { maxItems: 100 }) });
const Landing = Type.Object({ run: id, branch: Type.Optional(id) });

export const runRequestIn = (body: unknown): RunRequest => checked(RunRequestSchema, body);
export const namedRun = (body: unknown): string => checked(NamedRun, body).run;
export const namedTask = (body: unknown) => checked(NamedTask, body);
export const answerIn = (body: unknown) => checked(Answer, body);
export const poolsIn = (body: unknown): readonly string[] => checked(Pools, body).pools;
export const landingIn = (body: unknown) => checked(Landing, body);

/** What came, if it has the shape that is asked for. */
function checked<Schema extends Parameters<typeof Value.Check>[1]>(
  schema: Schema,
  body: unknown,
): Static<Schema> {
  if (Value.Check(schema, body)) return body;
  const [first] = Value.Errors(schema, body);
  const detail = `${first?.instancePath ?? ""} ${first?.message ?? "it is no JSON"}`.trim();
  throw new SeamError("SEAM_USAGE", { detail: `This cannot be understood: ${detail}.` });
}
