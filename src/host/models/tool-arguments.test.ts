import { expect, test } from "vitest";
import { argumentsProblem, parseArguments } from "./tool-arguments.ts";

test.each([
  ['{"a": 1}', undefined],
  ["", undefined],
  ['{"a": ', /not valid JSON/],
  ['["a"]', /are a list, not a JSON object/],
  ["null", /are null, not a JSON object/],
  ['"text"', /are a string, not a JSON object/],
  ["7", /are a number, not a JSON object/],
])("what is wrong with %j", (json, problem) => {
  const call = {
    type: "toolCall" as const,
    id: "1",
    name: "read",
    arguments: parseArguments(json),
  };
  const said = argumentsProblem(call);
  if (problem) expect(said).toMatch(problem);
  else expect(said).toBeUndefined();
});
