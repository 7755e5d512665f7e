export { type Failure, failureOf } from "./failure.ts";
export { modelsInScope, withLevel } from "./model-scope.ts";
export { Models } from "./models.ts";
export type { ScriptedModel, ScriptedTurn } from "./scripted/parse-script.ts";
export { scriptedModels } from "./scripted/scripted-models.ts";
export { argumentsProblem } from "./tool-arguments.ts";
export { VIRTUAL_MODEL_STATE_ENTRY } from "./virtual-models.ts";
