import type { Static } from "typebox";
import { expect, expectTypeOf, it } from "vitest";
import type { EventMap, ResultMap, SkillEvent } from "./contract.ts";
import type { EventOf, ResultOf } from "./declaration.ts";
import { EVENTS, type EventName, SkillEventSchema } from "./index.ts";

type Plain<T> = T extends object ? { [Key in keyof T]: T[Key] } : T;
type Catalogue = typeof EVENTS;

// Checked by tsc: what the generated interfaces say is what the catalogue checks.
it("the contract has the events of the catalogue, with their fields", () => {
  expectTypeOf<keyof EventMap>().toEqualTypeOf<EventName>();
  expectTypeOf<{ [Name in EventName]: Plain<EventMap[Name]> }>().toEqualTypeOf<{
    [Name in EventName]: Plain<EventOf<Catalogue[Name]>>;
  }>();
  expectTypeOf<{ [Name in EventName]: Plain<ResultMap[Name]> }>().toEqualTypeOf<{
    [Name in EventName]: Plain<ResultOf<Catalogue[Name]>>;
  }>();
  expectTypeOf<SkillEvent>().toEqualTypeOf<Static<typeof SkillEventSchema>>();
  expect(Object.keys(EVENTS).length).toBeGreaterThan(40);
});

interface Described {
  readonly description?: string;
  readonly title?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

function silent(path: string, { properties = {} }: Described): string[] {
  return Object.entries(properties).flatMap(([name, field]) => [
    ...(field.description ? [] : [`${path}.${name}`]),
    ...(field.title ? [] : silent(`${path}.${name}`, field)),
  ]);
}

it("every field of every event and result says what it means", () => {
  const fields = Object.values(EVENTS).flatMap(({ name, payload, result }) => [
    ...silent(name, payload as Described),
    ...silent(`${name} result`, (result ?? {}) as Described),
  ]);
  expect(fields).toEqual([]);
  expect(silent("skill", SkillEventSchema as unknown as Described)).toEqual([]);
});
