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

/** What requests say of the program they come from, for providers that keep a list of programs. */
export const PI_ATTRIBUTION: Attribution = {
  name: "pi",
  url: "https://pi.dev",
  categories: ["cli-agent"],
};

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

/** Providers that want to know which program asks, and how each is told. */
const TOLD: readonly {
  readonly providers: readonly string[];
  readonly host: string;
  headers(attribution: Attribution): Record<string, string>;
}[] = [
  {
    providers: ["openrouter"],
    host: "openrouter.ai",
    headers: ({ name, url, categories = [] }) => ({
      "HTTP-Referer": url,
      "X-OpenRouter-Title": name,
      ...(categories.length > 0 && { "X-OpenRouter-Categories": categories.join(",") }),
    }),
  },
  {
    providers: ["nvidia"],
    host: "integrate.api.nvidia.com",
    headers: ({ name }) => ({
      "X-BILLING-INVOKE-ORIGIN": name.charAt(0).toUpperCase() + name.slice(1),
    }),
  },
  {
    providers: ["opencode", "opencode-go"],
    host: "opencode.ai",
    headers: ({ name }) => ({ "x-opencode-client": name }),
  },
];

function toldOf({ provider, baseUrl }: Target) {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : "";
  const isAt = (wanted: string) => host === wanted || host.endsWith(`.${wanted}`);
  return TOLD.find((one) => one.providers.includes(provider) || isAt(one.host));
}

export function getAttributionHeaders(
  target: Target,
  identity: Identity = {},
): Record<string, string> {
  const { attribution } = identity;
  return attribution ? (toldOf(target)?.headers(attribution) ?? {}) : {};
}

export function getOpenCodeSessionHeaders(target: Target, sessionId: string | undefined) {
  const isOpenCode = toldOf(target)?.host === "opencode.ai";
  return isOpenCode && sessionId ? { "x-opencode-session": sessionId } : undefined;
}

export function getIdentityHeaders(
  target: Target,
  identity: Identity = {},
): Record<string, string> {
  return { "User-Agent": formatUserAgent(identity), ...getAttributionHeaders(target, identity) };
}
