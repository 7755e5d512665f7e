import { packageVersion } from "../../../settings/index.ts";

interface Attribution {
  readonly name: string;
  readonly url: string;
  readonly categories?: readonly string[];
}
interface Identity {
  readonly userAgent?: "short" | "detailed" | { custom: string };
  readonly attribution?: Attribution | null;
  readonly version?: string;
}
interface Target {
  readonly provider: string;
  readonly baseUrl: string;
}

/** As whom requests present themselves to providers that keep a list of programs. */
export const PI_ATTRIBUTION: Attribution = { name: "pi", url: "https://pi.dev" };

export const PI_AI_VERSION = "1.5.0";

/** The later ones count, field by field. */
export function mergeClientIdentity(
  ...sources: readonly (Identity | undefined)[]
): Identity | undefined {
  const given = sources.filter((source) => source !== undefined);
  return given.length === 0 ? undefined : Object.assign({}, ...given);
}

export const getClientVersion = (identity: Identity = {}) => identity.version ?? packageVersion();

export function formatUserAgent(identity: Identity = {}): string {
  const { userAgent = "short" } = identity;
  if (typeof userAgent === "object") return userAgent.custom;
  const short = `seam/${getClientVersion(identity)}`;
  return userAgent === "short"
    ? short
    : `${short} (${process.platform}; ${process.arch}; node ${process.versions.node})`;
}

/** OpenRouter shows which program asks; others are told nothing. */
export function getAttributionHeaders(
  { provider, baseUrl }: Target,
  identity: Identity = {},
): Record<string, string> {
  const attribution = identity.attribution;
  if (!attribution || !(provider === "openrouter" || baseUrl.includes("openrouter.ai"))) return {};
  return { "HTTP-Referer": attribution.url, "X-Title": attribution.name };
}

export function getOpenCodeSessionHeaders({ provider }: Target, sessionId: string | undefined) {
  if (!provider.startsWith("opencode") || sessionId === undefined) return undefined;
  return { "x-opencode-session": sessionId };
}

export function getIdentityHeaders(
  target: Target,
  identity: Identity = {},
): Record<string, string> {
  return { "User-Agent": formatUserAgent(identity), ...getAttributionHeaders(target, identity) };
}
