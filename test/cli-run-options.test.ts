import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Place, place } from "./cli/seam.ts";

const ECHO = JSON.stringify([{ text: "You said: {input}" }]);
const FLAGS = `export default (pi) => {
  pi.registerFlag("who", { type: "string", description: "who is asked", default: "ada" });
  pi.registerFlag("loud", { type: "boolean", description: "say it louder" });
  pi.on("agent_start", () => console.error("who is " + pi.getFlag("who")));
};`;

const here = () => place({ "echo.json": ECHO, "flags.ts": FLAGS });
const run = ({ seam }: Place, ...args: string[]) =>
  seam("run", "--no-session", "--model", "scripted:echo.json", ...args);

describe("seam run -p", () => {
  it.each([
    [["-p", "-c flag broken"], "-c flag broken"],
    [["-p", "--verbose is broken"], "--verbose is broken"],
    [["-p", "--", "--x"], "--x"],
    [["-p", "--thinking", "low", "hello"], "hello"],
  ])("%j", async (args, prompt) => {
    const { code, stdout } = await run(here(), ...args);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `You said: ${prompt}\n` });
  });

  it("does not take the value of an extension's flag for the prompt", async () => {
    const { stdout, stderr } = await run(here(), "-e", "flags.ts", "-p", "--who", "bob", "hello");
    expect(stdout).toBe("You said: hello\n");
    expect(stderr).toContain("who is bob");
  });

  it.each([
    [["-p", ""], "The prompt is empty."],
    [["-p", "-"], "The prompt is empty."],
    [["-p"], "-p needs a prompt."],
    [["-p", "hi", "--thinking", "hihg"], "Did you mean high?"],
    [["-p", "hi", "--tools", "raed,bash"], 'Did you mean "read"?'],
    [["-p", "hi", "--continue"], "--continue and --no-session cannot be used together."],
    [["-p", "hi", "--exclude-tools", "bahs"], 'Did you mean "bash"?'],
    [["-p", "hi", "@gone.md"], "There is no file"],
  ])("%j is refused", async (args, message) => {
    const { code, stdout, stderr } = await run(here(), ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
  });
});

it("seam run --help lists the options of the extensions", async () => {
  const at = here();
  const { code, stdout } = await at.seam("run", "--help", "-e", "flags.ts");
  expect(code).toBe(0);
  expect(stdout).toMatch(/--who <value> +who is asked \(default: ada\) \[flags\]/);
  expect(stdout).toMatch(/--loud +say it louder \[flags\]/);
  expect(stdout).toContain("--append-system-prompt");
  const { stdout: plain } = await at.seam("help", "run");
  expect(plain).toContain("--append-system-prompt");
  expect(plain).not.toContain("--who");
});

describe("a broken models.json", () => {
  const broken = () => {
    const at = here();
    writeFileSync(join(at.home, "models.json"), '{\n  "providers": { "local": 1 }\n}');
    return at;
  };
  const problem = /models\.json cannot be used: line 2, "local": must be object\./;

  it.each(["text", "json", "rpc"])("is told at the start, --mode %s", async (mode) => {
    const { stdout, stderr } = await run(broken(), "--mode", mode, "-p", "hi");
    expect(stderr).toMatch(problem);
    expect(stdout).not.toContain("models.json");
  });

  it("is told beside the model that is missing because of it", async () => {
    const { code, stderr } = await broken().seam("run", "-p", "hi", "--model", "local/x");
    expect(code).toBe(1);
    expect(stderr).toMatch(problem);
    expect(stderr).toContain('There is no model "local/x".');
  });

  it("is found by seam doctor", async () => {
    const { code, stdout } = await broken().seam("doctor", "--json");
    expect(code).toBe(1);
    const { sections } = JSON.parse(stdout) as { sections: { about: string }[] };
    expect(sections).toContainEqual({
      about: "Models",
      findings: [expect.objectContaining({ level: "error", text: expect.stringMatching(problem) })],
    });
  });
});
