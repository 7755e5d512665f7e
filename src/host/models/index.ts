export { type Failure, failureOf } from "./failure.ts";
export { Models } from "./models.ts";
export type { ScriptedModel, ScriptedTurn } from "./scripted/parse-script.ts";
export { scriptedModels } from "./scripted/scripted-models.ts";
export { argumentsProblem } from "./tool-arguments.ts";
