import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { declarationOf, type EventName } from "./vocabulary.ts";

const validators = new WeakMap<TSchema, Validator>();

/** Compiled on first use: most schemas are never needed in a process. */
function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/** What is wrong with a value, or undefined if it fits. */
export function mismatch(schema: TSchema, value: unknown): string | undefined {
  const validator = validatorOf(schema);
  if (validator.Check(value)) return undefined;
  const [first] = validator.Errors(value);
  if (!first) return "it does not fit";
  const where = first.instancePath.replaceAll("/", ".").replace(/^\./, "");
  return where ? `${where} ${first.message}` : first.message;
}

/**
 * What is wrong with an event's payload, or undefined if it is as declared.
 *
 * @example
 * payloadMismatch("turn_start", { type: "turn_start", turnIndex: 0, timestamp: 0 }); // undefined
 */
export function payloadMismatch(name: EventName, event: unknown): string | undefined {
  return mismatch(declarationOf(name).payload, event);
}
