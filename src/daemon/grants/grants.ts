import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Value } from "typebox/value";
import type { Reading } from "../../agents/index.ts";
import type { Decision } from "../../dispatch/index.ts";
import { isInside, readText, realTarget } from "../../files/index.ts";
import { type Call, confined, type Grant, GrantSchema, judgeWork } from "../../protection/index.ts";
import type { Log } from "../log.ts";
import {
  type HeardHook,
  type LeftWord,
  leftWords,
  markDelivered,
  noteHeard,
} from "./attempt-notes.ts";

/** What is needed to find out which attempt a session belongs to. */
export interface GrantedSession {
  readonly agent: { readonly name: string };
  readonly id: string;
  readonly cwd: string;
  readonly pid: number | undefined;
  readonly messages: { text: string; now: boolean }[];
}

/** In the place of an extension's name: the crew's own rules said no. */
const CREW = "crew";
const MARK = "SEAM_CREW_ATTEMPT=";

/** Where what the attempts of crews may do is kept while they work. */
export function grantsFolder(home: string): string {
  return join(home, "crew", "grants");
}

/**
 * Which sessions do tasks of crews, and what they may do. Every hook waits for this question, so
 * without an attempt at work it costs one look at an empty folder.
 */
export class Grants {
  readonly #folder: string;
  readonly #log: Log;
  #names = "";
  #grants: readonly Grant[] = [];
  #known = new WeakMap<GrantedSession, { grant: Grant | undefined }>();
  readonly #handed = new WeakMap<object, LeftWord>();

  constructor(home: string, log: Log) {
    this.#folder = grantsFolder(home);
    this.#log = log;
  }

  /** What a session may do; undefined: it is no crew's. */
  of(session: GrantedSession): Grant | undefined {
    this.#refresh();
    if (this.#grants.length === 0) return undefined;
    const known = this.#known.get(session);
    if (known) return known.grant;
    const grant = this.#recognise(session);
    this.#known.set(session, { grant });
    return grant;
  }

  named(id: string): Grant | undefined {
    this.#refresh();
    return this.#grants.find((grant) => grant.id === id);
  }

  /** The attempt that one of these processes, or whoever is in a folder, works at. */
  working(processes: readonly number[], cwd: string): Grant | undefined {
    this.#refresh();
    if (this.#grants.length === 0) return undefined;
    return this.#byProcess(processes) ?? this.#byFolder(cwd);
  }

  /** Why calls must not be made; undefined if they may. */
  against(
    grant: Grant,
    calls: readonly Call[],
    cwd: string,
  ): { readonly reason: string; readonly by: string } | undefined {
    for (const call of calls) {
      const reason = judgeWork(grant, call, cwd);
      if (reason !== undefined) return { reason, by: CREW };
    }
    return undefined;
  }

  /** Lets a command that a reader may only run in a sandbox run there, whoever else changed it. */
  confine(grant: Grant, calls: readonly Call[], decision: Decision): Decision {
    if (decision.block) return decision;
    const inputs = calls.flatMap((call, index) => {
      const changed = decision.inputs.find((one) => one.index === index);
      const input = changed ? { ...call.input, ...changed.input } : call.input;
      const command = confined(grant, { ...call, input });
      if (command === undefined) return changed ? [changed] : [];
      return [{ index, input: { ...input, command }, by: [CREW] }];
    });
    return { ...decision, inputs };
  }

  /** Notes that a hook of an attempt was heard: an attempt without hooks is not let work. */
  heard(
    grant: Grant,
    { hook, at }: { readonly hook: string; readonly at: string },
    reading: Pick<Reading, "sessionId" | "transcriptPath" | "model" | "tools">,
    told: { readonly events: readonly string[]; readonly blocked?: string | undefined },
  ): void {
    const tool = reading.tools?.[0]?.name;
    const heard: HeardHook = {
      at,
      hook,
      session: reading.sessionId,
      events: told.events,
      ...(reading.transcriptPath !== undefined && { transcript: reading.transcriptPath }),
      ...(reading.model !== undefined && { model: reading.model }),
      ...(tool !== undefined && { tool }),
      ...(told.blocked !== undefined && { blocked: told.blocked }),
    };
    try {
      noteHeard(grant.folder, heard);
    } catch (error) {
      this.#log.failed("a hook of an attempt could not be noted", error);
    }
  }

  /** Hands a session the words that were left for its attempt; its hooks take them along. */
  hand(grant: Grant, session: GrantedSession): void {
    const waiting = new Set(session.messages.map((one) => this.#handed.get(one)?.file));
    for (const word of leftWords(grant.folder)) {
      if (waiting.has(word.file)) continue;
      const message = { text: word.text, now: true };
      this.#handed.set(message, word);
      session.messages.push(message);
    }
  }

  /** What a hook took along has reached the model. `before`: what waited when the hook came. */
  handedOver(grant: Grant, before: readonly object[], session: GrantedSession): void {
    const left = new Set<object>(session.messages);
    for (const message of before) {
      const word = this.#handed.get(message);
      if (word && !left.has(message)) this.#delivered(grant, word);
    }
  }

  #delivered(grant: Grant, word: LeftWord): void {
    try {
      markDelivered(grant.folder, word);
    } catch (error) {
      this.#log.failed("a word to an attempt could not be marked as delivered", error);
    }
  }

  /** What an attempt may do never changes, so a new name means that something is new. */
  #refresh(): void {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder).sort() : [];
    const all = names.filter((name) => name.endsWith(".json"));
    const key = all.join(" ");
    if (key === this.#names) return;
    this.#names = key;
    this.#known = new WeakMap();
    this.#grants = all.flatMap((name) => this.#read(join(this.#folder, name)) ?? []);
  }

  #read(path: string): Grant | undefined {
    const grant = readGrant(path);
    if (!grant) this.#log.warn(`${path} does not say what an attempt may do`);
    return grant;
  }

  #recognise(session: GrantedSession): Grant | undefined {
    const { agent, id, pid, cwd } = session;
    const bySession = this.#grants.find((one) => one.agent === agent.name && one.session === id);
    return (
      bySession ?? (pid === undefined ? undefined : this.#byProcess([pid])) ?? this.#byFolder(cwd)
    );
  }

  #byProcess(processes: readonly number[]): Grant | undefined {
    for (const pid of processes) {
      const id = attemptOf(pid);
      const grant = id === undefined ? undefined : this.#grants.find((one) => one.id === id);
      if (grant) return grant;
    }
    return undefined;
  }

  #byFolder(cwd: string): Grant | undefined {
    const real = realTarget(cwd);
    return this.#grants.find(({ workspace }) => isInside(real, workspace));
  }
}

/** What a file says that an attempt may do; undefined if it cannot be understood. */
export function readGrant(path: string): Grant | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? "");
    return Value.Check(GrantSchema, value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The attempt that a process was started for, as its environment says. */
function attemptOf(pid: number): string | undefined {
  try {
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return variables.find((one) => one.startsWith(MARK))?.slice(MARK.length);
  } catch {
    return undefined;
  }
}
