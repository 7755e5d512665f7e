import { SeamError } from "../../errors/index.ts";
import { type Model, nearest } from "../../events/index.ts";
import type { Provider } from "./provider.ts";

const FREE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** The model someone means by `provider/model` or just `model`. */
export function resolveModel(
  spec: string,
  providers: ReadonlyMap<string, Provider>,
  models: readonly Model[],
  isReachable: (model: Model) => boolean,
): Model {
  // Ids may contain slashes themselves; of several providers the one that can be reached is meant.
  const sameId = models.filter((model) => model.id === spec);
  const slash = spec.indexOf("/");
  const provider = providers.get(spec.slice(0, Math.max(0, slash)));
  const found =
    models.find((model) => `${model.provider}/${model.id}` === spec) ??
    sameId.find(isReachable) ??
    sameId[0] ??
    (provider && unlistedModel(provider, spec.slice(slash + 1)));
  if (found) return found;
  throw unknownModel(spec, providers, models);
}

/** Providers have more models than we list, and new ones every month. */
function unlistedModel(provider: Provider, id: string): Model | undefined {
  const { name, api, baseUrl, streamSimple, unlisted } = provider;
  // A stream function of an extension knows its own models and no others.
  if (id === "" || api === undefined || streamSimple) return undefined;
  const label = `${id} (not in the list: price unknown, sizes assumed)`;
  // A limit that is a guess is not sent: a provider may refuse one that is too high.
  const compat = { assumedMaxTokens: true };
  return { id, name: label, api, provider: name, baseUrl, cost: FREE, ...unlisted, compat };
}

function unknownModel(
  spec: string,
  providers: ReadonlyMap<string, Provider>,
  models: readonly Model[],
) {
  const full = models.map(({ provider, id }) => `${provider}/${id}`);
  const close = nearest(spec, spec.includes("/") ? full : [...models.map(({ id }) => id), ...full]);
  const names = [...providers.keys()].join(", ");
  const hint = close
    ? `Did you mean "${close}"?`
    : `Write provider/model. The providers are: ${names}.`;
  return new SeamError("SEAM_MODEL_UNKNOWN", { model: spec, hint });
}
