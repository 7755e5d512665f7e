import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Machine, type Ran, until } from "./machine.ts";

const REF = "refs/seam/checkpoints/v1";

let made = 0;

/** A work tree on a machine, with the real git. */
export class Checkout {
  readonly machine: Machine;
  readonly root: string;

  constructor(machine: Machine, root: string) {
    this.machine = machine;
    this.root = root;
  }

  /** A repository with one commit, where Seam is enabled. */
  static async create(
    machine: Machine,
    { root, init = [] }: { readonly root?: string; readonly init?: readonly string[] } = {},
  ): Promise<Checkout> {
    const one = new Checkout(machine, root ?? join(machine.base, `repo${++made}`));
    mkdirSync(one.root, { recursive: true });
    await one.git("init", "-q", "-b", "main", ...init);
    await one.enable();
    one.write("README.md", "# A project\n");
    await one.git("add", "-A");
    await one.git("commit", "-q", "-m", "Start");
    return one;
  }

  async enable(...more: readonly string[]): Promise<Ran> {
    const ran = await this.machine.seam(
      this.root,
      "enable",
      "--agent",
      "claude-code",
      "--json",
      ...more,
    );
    if (ran.code !== 0) throw new Error(`seam enable: ${ran.stdout}${ran.stderr}`);
    return ran;
  }

  tries(...args: readonly string[]): Promise<Ran> {
    return this.machine.run(this.root, "git", ...args);
  }

  async git(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.tries(...args);
    if (code !== 0) throw new Error(`git ${args.join(" ")}: ${code} ${stdout}${stderr}`);
    return stdout.trimEnd();
  }

  write(path: string | Buffer, text: string): void {
    const full = join(this.root, path.toString("latin1"));
    if (typeof path === "string") mkdirSync(dirname(full), { recursive: true });
    const target = Buffer.isBuffer(path)
      ? Buffer.concat([Buffer.from(`${this.root}/`), path])
      : full;
    writeFileSync(target, text);
  }

  read(path: string): string {
    return readFileSync(join(this.root, path), "utf8");
  }

  /** Commits everything, as a person. */
  async commit(message: string, ...args: readonly string[]): Promise<void> {
    await this.git("add", "-A");
    await this.git("commit", "-q", "-m", message, ...args);
  }

  async idsAt(rev = "HEAD"): Promise<string[]> {
    const message = await this.git("log", "-1", "--format=%B", rev);
    return [...message.matchAll(/^Seam-Checkpoint: (\S+)$/gm)].map(([, id]) => id ?? "");
  }

  /** Ids of all checkpoints that are written. */
  async checkpoints(): Promise<string[]> {
    const { code, stdout } = await this.tries("ls-tree", "-r", "--name-only", REF);
    if (code !== 0) return [];
    return stdout.split("\n").flatMap((path) => {
      const [, a, b] = /^(..)\/([^/]+)\/metadata\.json$/.exec(path) ?? [];
      return a === undefined ? [] : [`${a}${b}`];
    });
  }

  /** The id of a commit's checkpoint, once it is written: nobody waits for that but tests. */
  async checkpointAt(rev = "HEAD"): Promise<string> {
    const id = (await this.idsAt(rev)).at(-1);
    if (id === undefined) throw new Error(`no trailer at ${rev}: ${this.machine.log}`);
    // Most of the time it is there then, and git is asked once.
    await this.machine.recorded();
    const isThere = await until(async () => (await this.checkpoints()).includes(id));
    if (!isThere) throw new Error(`no checkpoint ${id}: ${this.machine.log}`);
    return id;
  }

  /** `metadata.json` of the first session of a checkpoint. */
  async session(id: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.file(id, "0/metadata.json")) as Record<string, unknown>;
  }

  file(id: string, path: string): Promise<string> {
    return this.git("show", `${REF}:${id.slice(0, 2)}/${id.slice(2)}/${path}`);
  }

  show(what: string): Promise<Ran> {
    return this.machine.seam(this.root, "show", what, "--json");
  }

  async status(): Promise<{ record: { problems: { text: string }[] }; daemon: unknown }> {
    const { code, stdout, stderr } = await this.machine.seam(this.root, "status", "--json");
    if (code !== 0) throw new Error(stdout + stderr);
    return JSON.parse(stdout) as never;
  }

  /**
   * What git finds wrong; "" if nothing. Git lists the objects first and the references later: what
   * is written in between it takes for missing, so nothing may be under way.
   */
  async unsound(): Promise<string> {
    await this.machine.recorded();
    const { code, stdout, stderr } = await this.tries("fsck", "--full", "--strict");
    const said = `${stdout}${stderr}`
      .split("\n")
      .filter((line) => !/^(dangling |notice: |$)/.test(line));
    return code === 0 && said.length === 0 ? "" : `${code}: ${said.join("\n")}`;
  }

  /** Files that Seam left where they do not belong. */
  leftovers(): string[] {
    return readdirSync(join(this.root, ".git")).filter((name) => name.endsWith(".seam"));
  }
}
