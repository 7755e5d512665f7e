import { packageVersion } from "../../settings/index.ts";
import { NAMES, type SpanSource, spansOf } from "./spans.ts";

type Environment = Readonly<Record<string, string | undefined>>;

interface Receiver {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** Where the user wants spans to be sent, as OpenTelemetry's variables say it; mostly nowhere. */
export function receiverIn(env: Environment): Receiver | undefined {
  const { OTEL_SDK_DISABLED, OTEL_EXPORTER_OTLP_ENDPOINT: base } = env;
  const url =
    env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || (base && `${base.replace(/\/+$/, "")}/v1/traces`);
  if (!url || OTEL_SDK_DISABLED === "true" || env.OTEL_TRACES_EXPORTER === "none") return undefined;
  const protocol = env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? env.OTEL_EXPORTER_OTLP_PROTOCOL;
  // Whoever asks for gRPC has a receiver there that does not speak HTTP.
  if (protocol === "grpc") return undefined;
  const said = env.OTEL_EXPORTER_OTLP_TRACES_HEADERS ?? env.OTEL_EXPORTER_OTLP_HEADERS ?? "";
  const timeout = Number(
    env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT ?? env.OTEL_EXPORTER_OTLP_TIMEOUT ?? 10_000,
  );
  return { url, headers: headersIn(said), timeoutMs: timeout > 0 ? timeout : 10_000 };
}

/** "api-key=abc,other=d%20e" */
function headersIn(text: string): Record<string, string> {
  const pairs = text.split(",").flatMap((pair): [string, string][] => {
    const at = pair.indexOf("=");
    if (at < 1) return [];
    return [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Sends a run that ended. Nothing is sent unless the user named a receiver; throws why it failed. */
export async function sendSpans(source: SpanSource, env: Environment = process.env): Promise<void> {
  const receiver = receiverIn(env);
  if (receiver === undefined) return;
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const body = {
    resourceSpans: [
      {
        resource: {
          attributes: [
            attribute("service.name", env.OTEL_SERVICE_NAME || NAMES.service),
            attribute("service.version", packageVersion()),
          ],
        },
        scopeSpans: [{ scope: { name: NAMES.scope }, spans: spansOf(source) }],
      },
    ],
  };
  const answer = await fetch(receiver.url, {
    method: "POST",
    headers: { "content-type": "application/json", ...receiver.headers },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(receiver.timeoutMs),
  });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${receiver.url} answered with status ${answer.status}`);
}
