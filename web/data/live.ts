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

/** Calls the listener with every session whose transcript has grown, until it is unsubscribed. */
export function onGrowth(hear: (session: Growth) => void): () => void {
  growing.add(hear);
  return () => void growing.delete(hear);
}

/** How often the page looks which sessions have grown quiet meanwhile. */
const QUIET_MS = 5 * 60_000;

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
  // A session of which nothing is heard grows quiet without a word.
  setInterval(() => void readNow(), QUIET_MS);
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
  else {
    for (const heard of reading) heard.push(event);
    live.value = next(live.peek(), event, Date.now());
  }
}

/** For each answer that is on its way, what was heard since it was asked for. */
const reading = new Set<StreamEvent[]>();

export async function readNow(): Promise<void> {
  const heard: StreamEvent[] = [];
  reading.add(heard);
  try {
    const now = await get<Now>("api/now");
    live.value = fresh(live.peek(), now, heard, Date.now());
    isLoaded.value = true;
    failure.value = undefined;
  } catch (error) {
    if (error instanceof Refused) failure.value = error;
  } finally {
    reading.delete(heard);
  }
}
