/** What the name of a spooled file says: `<agent>~<hook>~<pid of the agent>~<pid of the client>~<n>`. */
export interface SpoolName {
  readonly agent: string;
  readonly hook: string;
  /** The process that ran the hook. */
  readonly pid: number;
  /** The client: while it runs, the file may not be complete. */
  readonly client: number;
}

const SHAPE = /^([\w.-]{1,100})~([\w.-]{1,100})~(\d{1,10})~(\d{1,10})~\d{1,10}$/;

/** Undefined for what no client wrote; also for anything that leads out of the folder. */
export function parseSpoolName(name: string): SpoolName | undefined {
  const [, agent, hook, pid, client] = SHAPE.exec(name) ?? [];
  if (!agent || !hook || !pid || !client) return undefined;
  return { agent, hook, pid: Number(pid), client: Number(client) };
}

/** The file an id was made for; undefined for an id that stands for none. */
export function fileOfId(id: string): string | undefined {
  const name = id.slice(0, id.lastIndexOf("@"));
  return parseSpoolName(name) ? name : undefined;
}
