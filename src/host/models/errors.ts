import { type ErrorDetails, SeamError } from "../../errors/index.ts";

/** To be moved into `errors/codes.ts`; `modelError` is then `new SeamError`. */
const MODEL_ERRORS = {
  SEAM_MODEL_UNKNOWN: {
    what: 'There is no model "{model}".',
    next: "{hint}",
  },
  SEAM_MODEL_API: {
    what: '"{model}" speaks "{api}", which Seam does not know.',
    next: "Use one of: {known}.",
  },
  SEAM_MODEL_KEY: {
    what: 'There is no key for "{provider}": {detail}',
    next: "{hint}",
  },
  SEAM_MODELS_FILE: {
    what: "{path} cannot be used: {detail}",
    next: "Fix the file. Until then this part of it is ignored.",
  },
  SEAM_LOGIN: {
    what: 'The login to "{provider}" failed: {detail}',
    next: "{hint}",
  },
  SEAM_SCRIPT_INVALID: {
    what: "{path} is not a script for the scripted model: {detail}",
    next: 'It must be a JSON list of turns, for example: [{ "text": "Hello" }]',
  },
  SEAM_SCRIPT_ENDED: {
    what: "The script {path} has {turns} turns, and all that fit were used.",
    next: "Add a turn for this model call.",
  },
} as const satisfies Record<string, { what: string; next: string }>;

type ModelErrorCode = keyof typeof MODEL_ERRORS;

export function modelError(
  code: ModelErrorCode,
  details: ErrorDetails,
  options?: { cause?: unknown },
): SeamError {
  const fill = (template: string) =>
    template.replace(/\{(\w+)\}/g, (whole, key: string) => String(details[key] ?? whole));
  const { what, next } = MODEL_ERRORS[code];
  const error = new SeamError("SEAM_USAGE", { ...details, detail: fill(what) }, options);
  return Object.defineProperties(error, {
    code: { value: code, enumerable: true },
    next: { value: fill(next), enumerable: true },
    details: { value: details, enumerable: true },
  });
}
