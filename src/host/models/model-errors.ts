import { SeamError } from "../../errors/index.ts";
import { nearest } from "../../events/index.ts";
import type { Provider } from "./provider.ts";

/** Somebody one can log in to. */
export interface LoginProvider {
  readonly name: string;
  readonly title: string;
  readonly isLoggedIn: boolean;
}

/** How to come by a model when there is none. */
export function noModel(providers: readonly Provider[], modelsFile: string): SeamError {
  const variables = providers.flatMap(({ keyVariables }) => keyVariables.slice(0, 1));
  const logins = providers.flatMap(({ name, oauth }) => (oauth ? [`seam login ${name}`] : []));
  const ways = [
    ...(variables.length > 0 ? [`set one of ${variables.join(", ")}`] : []),
    ...(logins.length > 0 ? [`log in (${logins.join(", ")})`] : []),
    `describe an endpoint in ${modelsFile}`,
    "choose a model with --model",
  ];
  const hint = `To have one, ${ways.join(", or ")}.`;
  return new SeamError("SEAM_MODEL_NONE", { hint });
}

export function unknownLogin(name: string, known: readonly LoginProvider[]): SeamError {
  const names = known.map((one) => one.name);
  const close = nearest(name, names);
  const hint = close
    ? `Did you mean "${close}"?`
    : names.length > 0
      ? `One can log in to: ${names.join(", ")}.`
      : "Nobody here has a login. It comes with an extension: load that too, with -e.";
  const detail = "nobody has registered it";
  return new SeamError("SEAM_LOGIN", { provider: name, detail, hint });
}

export function notKept(name: string, kept: readonly string[]): SeamError {
  const hint =
    kept.length > 0
      ? `Kept are: ${kept.join(", ")}.`
      : "There is none at all. Keys in variables and in models.json are not touched.";
  return new SeamError("SEAM_LOGOUT", { provider: name, hint });
}
