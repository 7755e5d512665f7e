import { Models, type ModelsOptions } from "../models.ts";
import { checkScript, type ScriptedModel, type ScriptedTurn } from "./parse-script.ts";
import { Script } from "./script.ts";

interface ScriptedOptions extends ModelsOptions {
  readonly model?: ScriptedModel;
}

/**
 * Models whose default is a script, for tests and demos.
 *
 * @example
 * const models = scriptedModels([{ text: "You said {input}." }]);
 * const model = models.resolve("scripted/script");
 */
export function scriptedModels(turns: readonly ScriptedTurn[], options: ScriptedOptions = {}) {
  const { model, ...rest } = options;
  const models = new Models(rest);
  const parsed = checkScript({ turns, ...(model && { model }) }, "script");
  models.addScript(new Script("script", parsed));
  return models;
}
