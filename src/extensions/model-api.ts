import { HandlerCall } from "../dispatch/index.ts";
import type { ExtensionContext } from "./api/context.ts";
import type { ExtensionAPI } from "./api/extension-api.ts";
import type { Host, RoutedModel } from "./api/host.ts";
import type { NativeProvider, ProviderConfig } from "./api/models.ts";
import type { VirtualModel } from "./api/virtual-model.ts";
import { checkProvider, checkVirtualModel } from "./check-registration.ts";
import type { Making } from "./create-api.ts";

type ModelApi = Pick<
  ExtensionAPI,
  "registerProvider" | "unregisterProvider" | "registerVirtualModel" | "unregisterVirtualModel"
>;

/** The models an extension brings. What is registered while it loads is done when there is a session. */
export function modelApi(
  making: Making,
  active: () => void,
  host: (method: string) => Host,
): ModelApi {
  const { extension, runtime, set } = making;
  const { path } = extension;
  return {
    registerProvider(given: string | NativeProvider, settings?: ProviderConfig) {
      active();
      const [name, config] =
        typeof given === "object" && given !== null
          ? [given.id, configOf(path, given)]
          : [given, settings];
      checkProvider(path, name, config);
      if (!config) return;
      extension.providers.set(name, config);
      if (runtime.bound) host("registerProvider").registerProvider(name, config);
    },
    unregisterProvider(name) {
      active();
      extension.providers.delete(name);
      if (runtime.bound) host("unregisterProvider").unregisterProvider(name);
    },
    registerVirtualModel(model) {
      active();
      checkVirtualModel(path, model);
      // Routers of all kinds of state live in one map; each gets back what it returned itself.
      const virtual = model as VirtualModel;
      extension.virtualModels.set(`${model.provider}/${model.id}`, virtual);
      if (!runtime.bound) return;
      const contextFor = (call: HandlerCall) => set.contextOf(extension, call);
      host("registerVirtualModel").registerVirtualModel(routedModel(virtual, contextFor));
    },
    unregisterVirtualModel(provider, id) {
      active();
      extension.virtualModels.delete(`${provider}/${id}`);
      if (runtime.bound) host("unregisterVirtualModel").unregisterVirtualModel(provider, id);
    },
  };
}

/** The virtual model with a router that has the context of its extension. */
export function routedModel(
  model: VirtualModel,
  contextFor: (call: HandlerCall) => ExtensionContext,
): RoutedModel {
  return {
    ...model,
    route: async (request) => model.route(request, contextFor(new HandlerCall(request.signal))),
  };
}

/** A provider of Pi's as the table of settings that Seam keeps. */
function configOf(path: string, provider: NativeProvider): ProviderConfig {
  const { id, name = id, baseUrl, headers = {}, auth } = provider;
  checkProvider(path, id, provider);
  const models = provider.getModels().map((model) => ({ ...model }));
  const stream = provider.streamSimple ?? provider.stream;
  const resolve = auth?.apiKey?.resolve?.bind(auth.apiKey);
  return {
    name,
    ...(baseUrl !== undefined && { baseUrl }),
    ...(models[0] && { api: models[0].api }),
    headers: Object.fromEntries(
      Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null),
    ),
    models,
    ...(stream && {
      streamSimple: (...args: Parameters<typeof stream>) => stream.apply(provider, args),
    }),
    ...(resolve && {
      resolveAuth: async () => {
        const found = await resolve({ ctx: CONTEXT, signal: new AbortController().signal });
        return found?.auth ?? found;
      },
    }),
  };
}

/** What a provider may look at to find its key. */
const CONTEXT = {
  env: async (variable: string) => process.env[variable],
  fileExists: async () => false,
};
