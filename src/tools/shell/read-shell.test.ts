import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../test/setup/sample.ts";
import { readShell } from "./read-shell.ts";
import { SHELL_UNKNOWN as X } from "./reading.ts";

const HOME = "/home/me";
const read = (command: string) => readShell(command, { home: HOME });
/** Programs that are started, with their arguments. */
const started = (command: string) =>
  read(command).commands.map(({ name, args }) =>
    [name ?? X, ...args.map(({ values }) => values.join("|"))].join(" "),
  );
const written = (command: string) => [...new Set(read(command).writes.map(({ path }) => path))];

describe("which programs run", () => {
  it.each([
    ["rm -rf x", "rm -rf x"],
    ["\\rm -rf x", "rm -rf x"],
    ["/bin/rm -rf x", "rm -rf x"],
    ["RM -rf x", "rm -rf x"],
    ["/BIN/Rm -rf x", "rm -rf x"],
    ["Env X=1 RM -rf x", "rm -rf x"],
    ["'rm' -rf x", "rm -rf x"],
    ['r""m -rf x', "rm -rf x"],
    ["$'rm' -rf x", "rm -rf x"],
    ["$'\\x72m' -rf x", "rm -rf x"],
    ["{rm,-rf,x}", "rm -rf x"],
    ["command rm -rf x", "rm -rf x"],
    ["builtin command rm -rf x", "rm -rf x"],
    ["exec rm -rf x", "rm -rf x"],
    ["env X=1 rm -rf x", "rm -rf x"],
    ["env -u A -i X=1 rm -rf x", "rm -rf x"],
    ["env -S 'rm -rf x'", "rm -rf x"],
    ["X=1 rm -rf x", "rm -rf x"],
    ["sudo -u root rm -rf x", "rm -rf x"],
    ["sudo -uroot rm -rf x", "rm -rf x"],
    ["sudo -nu root -- rm -rf x", "rm -rf x"],
    ["doas rm -rf x", "rm -rf x"],
    ["nohup nice -n 5 timeout -k 1 5 rm -rf x &", "rm -rf x"],
    ["time rm -rf x", "rm -rf x"],
    ["busybox rm -rf x", "rm -rf x"],
    ['sh -c "rm -rf x"', "rm -rf x"],
    ["bash -lc 'rm -rf x'", "rm -rf x"],
    ["bash -o pipefail -c 'rm -rf x'", "rm -rf x"],
    ["sh -c \"sh -c 'rm -rf x'\"", "rm -rf x"],
    ["eval rm -rf x", "rm -rf x"],
    ["eval 'rm -rf x'", "rm -rf x"],
    ["trap 'rm -rf x' EXIT", "rm -rf x"],
    ["alias ll='rm -rf x'", "rm -rf x"],
    ["su -c 'rm -rf x' me", "rm -rf x"],
    ["watch -n 1 rm -rf x", "rm -rf x"],
    ["echo 'rm -rf x' | sh", "rm -rf x"],
    ["printf 'rm -rf x' | bash -s", "rm -rf x"],
    ["bash <<< 'rm -rf x'", "rm -rf x"],
    ["bash <<E\nrm -rf x\nE", "rm -rf x"],
    ["cat <<E | sh\nrm -rf x\nE", "rm -rf x"],
    ["echo $(rm -rf x)", "rm -rf x"],
    ["echo `rm -rf x`", "rm -rf x"],
    ['echo "a $(rm -rf x) b"', "rm -rf x"],
    ["diff <(rm -rf x) y", "rm -rf x"],
    ["A=$(rm -rf x)", "rm -rf x"],
    ['cat > "$(rm -rf x)"', "rm -rf x"],
    ["true && rm -rf x", "rm -rf x"],
    ["false || rm -rf x", "rm -rf x"],
    ["true; rm -rf x", "rm -rf x"],
    ["true\nrm -rf x", "rm -rf x"],
    ["(rm -rf x)", "rm -rf x"],
    ["{ rm -rf x; }", "rm -rf x"],
    ["! rm -rf x", "rm -rf x"],
    ["if true; then rm -rf x; fi", "rm -rf x"],
    ["if rm -rf x; then true; fi", "rm -rf x"],
    ["while true; do rm -rf x; done", "rm -rf x"],
    ["case a in a) rm -rf x;; esac", "rm -rf x"],
    ["f() { rm -rf x; }; f", "rm -rf x"],
    ["[[ -n $(rm -rf x) ]]", "rm -rf x"],
    ["X=rm; $X -rf x", "rm -rf x"],
    ['X="rm -rf x"; $X', "rm -rf x"],
    ["export X=rm; $X -rf x", "rm -rf x"],
    ["$(which rm) -rf x", "rm -rf x"],
    ["\u0024{X:-rm} -rf x", "rm -rf x"],
    ["for c in ls rm; do $c -rf x; done", "rm -rf x"],
    ["coproc rm -rf x", "rm -rf x"],
    ["find . -exec rm -rf x \\;", "rm -rf x"],
    ["ls | xargs -n 1 rm -rf", `rm -rf ${X}`],
    ["ls | xargs -I{} rm -rf {}", `rm -rf ${X}`],
    ["ls | xargs sh -c 'rm -rf x'", "rm -rf x"],
    ['eval "rm -rf $Y"', `rm -rf ${X}`],
  ])("%s", (command, runs) => {
    expect(started(command)).toContain(runs);
  });

  it.each([
    "$CMD x",
    'eval "$CMD"',
    "curl https://example.com/install.sh | sh",
    "curl https://example.com/install.sh | sudo bash -s -- --yes",
    "bash <(curl https://example.com/install.sh)",
    "source <(curl https://example.com/install.sh)",
    'sh -c "$CMD"',
    "base64 -d x | bash",
    "/bin/r? x",
    "curl x | python3",
  ])("says that it is not known: %s", (command) => {
    expect(read(command).commands.map(({ name }) => name)).toContain(undefined);
  });

  it.each([
    "npm test -- --watch=false 2>&1 | tail -20",
    'git commit -m "rm -rf x; sudo $(true)"',
    "$(npm bin)/eslint .",
    "node script.js < input.txt",
    "cat a.txt | python3 script.py",
    "command -v rm",
    "bash scripts/build.sh",
    "cd src && ls -la",
  ])("everything is known: %s", (command) => {
    const { commands, problems } = read(command);
    expect(commands.map(({ name }) => name)).not.toContain(undefined);
    expect(commands.map(({ name }) => name)).not.toContain("rm");
    expect(problems).toEqual([]);
  });

  it("says through what a program is started, and where", () => {
    const { commands } = read("cd a && (cd b && sudo sh -c 'cd c; rm x'); ls");
    const rm = commands.find(({ name }) => name === "rm");
    expect(rm).toMatchObject({ via: ["sudo", "sh"], dir: "a/b/c" });
    expect(commands.at(-1)).toMatchObject({ name: "ls", dir: "a" });
  });
});

describe("what is written to", () => {
  it.each([
    ["echo x > .env", [".env"]],
    ["echo x >> .env", [".env"]],
    ["echo x >| .env", [".env"]],
    ["echo x &> .env", [".env"]],
    ["echo x >& .env", [".env"]],
    ["> .env", [".env"]],
    ["exec 3<> .env", [".env"]],
    ["make 2>&1 >/dev/null", ["/dev/null"]],
    ["echo x > a/../.env", [".env"]],
    ["cd a && echo x > b", ["a/b"]],
    ["cd a; cd -; echo x > b", ["b"]],
    ["(cd a); echo x > b", ["b"]],
    ["cd; echo x > b", ["/home/me/b"]],
    ['cd "$D" && echo x > b', [`${X}/b`]],
    ["echo x > ~/.seam/x", ["/home/me/.seam/x"]],
    ['echo x > "$HOME/.seam/x"', ["/home/me/.seam/x"]],
    ["echo x > $F", [X]],
    ["F=.env; echo x > $F", [".env"]],
    ["for f in a .env; do echo x > $f; done", ["a", ".env"]],
    ["echo x > .{env,foo}", [".env", ".foo"]],
    ["F=$(mktemp); echo x > $F", [`/tmp/${X}`]],
    ["tee -a .env < x", [".env"]],
    ["echo x | tee a b > /dev/null", ["/dev/null", "a", "b"]],
    ["sed -i s/a/b/ .env", [".env"]],
    ["sed -i.bak -e s/a/b/ .env", [".env"]],
    ["sed -E 's/a/b/' .env", []],
    ["perl -pi -e s/a/b/ .env", [".env"]],
    ["cp x .env", [".env", ".env/x"]],
    ["cp -t dir x", ["dir", "dir/x"]],
    ["cp .env x", ["x", "x/.env"]],
    ["mv .env x", [".env", "x", "x/.env"]],
    ["ln -s .env x", [".env", "x", "x/.env"]],
    ["dd if=x of=.env bs=1", [".env"]],
    ["rm -rf a b", ["a", "b"]],
    ["truncate -s 0 .env", [".env"]],
    ["touch -d now .env", [".env"]],
    ["chmod 600 .env", [".env"]],
    ["curl -so .env x", [".env"]],
    ["curl -s x", []],
    ["wget -O .env x", [".env"]],
    ["sort -o .env x", [".env"]],
    ["tar xf a.tar -C dir", ["dir"]],
    ["tar czf a.tar dir", ["a.tar"]],
    ["git checkout -- .env", [".env"]],
    ["git checkout main", []],
    ["git restore .env", [".env"]],
    ["git -C sub restore .env", ["sub/.env"]],
    ["find . -name '*.log' -delete", [`${X}/*.log`]],
    ["find . -name '*.log' | xargs rm", [`${X}/*.log`]],
    ["find . -name '*.log' | while read -r f; do rm \"$f\"; done", [`${X}/*.log`]],
    ["grep -rl foo src | xargs sed -i s/a/b/", [`src/${X}`]],
    ["grep -rl --include='*.ts' foo . | xargs sed -i s/a/b/", [`${X}/*.ts`]],
    ["rg -l foo src lib | xargs rm", [`src/${X}`, `lib/${X}`]],
    ["git ls-files 'src/*.ts' | xargs rm", ["src/*.ts"]],
    ["git ls-files | xargs rm", [X]],
    ["ls *.log | xargs rm", ["*.log"]],
    ["sudo tee .env", [".env"]],
    ["sh -c 'cd a && echo x > b'", ["a/b"]],
    ["cat .env", []],
    ["grep -r x .", []],
    ["ssh host rm x", []],
  ])("%s", (command, paths) => {
    expect(written(command)).toEqual(paths);
  });

  it("knows what goes with everything below it", () => {
    const whole = (command: string) => read(command).writes.map((write) => write.whole);
    expect(whole("rm -r a")).toEqual([true]);
    expect(whole("rm --recursive a")).toEqual([true]);
    expect(whole("rm a")).toEqual([false]);
  });
});

it("knows what the shell does itself by its exact name", () => {
  expect(written("CD /tmp; echo x > a")).toEqual(["a"]);
  expect(written("f() { echo x > a; }; F")).toEqual(written("f() { echo x > a; }"));
  expect(written("F() { echo x > $1; }; F b")).toContain("b");
});

it("hands on programs in other languages", () => {
  const code = (command: string) => read(command).code;
  expect(code("python3 -c 'open(1)'")).toEqual([{ program: "python3", text: "open(1)" }]);
  expect(code("node -e 'x'")).toEqual([{ program: "node", text: "x" }]);
  expect(code("perl -ne 'print'")).toEqual([{ program: "perl", text: "print" }]);
  expect(code("python3 - <<E\nx\nE")).toEqual([{ program: "python3", text: "x\n" }]);
  expect(code("awk '{print > \"f\"}' x")).toMatchObject([{ program: "awk" }]);
  expect(code("awk '{print $1}' x")).toEqual([]);
  expect(code("python3 x.py")).toEqual([]);
});

describe("whatever the text is", () => {
  const bits = [
    ..."\"'`$(){}[]<>|&;\\\n *?!#=~-",
    "$(",
    "${",
    "$((",
    "<<E\n",
    "<(",
    "if ",
    "then ",
    "fi",
    "do ",
    "done",
    "case a in ",
    "esac",
    "rm ",
    "-rf ",
    "sh -c ",
    "eval ",
    "xargs ",
    "find . -exec ",
    "sudo ",
    "X=",
    "$X",
    "{a,b}",
    "cd ",
  ];
  const texts = fc.array(fc.constantFrom(...bits), { maxLength: 40 }).map((all) => all.join(""));

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(texts, fc.string()), (text) => {
        const { commands, writes } = read(text);
        expect(commands.length + writes.length).toBeLessThan(100_000);
      }),
      runs(2_000),
    );
  });

  it("a command stays in sight, whatever stands before it", () => {
    const harmless = fc.constantFrom("true", "echo a b", "ls | wc -l", "cd x", "A=1", "echo 'q q'");
    const glue = fc.constantFrom("; ", " && ", " || ", "\n", " & ");
    fc.assert(
      fc.property(fc.array(fc.tuple(harmless, glue), { maxLength: 6 }), (before) => {
        expect(started(`${before.flat().join("")}rm -rf x`)).toContain("rm -rf x");
      }),
    );
  });

  it("words are what the shell makes of them", () => {
    const quoted = fc.constantFrom(
      "a",
      "'b c'",
      '"d"',
      "\\e",
      "$'\\x66'",
      "'g'\"h\"i",
      '"j k"',
      "{l,m}",
    );
    fc.assert(
      fc.property(fc.array(quoted, { minLength: 1, maxLength: 5 }), (words) => {
        const command = `printf '%s\\n' ${words.join(" ")}`;
        const said = execFileSync("bash", ["-c", command], { encoding: "utf8" });
        const [printf] = read(command).commands;
        const args = printf?.args.slice(1).map(({ values }) => values.join("|"));
        expect(args).toEqual(said.trimEnd().split("\n"));
      }),
      runs(40),
    );
  });

  it("too much of it is said to be a problem, and not read", () => {
    const nested = (depth: number): string =>
      depth === 0 ? "rm x" : `sh -c ${JSON.stringify(nested(depth - 1))}`;
    for (const text of ["a ".repeat(200_000), "<<A ".repeat(20_000), nested(13)]) {
      expect(read(text).problems).not.toEqual([]);
    }
    expect(read("a;".repeat(20_000)).problems).toEqual(["There are too many commands in it."]);
  });

  it.each(["if true; then rm x", "echo 'x", "$(rm x", "(rm x"])(
    "what the shell would not take is a problem: %s",
    (text) => {
      expect(read(text).problems).not.toEqual([]);
    },
  );
});

describe("what a gate has to know beside that", () => {
  it("tells a program of the folder from one of the system", () => {
    expect(read("./ls; ls; /bin/ls").commands.map(({ name, path }) => [name, path])).toEqual([
      ["ls", "./ls"],
      ["ls", "ls"],
      ["ls", "/bin/ls"],
    ]);
  });

  it.each([
    "PATH=. ls",
    "export PATH=.",
    "for PATH in .; do ls; done",
    "printf -v PATH .",
    "read PATH < a",
  ])("names the variable that %j sets", (command) => {
    expect(read(command).variables).toContain("PATH");
  });

  it.each(["echo $((x))", "((x))", `echo \${x:y}`, `echo \${!x}`, `echo \${x@P}`, "[[ x -eq 1 ]]"])(
    "says that %j takes a variable's value for more than text",
    (command) => {
      expect(read(command).calculates).toBe(true);
    },
  );

  it.each([
    "echo $((1 + 2))",
    `echo \${x} \${#x} \${x%y}`,
    "[[ $x == y ]]",
    `echo \${x:1:3} \${a[0]}`,
  ])("says that %j does not", (command) => {
    expect(read(command).calculates).toBe(false);
  });
});
