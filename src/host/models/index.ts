export { type Failure, failureOf, isTransient } from "./failure.ts";
export { Models, type ModelsOptions } from "./models.ts";
export type { ScriptedModel, ScriptedTurn } from "./scripted/parse-script.ts";
export { scriptedModels } from "./scripted/scripted-models.ts";
export { malformedArguments } from "./tool-arguments.ts";
