import type { Model } from "../../events/index.ts";
import {
  type ModelRequest,
  type ModelRequestOptions,
  type ModelRoute,
  type ModelRouteRequest,
  type RoutedModel,
  VIRTUAL_API,
} from "../../extensions/index.ts";

/** Under which type the router's state is kept in the session. */
export const VIRTUAL_MODEL_STATE_ENTRY = "pi.virtual-model-state";

/** A virtual model as it stands in lists. */
export function virtualModel(virtual: RoutedModel): Model {
  const { provider, id, name, thinkingLevels = ["off"] } = virtual;
  return {
    id,
    name,
    api: VIRTUAL_API,
    provider,
    baseUrl: "",
    reasoning: thinkingLevels.some((level) => level !== "off"),
    input: virtual.input ?? ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    contextWindow: virtual.contextWindow ?? 0,
    maxTokens: virtual.maxTokens ?? 0,
  };
}

/** Asks the router, and makes sure that it chose a model that can be asked. */
export async function routeWith(
  virtual: RoutedModel,
  request: ModelRouteRequest,
  models: { hasConfiguredAuth(model: Model): boolean },
): Promise<ModelRoute> {
  const name = `${virtual.provider}/${virtual.id}`;
  const route: Partial<ModelRoute> | undefined = await virtual.route(request);
  if (!route?.model) throw new Error(`${name} chose no model.`);
  const { model, thinkingLevel = "off", state } = route;
  if (model.api === VIRTUAL_API) throw new Error(`${name} chose a model that is virtual as well.`);
  if (!models.hasConfiguredAuth(model)) {
    throw new Error(`${name} chose ${model.provider}/${model.id}, for which there is no key.`);
  }
  return { model, thinkingLevel, ...(state !== undefined && { state }) };
}

/** The model for a request outside of the conversation. */
export async function directRoute(
  route: RoutedModel["route"] | undefined,
  model: Model,
  { messages }: ModelRequest,
  { reasoning = "off", signal }: ModelRequestOptions,
): Promise<ModelRoute> {
  if (!route) throw new Error(`${model.provider}/${model.id} is not there any more.`);
  return route({
    model,
    thinkingLevel: reasoning,
    reason: "direct",
    messages,
    ...(signal && { signal }),
  });
}
