import { computed, signal } from "@preact/signals";
import type { Now, StreamEvent } from "../../src/view/api.ts";
import { tell } from "../app/notices.tsx";
import { addressOf, get, isClosed, Refused } from "./http.ts";
import { fresh, NOTHING, next, tidied } from "./live-state.ts";
import { Stream, type StreamState } from "./stream.ts";

/** What is going on, and how well the page is connected to it. */
export const live = signal(NOTHING);
export const isLoaded = signal(false);
export const failure = signal<Refused | undefined>(undefined);
export const connection = signal<StreamState>("connecting");
/** Counts how often everything has to be read anew. */
export const reloads = signal(0);
export const waiting = computed(() => live.value.questions.length);

type Growth = { readonly agent: string; readonly session: string };
const growing = new Set<(session: Growth) => void>();

/** Told of every session whose transcript has grown, until the given function is called. */
export function onGrowth(hear: (session: Growth) => void): () => void {
  growing.add(hear);
  return () => void growing.delete(hear);
}

export function connect(): void {
  const stream = new Stream<StreamEvent>(addressOf("api/stream"), {
    hear,
    changed: (state) => {
      connection.value = state;
    },
    refused: () => {
      isClosed.value = true;
    },
  });
  void readNow();
  addEventListener("online", () => stream.retry());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) stream.retry();
  });
  setInterval(() => {
    live.value = tidied(live.peek(), Date.now());
  }, 2_000);
}

let hasBegun = false;

function hear(event: StreamEvent): void {
  if (event.type === "reload") {
    void readNow();
    // The first one is the beginning of the stream: what is shown has just been read.
    if (hasBegun) reloads.value++;
    hasBegun = true;
  } else if (event.type === "grew") {
    for (const grown of growing) grown(event);
  } else if (event.type === "notice") tell(event.text, event.level);
  else live.value = next(live.peek(), event, Date.now());
}

export async function readNow(): Promise<void> {
  try {
    live.value = fresh(live.peek(), await get<Now>("api/now"));
    isLoaded.value = true;
    failure.value = undefined;
  } catch (error) {
    if (error instanceof Refused) failure.value = error;
  }
}
