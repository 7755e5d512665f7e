import { messageOf, SeamError } from "../../errors/index.ts";
import { isRecord } from "../../values/index.ts";
import type { Agent } from "../agent.ts";
import { known } from "./fields.ts";
import type { Payload } from "./hook-support.ts";

/** What a hook of any agent says, in one shape. What the agent does not say is absent. */
export interface HookInput {
  /** The hook's own name. */
  readonly hookType: string;
  readonly sessionId: string;
  /** Where the transcript is. */
  readonly sessionRef?: string;
  /** ISO: as the agent says, or when the hook was read. */
  readonly timestamp: string;
  readonly userPrompt?: string;
  readonly toolName?: string;
  readonly toolUseId?: string;
  /** In the agent's own field names. */
  readonly toolInput?: unknown;
  /** Only after the call. */
  readonly toolResponse?: unknown;
  /** All of it, as it came. */
  readonly rawData: Payload;
}

/** Undefined if it does not even say which session it is about. */
export function hookInput(
  { hooks }: Pick<Agent, "hooks">,
  hook: string,
  payload: Payload,
  now = new Date(),
): HookInput | undefined {
  const reading = hooks?.read(hook, payload);
  if (!reading) return undefined;
  const [tool] = reading.tools ?? [];
  return {
    hookType: hook,
    sessionId: reading.sessionId,
    timestamp: reading.at ?? now.toISOString(),
    rawData: payload,
    ...known({
      sessionRef: reading.transcriptPath,
      userPrompt: reading.prompt,
      toolName: tool?.nativeName,
      toolUseId: tool?.callId,
      toolInput: tool?.nativeInput,
      toolResponse: tool?.result?.native,
    }),
  };
}

type Input = AsyncIterable<Uint8Array | string>;

/** More cannot be one string, and is no hook. */
const LARGEST = 256 * 1024 * 1024;

/**
 * Reads what an agent sends to a hook, to its end, and parses it: a JSON object. `check` says whether
 * it is of the wanted shape. Throws a SeamError for anything else.
 */
export async function readHookInput(stdin: Input): Promise<Payload>;
export async function readHookInput<T extends Payload>(
  stdin: Input,
  check: (value: Payload) => value is T,
): Promise<T>;
export async function readHookInput(
  stdin: Input,
  check?: (value: Payload) => boolean,
): Promise<Payload> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    const piece = typeof part === "string" ? Buffer.from(part) : Buffer.from(part);
    bytes += piece.length;
    if (bytes > LARGEST) throw unusable(`it is longer than ${LARGEST} bytes`);
    parts.push(piece);
  }
  if (bytes === 0) throw unusable("it is empty");
  let value: unknown;
  try {
    value = JSON.parse(
      Buffer.concat(parts)
        .toString("utf8")
        .replace(/^\uFEFF/, ""),
    );
  } catch (error) {
    throw unusable(messageOf(error));
  }
  if (!isRecord(value)) throw unusable("it is not an object");
  if (check && !check(value)) throw unusable("it has another shape than expected");
  return value;
}

function unusable(detail: string): SeamError {
  return new SeamError("SEAM_HOOK_INPUT", { detail });
}
