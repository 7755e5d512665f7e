import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { AGENTS, agentNamed, allRecords, enable, LEVELS } from "../agents/index.ts";
import { judgeCall } from "./judge-call.ts";
import { ProtectedPlaces } from "./protected-places.ts";
import { setUp } from "./test-kit.ts";

describe("a file tool", () => {
  it.each([
    ["Seam's folder", "~/.seam/settings.json"],
    ["the hook client", "~/.seam/bin/hook"],
    ["a project's settings", ".seam/settings.local.json"],
    ["a trusted extension", ".seam/extensions/gate.ts"],
    ["Seam's part of git", ".git/seam/enabled"],
    ["Seam's references", ".git/refs/seam/checkpoints/v1"],
    ["where Seam's references were", ".git/logs/refs/seam/turns/s1"],
    ["git's hooks", ".git/hooks/post-commit"],
    ["git's settings", ".git/config"],
    ["hook entries", ".claude/settings.local.json"],
    ["settings that switch hooks off", ".claude/settings.json"],
    ["hook entries of all projects", "~/.claude/settings.json"],
    ["another project's settings", "../other/.seam/settings.json"],
    ["a way round", "src/../.seam/settings.json"],
    ["another case", ".SEAM/settings.json"],
    ["a name with a character that does not count", ".se\u200bam/settings.json"],
    ["a mention", "@.seam/settings.json"],
    ["an address", "file:///x/.seam/settings.json"],
  ])("must not write to %s", (_, path) => {
    const { judge } = setUp();
    expect(judge("write", { path, content: "x" })).toContain("would change");
    expect(judge("edit", { path, edits: [] })).toContain("would change");
    expect(judge("read", { path })).toBeUndefined();
  });

  it.each(["src/a.ts", "README.md", ".github/hooks.json", "seam/x.ts", ".gitignore", ".git-blame"])(
    "may write to %s",
    (path) => {
      const { judge } = setUp();
      expect(judge("write", { path, content: "~/.seam/settings.json" })).toBeUndefined();
    },
  );

  it("must not write to Seam's folder where it has another name, or a link leads to it", () => {
    const { home, project } = setUp();
    const store = join(home, "elsewhere");
    mkdirSync(store);
    symlinkSync(store, join(home, "by-link"));
    for (const named of [store, join(home, "by-link")]) {
      const places = new ProtectedPlaces({ store: named, home, env: {} });
      for (const path of [join(store, "bin/hook"), join(home, "by-link/settings.json")]) {
        const call = { name: "write", input: { path, content: "x" } };
        expect(
          judgeCall(() => places, call, project),
          `${named} ${path}`,
        ).toContain("own folder");
      }
    }
  });

  it("must not write through links, also where the system and the text disagree about ..", () => {
    const { judge, project, store } = setUp();
    mkdirSync(join(store, "bin"));
    symlinkSync(store, join(project, "inner"));
    symlinkSync(join(store, "bin"), join(project, "deep"));
    writeFileSync(join(store, "settings.json"), "{}");
    symlinkSync(join(store, "settings.json"), join(project, "notes.md"));
    symlinkSync(join(store, "trust.json"), join(project, "not-yet.md"));
    for (const path of ["inner/settings.json", "deep/../x", "notes.md", "not-yet.md"]) {
      expect(judge("write", { path, content: "x" }), path).toContain("would change");
    }
  });

  it.each(
    // Aider has none: its files are watched.
    AGENTS.filter(({ hooks, name }) => hooks?.installer && name !== "aider").flatMap((agent) =>
      LEVELS.map((level) => ({ agent, level, name: agent.name })),
    ),
  )("must not write to where the hooks of $name are at $level level", ({ agent, level, name }) => {
    const { judge, home, project, store } = setUp();
    enable([{ agent, level }], { place: { project, home, env: {} }, store });
    const written = allRecords(store).filter((one) => one.agent === name && one.level === level);
    expect(written).not.toEqual([]);
    for (const { path } of written) {
      expect(judge("write", { path, content: "{}" }), path).toContain("would change");
      expect(judge("bash", { command: `rm ${path}` }), path).toContain("would change");
      const renamed = `mv ${dirname(path)} ${join(dirname(path), "../off")}`;
      expect(judge("bash", { command: renamed }), path).toContain("would change");
    }
  });

  it.each(
    AGENTS.filter(({ hooks }) => hooks?.installer?.switches).flatMap((agent) =>
      LEVELS.map((level) => ({ agent, level, name: agent.name })),
    ),
  )(
    "must not write to what can switch the hooks of $name at $level level off",
    ({ agent, level }) => {
      const { judge, home, project, store } = setUp();
      const place = { project, home, env: {} };
      const files = agent.hooks?.installer?.switches?.({ level, place }) ?? [];
      enable([{ agent, level }], { place, store });
      for (const path of files) {
        expect(judge("write", { path, content: "{}" }), path).toContain("would change");
        expect(judge("bash", { command: `rm ${path}` }), path).toContain("would change");
      }
    },
  );

  it("may change the settings of an agent that does not call Seam", () => {
    const { judge } = setUp();
    expect(judge("write", { path: ".gemini/settings.json", content: "{}" })).toBeUndefined();
    expect(judge("write", { path: ".codex/config.toml", content: "" })).toBeUndefined();
  });

  it.each([
    ["mcp__files__write_file", { path: ".seam/settings.json", content: "x" }],
    ["mcp__files__move_file", { source: "a.txt", destination: ".git/hooks/pre-commit" }],
    ["mcp__edit__apply", { edits: [{ file: ".claude/settings.local.json", text: "x" }] }],
    ["mcp__shell__run", { command: "rm -rf .seam" }],
    ["mcp__shell__run", { command: ["rm", "-rf", ".seam"] }],
    ["mcp__shell__run", { command: "rm", args: ["-rf", ".seam"] }],
    ["bash", { command: ["rm", "-rf", ".seam"] }],
    ["mcp__files__write_file", { path: `${"./".repeat(3_000)}.seam/settings.json` }],
  ])("of an MCP server is looked at by the names of its fields: %s", (name, input) => {
    const { judge } = setUp();
    expect(judge(name, input)).toBeDefined();
  });

  it("of an MCP server that only reads may read", () => {
    const { judge } = setUp();
    expect(judge("mcp__files__read_file", { path: ".seam/settings.json" })).toBeUndefined();
  });
});

describe("each agent's own tools", () => {
  const PATCH = `*** Begin Patch
*** Add File: src/a.ts
+x
*** Update File: .claude/settings.local.json
@@
-a
+b
*** End Patch`;
  it.each([
    ["claude-code", "PreToolUse", "Write", { file_path: ".seam/x", content: "" }],
    [
      "claude-code",
      "PreToolUse",
      "Edit",
      { file_path: ".seam/x", old_string: "a", new_string: "" },
    ],
    ["claude-code", "PreToolUse", "MultiEdit", { file_path: ".seam/x", edits: [] }],
    ["claude-code", "PreToolUse", "NotebookEdit", { notebook_path: ".seam/x", new_source: "" }],
    ["codex", "PreToolUse", "apply_patch", { command: PATCH }],
    ["factoryai-droid", "PreToolUse", "Create", { file_path: ".seam/x", content: "" }],
    ["factoryai-droid", "PreToolUse", "Edit", { file_path: ".seam/x", old_str: "", new_str: "" }],
    ["factoryai-droid", "PreToolUse", "ApplyPatch", { input: PATCH }],
    ["gemini", "BeforeTool", "write_file", { file_path: ".seam/x", content: "" }],
    ["gemini", "BeforeTool", "replace", { file_path: ".seam/x", old_string: "", new_string: "" }],
    ["cursor", "preToolUse", "Write", { file_path: ".seam/x", content: "" }],
  ] as const)("%s %s %s", (name, hook, tool_name, tool_input) => {
    const { places, project } = setUp();
    const payload = { session_id: "s", conversation_id: "s", cwd: project, tool_name, tool_input };
    const tools = agentNamed(name)?.hooks?.read(hook, payload)?.tools ?? [];
    expect(tools.length).toBeGreaterThan(0);
    expect(
      tools.map((tool) => judgeCall(() => places, tool, project)).filter(Boolean),
    ).toHaveLength(1);
  });
});

describe("a shell command", () => {
  it.each([
    "rm -rf ~/.seam",
    'rm -rf "$HOME/.seam/bin"',
    "echo '{}' > .seam/settings.local.json",
    "echo x >> .seam/extensions/gate.ts",
    "cat x | tee .claude/settings.local.json",
    "sed -i s/seam// .claude/settings.local.json",
    "cp /dev/null ~/.seam/bin/hook",
    "mv .seam .seam-off",
    "ln -sf /bin/true ~/.seam/bin/hook",
    "chmod -x .git/hooks/post-commit",
    "cd .git/hooks && rm post-commit",
    "cd .seam; echo x > settings.json",
    "rm -rf .git",
    "rm -rf .se*",
    "rm -rf {a,.seam}/extensions",
    "sudo rm ~/.seam/settings.json",
    "bash -c 'rm -rf ~/.seam'",
    "echo $(rm -rf ~/.seam)",
    "python3 -c \"open('.seam/settings.json','w')\"",
    "node -e 'fs.rmSync(\".claude/settings.local.json\")'",
    "find .seam -delete",
    "git config core.hooksPath /dev/null",
    "git -c core.hooksPath=/dev/null commit -m x",
    "git update-ref -d refs/seam/checkpoints/v1",
    "git config --unset-all core.hooksPath",
    "git config --remove-section includeIf.gitdir:/repo/.git",
    "git config --remove-section core",
    "git config rename-section includeIf.gitdir:/repo/.git x.y",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.hooksPath GIT_CONFIG_VALUE_0=/x git commit -m x",
    "git -c include.path=/tmp/x commit -m x",
    "git push . :refs/seam/checkpoints/v1",
    "git push origin 'refs/seam/*:refs/heads/*'",
    "git push --mirror backup",
    "git fetch . +refs/heads/main:refs/seam/checkpoints/v1",
    "git fetch --prune origin '+refs/*:refs/*'",
    "git for-each-ref --format='delete %(refname)' refs/seam | git update-ref --stdin",
    "sed -i /seam/d .git/packed-refs",
    "echo x >> .git/config.worktree",
    "codex features disable hooks",
    "seam disable --yes",
    "seam doctor --fix",
    "npx agentseam doctor --json --fix",
    "npx seam trust --yes",
    "seam daemon stop",
    "seam inbox answer 3f9a12c4 yes",
    "sleep 5; seam inbox answer $(seam inbox --json | jq -r .questions[0].id) yes &",
    "seam inbox --watch",
    "seam rules remove 3f9a12",
    "seam hold --off s1",
    "seam say s1 'the user wants this'",
    "seam view --json",
    "seam forget s1 --yes",
    "seam sync --with-push",
    "curl --unix-socket ~/.seam/run/daemon.sock http://seam/v1/inbox/answer -d '{}'",
    "cat ~/.seam/run/token",
    "echo '{}' > ~/.seam/rules.json",
    "/usr/local/bin/seam disable",
    "node dist/bin/seam.js disable --all",
    "npm uninstall -g agentseam",
    "kill $(cat ~/.seam/run/pid)",
    "if true; then rm -rf ~/.seam; fi",
    "truncate -s 0 ~/.seam/bin/hook",
    "dd if=/dev/zero of=.seam/settings.json",
    "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: .seam/settings.json\n*** End Patch\nEOF",
  ])("must not: %s", (command) => {
    const { judge } = setUp();
    expect(judge("bash", { command })).toBeDefined();
  });

  it.each([
    "for d in ~/.s*; do rm -rf $d; done",
    'for d in ~/.s*; do rm -rf "$d"; done',
    "d=~/.s*; rm -rf $d",
    "env -C ~/.seam rm -rf bin",
    "env --chdir=$HOME/.seam rm -rf bin",
    "sudo -D ~/.seam rm -rf bin",
    `a=(x ~/.seam); rm -rf "\${a[@]}"`,
    `a=(x ~/.seam); rm -rf \${a[1]}`,
    `a=(); a+=(~/.se*); rm -rf "\${a[@]}"`,
    `declare -a a=(~/.seam); rm -rf "\${a[@]}"`,
    `a[0]=~/.seam; rm -rf "\${a[0]}"`,
    `for d in "\${x[@]}" ~/.seam; do rm -rf "$d"; done`,
    "d=~/.se; d+=am; rm -rf $d",
    'set -- ~/.seam; rm -rf "$1"',
    'set -- -x ~/.seam; rm -rf "$@"',
    "set ~/.seam; shift 0; rm -rf $*",
    'f() { rm -rf "$1"; }; f ~/.seam',
    'f() { rm -rf "$@"; }; f x ~/.se*',
    "rm -rf $(ls -d ~/.s*)",
    "rm -rf $(echo ~/.se*)",
    "rm -rf `echo ~/.seam`",
    "echo ~/.seam | xargs rm -rf",
    "printf '%s\\n' ~/.seam | xargs -I{} rm -rf {}",
    "ls -d ~/.s* | xargs rm -rf",
    "ls -d ~/.s* | while read d; do rm -rf $d; done",
    'echo ~/.seam | while read -r d; do rm -rf "$d"; done',
    'while read -r d; do rm -rf "$d"; done <<< ~/.seam',
    'while read -r d; do rm -rf "$d"; done < <(echo ~/.seam)',
    'read -r d <<< ~/.seam; rm -rf "$d"',
    'printf -v d %s ~/.seam; rm -rf "$d"',
    "eval rm -rf '~/.seam'",
    "x=rm; $x -rf ~/.seam",
    'x="rm -rf"; $x ~/.seam',
    "(cd ~ && rm -rf .seam)",
    "cd; rm -rf .seam",
    "pushd ~ >/dev/null; rm -rf .seam",
    "cd ~ && rm -rf ./.se*m",
    `rm -rf "\${HOME%/}/.seam"`,
    `rm -rf "\${HOME:?}/.seam"`,
    "rm -rf ~$USER/.seam",
    "rm -rf ~/.[s]eam",
    "rm -rf ~/.se{am,bm}",
    "rm -rf ~/.s{e,f}am",
    "rm -rf ~/@(.seam)",
    "rm -rf ~/.!(x)",
    "find ~ -maxdepth 1 -name .seam -exec rm -rf {} +",
    "find ~ -maxdepth 1 -name '.s*' | xargs rm -rf",
    "git -C ~/.seam clean -fdx bin",
    "git --git-dir=.git config core.hooksPath /dev/null",
    "make -C ~ x; rsync -a --delete empty/ ~/.seam/",
    "tar -C ~/.seam -xf x.tar",
    "trap 'rm -rf ~/.seam' EXIT",
    "alias x='rm -rf ~/.seam'; x",
    "cat <<EOF | sh\nrm -rf ~/.seam\nEOF",
    "sh <<< 'rm -rf ~/.seam'",
    "nohup nice -n 5 rm -rf ~/.seam &",
    "case x in x) rm -rf ~/.seam ;; esac",
    "until rm -rf ~/.seam; do :; done",
    "! rm -rf ~/.seam",
    "{ rm -rf ~/.seam; } 2>/dev/null",
    "coproc rm -rf ~/.seam",
    "command rm -rf ~/.seam",
    "'rm' -rf ~/.seam",
    "r\\m -rf ~/.seam",
    "rm -rf $'/x' ~/'.seam'",
    "unlink ~/.seam/bin/hook",
    "> ~/.seam/bin/hook",
    ": >| ~/.seam/bin/hook",
    "exec 3> ~/.seam/bin/hook",
    "export D=~/.seam; rm -rf $D",
    "D=~/.seam sh -c 'rm -rf $D'",
    "sh -c 'rm -rf $0' ~/.seam",
    "sh -c 'rm -rf \"$1\"' x ~/.seam",
    "bash -c 'cd && rm -rf .seam'",
    "systemd-run --user rm -rf ~/.seam",
    "chroot / rm -rf ~/.seam",
    "install -m 755 /bin/true ~/.seam/bin/hook",
    "busybox rm -rf ~/.seam",
    "mv ~/.seam/bin/hook{,.off}",
    "mv -t /tmp ~/.seam",
    "perl -e 'unlink glob \"~/.seam/bin/*\"'",
    "perl -e 'unlink \"$ENV{HOME}/.seam/bin/hook\"'",
    "python3 - <<'E'\nimport shutil, os\nshutil.rmtree(os.path.expanduser('~/.seam'))\nE",
    "python3 -c \"import pathlib; (pathlib.Path.home() / '.seam' / 'bin' / 'hook').unlink()\"",
    "node -e \"require('fs').rmSync(require('os').homedir() + '/.seam', {recursive:true})\"",
    "awk 'BEGIN { system(\"rm -rf ~/.seam\") }'",
    "rm -rf ~/.seam/",
    "rm -rf ~/./.seam",
    "rm -rf ~/x/../.seam",
    "rm -rf ~/.sea?",
    "rm -rf ~/.*",
    "rm -r -- ~/.seam",
    "chmod 000 ~/.seam",
    "chmod -R 000 ~",
    "rm -rf ~",
    "[ -d ~/.seam ] && rm -rf ~/.seam",
    "select d in ~/.seam; do rm -rf $d; done",
    `d=\${X:-~/.seam}; rm -rf $d`,
    "timeout 5 env -iC ~/.seam rm -rf bin",
    'cd ~ ; rm -rf "$PWD/.seam"',
    'cd ~/.seam/bin; cd ..; rm -rf "$OLDPWD"',
    `mapfile -t a < <(ls -d ~/.s*); rm -rf "\${a[@]}"`,
    "IFS=: read -r d <<< ~/.seam; rm -rf $d",
    `for i in 1; do d=~/.seam; rm -rf "\${d}"; done`,
    `p=HOME; rm -rf "\${!p}/.seam"`,
    ". /dev/stdin <<< 'rm -rf ~/.seam'",
    "at now <<< 'rm -rf ~/.seam'",
    "patch -d ~/.seam -p0 < x",
    "wget -P ~/.seam x",
    "cpio -D ~/.seam -i < x",
    "7z x -o$HOME/.seam a.7z",
    "split x ~/.seam/",
    "gcc -o ~/.seam/bin/hook x.c",
    "sqlite3 ~/.seam/x.db 'drop table a'",
    "mount --bind /tmp ~/.seam",
    "git clone x ~/.seam/y",
    "git worktree add ~/.seam/x",
    "git init --separate-git-dir=.git/seam",
    "git apply --directory=.seam x.patch",
  ])("must not, however it is spelled: %s", (command) => {
    const { judge } = setUp();
    expect(judge("bash", { command })).toBeDefined();
  });

  it.each([
    "cat ~/.seam/settings.json",
    "ls -la .seam .git/hooks",
    "grep -r seam .claude/settings.local.json",
    "git commit -m 'change .seam/settings.json'",
    "git add -A && git commit -m x && git push",
    "git config user.name x",
    "git config --remove-section user",
    "git push origin main:refs/heads/release && git fetch origin '+refs/heads/*:refs/remotes/o/*'",
    "git remote add origin ../x && git clone ../x ../y && git worktree add ../z",
    "git apply --directory=src x.patch; git init ../new; git archive -o ../x.tar HEAD",
    "GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=user.name GIT_CONFIG_VALUE_0=x git commit -m x",
    "codex features list; codex features disable apps",
    "gcc -o a.out x.c; split x part-; patch -p1 < x; wget -P downloads x",
    "git config --get core.hooksPath",
    "git status; git diff .seam",
    "echo .seam/settings.json",
    "diff .seam/settings.json x > out.txt",
    "cp .seam/settings.json /tmp/copy.json",
    "find .seam -name '*.ts'",
    "rm -rf node_modules dist",
    "rm -rf *.log",
    "npm test 2>&1 | tail -5",
    "sed -n 1,5p .seam/settings.json",
    "seam status && seam doctor && seam log",
    "seam trust --json",
    "python3 -c \"print(open('README.md').read())\"",
    "echo done > /dev/null 2>&1",
    "mkdir -p src/new && touch src/new/a.ts",
  ])("may: %s", (command) => {
    const { judge } = setUp();
    expect(judge("bash", { command })).toBeUndefined();
  });
});
