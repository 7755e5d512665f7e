import fc from "fast-check";
import { isRecord } from "../../../values/index.ts";
import type { Json } from "../fields.ts";
import type { Told } from "../told.ts";
import { HOOKS, type Hooked, recorded } from "./payloads.ts";

const anything = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));

/** A payload in which something is missing, or is not what it should be. */
function damaged(payload: Json, at: number, by: unknown): Json {
  const copy = structuredClone(payload);
  const places: (() => void)[] = [];
  const visit = (value: unknown) => {
    if (!isRecord(value)) return;
    for (const key of Object.keys(value)) {
      places.push(() => {
        if (by === undefined) delete value[key];
        else value[key] = by;
      });
      visit(value[key]);
    }
  };
  visit(copy);
  places[at % Math.max(places.length, 1)]?.();
  return copy;
}

/** Hooks as an agent sends them, damaged ones, and ones that mean nothing at all. */
export function anyHook(agent: Hooked): fc.Arbitrary<{ hook: string; payload: Json }> {
  const real = recorded(agent);
  const hurt = fc
    .tuple(fc.constantFrom(...real), fc.nat(), fc.option(anything, { nil: undefined }))
    .map(([{ hook, payload }, at, by]) => ({ hook, payload: damaged(payload, at, by) }));
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(HOOKS[agent].mapping), "constructor", "__proto__"),
    fc.string(),
  );
  const nonsense = fc.record({
    hook: name,
    payload: fc.dictionary(fc.string(), anything) as fc.Arbitrary<Json>,
  });
  const whole = fc.constantFrom(...real.map(({ hook, payload }) => ({ hook, payload })));
  return fc.oneof({ weight: 4, arbitrary: hurt }, whole, nonsense);
}

const text = fc.oneof(fc.string(), fc.constantFrom("", " ", "no", '"quoted"\n'));
const block = fc.record({ type: fc.constant("text" as const), text });
const image = fc.constant({ type: "image" as const, data: "AA==", mimeType: "image/png" });

/** Everything an agent can be told. */
export const anyTold: fc.Arbitrary<Told> = fc.record(
  {
    block: fc.record({ reason: text }),
    input: fc.dictionary(fc.string(), anything) as fc.Arbitrary<Json>,
    result: fc.record({ content: fc.array(fc.oneof(block, image)), isError: fc.boolean() }),
    context: text,
    prompt: fc.record({ blocked: text, text }, { requiredKeys: [] }),
    goOn: text,
    cancel: fc.record({ reason: text }),
    message: text,
  },
  { requiredKeys: [] },
);
