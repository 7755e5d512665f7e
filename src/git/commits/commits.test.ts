import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { gitProcesses } from "../run/spawn-git.ts";
import {
  bytes,
  commitAll,
  init,
  opened,
  run,
  setEnv,
  storeOf,
  tempDir,
  withFiles,
} from "../test-kit/index.ts";
import { commitFacts } from "./commit-facts.ts";
import { identityOf } from "./identity.ts";

describe("what a commit says", () => {
  it("is read without a process of its own", async () => {
    const root = withFiles({ a: "1" });
    const first = run(root, "rev-parse", "HEAD");
    setEnv("GIT_AUTHOR_DATE", "2024-02-03T04:05:06-0330");
    const message = "Subject\n\nBody\n\nSeam-Checkpoint: abc\nOther: two\n  lines\n";
    const id = commitAll(root, message);
    run(root, "tag", "-a", "-m", "tagged", "v1");
    const store = await storeOf(root);
    await store.info(id);
    const before = gitProcesses();
    const facts = await commitFacts(store, "v1");
    expect(facts).toMatchObject({
      id,
      tree: run(root, "rev-parse", "HEAD^{tree}"),
      parents: [first],
      author: { name: "Test User", email: "test@example.com", time: 1706945706, offset: -210 },
      committer: { name: "Test User" },
      message,
      trailers: [
        { key: "Seam-Checkpoint", value: "abc" },
        { key: "Other", value: "two lines" },
      ],
    });
    expect(gitProcesses()).toBe(before);
    expect(await commitFacts(store, "nothing")).toBeUndefined();
    expect(await commitFacts(store, "HEAD:a")).toBeUndefined();
    expect(await commitFacts(store, first)).toMatchObject({ parents: [] });
  });

  it("is understood in old encodings, with signatures, and with odd authors", async () => {
    const root = withFiles({ a: "1" });
    const [tree, head] = run(root, "rev-parse", "HEAD^{tree}", "HEAD").split("\n");
    const store = await storeOf(root);
    const stored = async (text: string) => {
      const content = Buffer.from(text, "latin1");
      const args = ["hash-object", "-t", "commit", "-w", "--literally", "--stdin"];
      return commitFacts(store, bytes(root, args, content).toString().trim());
    };
    expect(
      await stored(
        `tree ${tree}\nparent ${head}\nauthor J\xfcrgen <j@x> 1 +0100\ncommitter <> 2 +0000\n` +
          "encoding ISO-8859-1\ngpgsig -----BEGIN\n author Fake <f@x> 1 +0000\n -----END\n\nGr\xfc\xdfe\n",
      ),
    ).toMatchObject({
      author: { name: "Jürgen", email: "j@x", time: 1, offset: 60 },
      committer: { name: "", email: "", time: 2 },
      message: "Grüße\n",
    });
    expect(
      await stored(`tree ${tree}\nauthor nonsense\ncommitter x\nencoding what\n\n`),
    ).toMatchObject({
      author: { time: 0 },
      parents: [],
      message: "",
    });
  });
});

describe("the identity for Seam's own commits", () => {
  const who = async (root: string) => {
    const { name, email } = await identityOf(await opened(root));
    return `${name} <${email}>`;
  };

  it("is the user's", async () => {
    const root = init();
    expect(await who(root)).toBe("Test User <test@example.com>");
    run(root, "config", "committer.name", "Other User");
    expect(await who(root)).toBe("Other User <test@example.com>");
    setEnv("GIT_COMMITTER_EMAIL", "env@example.com");
    expect(await who(root)).toBe("Other User <env@example.com>");
  });

  it("is not that of the author of the commit a hook runs for", async () => {
    setEnv("GIT_AUTHOR_NAME", "Patch Author");
    setEnv("GIT_AUTHOR_EMAIL", "author@example.com");
    expect(await who(init())).toBe("Test User <test@example.com>");
  });

  it("is nobody's when git was not told, and never a guess", async () => {
    const root = init();
    run(root, "config", "--unset", "user.name");
    expect(await who(root)).toBe("Seam <seam@localhost>");
    run(root, "config", "--unset", "user.email");
    expect(await who(root)).toBe("Seam <seam@localhost>");
  });

  it("is asked for once, and again after the settings changed, also in an included file", async () => {
    const root = init();
    const repo = await opened(root);
    const before = gitProcesses();
    await identityOf(repo);
    await identityOf(repo);
    expect(gitProcesses() - before).toBe(1);
    const included = join(tempDir(), "more");
    writeFileSync(included, "[user]\nname = Included User\n");
    run(root, "config", "include.path", included);
    expect(await identityOf(repo)).toMatchObject({ name: "Included User" });
    writeFileSync(included, "[user]\nname = Changed Include\n");
    expect(await identityOf(repo)).toMatchObject({ name: "Changed Include" });
    expect(gitProcesses() - before).toBe(3);
  });

  it("has the time of now, and the zone of this machine", async () => {
    const now = new Date(1_700_000_000_500);
    expect(await identityOf(await opened(init()), now)).toMatchObject({
      time: 1_700_000_000,
      offset: 0 - now.getTimezoneOffset(),
    });
  });
});
