import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { setUp } from "./test-kit.ts";

/** A command a line. ‵ stands for a backtick, and ❴ for the brace behind a dollar. */
const COMMANDS = String.raw`
echo 'all:; rm -rf ~/.seam' | make -f -
make -f - <<< 'x:; rm -rf ~/.seam'
make SHELL='rm -rf ~/.seam'
make --eval 'x:; rm -rf ~/.seam' x
openssl rand -out ~/.seam/bin/hook 10
openssl enc -in x -out ~/.seam/settings.json
docker run -v ~/.seam:/x alpine rm -rf /x/bin
docker run -v $HOME:/h alpine rm -rf /h/.seam
docker run --mount type=bind,source=$HOME/.seam,target=/x alpine rm -rf /x/bin
podman run --volume=$HOME/.seam:/x alpine sh
docker cp x:/y ~/.seam/settings.json
pkill -f daemon
pkill -u $USER
kill -9 -1
SEAM disable
/usr/local/bin/Seam trust --yes
npx AgentSeam disable --all
GIT config core.hooksPath /x
Sudo -u me Git config core.hooksPath /x
RM -rf .SEAM
loginctl kill-user root
loginctl terminate-user $USER
yq -i '.a = 1' ~/.seam/settings.json
yq -i 'del(.hooks)' .claude/settings.local.json
npm pkg set x=y --prefix ~/.seam
npm install --prefix ~/.seam evil
npm i -g --prefix ~/.seam evil
pnpm add -C ~/.seam x
yarn --cwd ~/.seam add x
pip install --target ~/.seam/node_modules x
pip install -t ~/.seam x
go build -o ~/.seam/bin/hook x.go
rustc -o ~/.seam/bin/hook x.rs
rustc --out-dir ~/.seam/bin x.rs
cargo build --target-dir ~/.seam
cargo install --root ~/.seam x
tsc --outDir ~/.seam/extensions x.ts
tsc --outFile ~/.seam/extensions/gate.js x.ts
esbuild x.ts --outfile=$HOME/.seam/extensions/gate.js
npx esbuild x.ts --outdir=.seam/extensions
npx prettier --write .seam/extensions/gate.ts
prettier -w .seam/settings.json
npx eslint --fix .seam
biome format --write .seam
biome check --apply .claude/settings.local.json
black .seam/x.py
ruff --fix .seam
gofmt -w .seam/x.go
clang-format -i .seam/x.c
rustfmt .seam/x.rs
npx @biomejs/biome format --write .seam
sd foo bar ~/.seam/settings.json
ffmpeg -i x ~/.seam/bin/hook
convert x.png ~/.seam/bin/hook
xxd -r x ~/.seam/bin/hook
base64 -d x -o ~/.seam/bin/hook
uudecode -o ~/.seam/bin/hook x
objcopy x ~/.seam/bin/hook
strip ~/.seam/bin/hook
strip -o ~/.seam/bin/hook x
ld -o ~/.seam/bin/hook x.o
as -o ~/.seam/bin/hook x.s
ar rc ~/.seam/x.a y.o
patchelf --set-rpath x ~/.seam/bin/hook
socat -u FILE:x CREATE:$HOME/.seam/settings.json
csplit -f ~/.seam/x y 1
logrotate -s ~/.seam/x y
script -c true ~/.seam/bin/hook
script -q ~/.seam/bin/hook true
strace -o ~/.seam/bin/hook true
time -o ~/.seam/bin/hook true
/usr/bin/time -o ~/.seam/bin/hook true
tcpdump -w ~/.seam/x
unsquashfs -d ~/.seam x
bsdtar -C ~/.seam -xf x
tar -xf x.tar --one-top-level=$HOME/.seam
tar xzfC x.tgz ~/.seam
tar --remove-files -cf x.tar ~/.seam
zip -rm x.zip ~/.seam
zip -r -m x.zip .seam
bzip2 ~/.seam/settings.json
xz ~/.seam/settings.json
zstd --rm ~/.seam/settings.json
zstd x -o ~/.seam/bin/hook
lz4 x ~/.seam/bin/hook
unar -o ~/.seam x
unrar x a.rar ~/.seam/
7z a -sdel x.7z ~/.seam
dos2unix .seam/settings.json
iconv -o ~/.seam/settings.json x
rclone copy x ~/.seam
rclone purge ~/.seam
aws s3 cp s3://x ~/.seam/settings.json
aws s3 sync s3://x ~/.seam --delete
gh release download -D ~/.seam
gh repo clone x ~/.seam/y
svn checkout x ~/.seam
hg clone x ~/.seam/y
aria2c -d ~/.seam x
aria2c -o x --dir=$HOME/.seam y
http -o ~/.seam/settings.json x
curl --output-dir ~/.seam -O x
(cd ~/.seam && curl -O http://x/settings.json)
(cd ~/.seam && wget http://x/settings.json)
cd ~/.seam/bin && tar xf /tmp/x.tar
cd ~/.seam && unzip x.zip
cd ~/.seam && git init
vim -c ':w ~/.seam/bin/hook' -c q x
emacsclient -e '(delete-file "~/.seam/bin/hook")'
sqlite3 x.db ".output $HOME/.seam/settings.json" "select 1"
sqlite3 x.db '.shell rm -rf ~/.seam'
sqlite3 x.db "select writefile('$HOME/.seam/settings.json', 'x')"
sqlite3 x.db "vacuum into '$HOME/.seam/x'"
psql -c "copy x to '$HOME/.seam/settings.json'"
psql -o ~/.seam/settings.json -c 'select 1'
psql -c '\! rm -rf ~/.seam'
mysql -e 'system rm -rf ~/.seam'
gdb -batch -ex 'shell rm -rf ~/.seam'
tmux new -d 'rm -rf ~/.seam'
tmux new-session -d "rm -rf ~/.seam"
tmux send-keys 'rm -rf ~/.seam' Enter
tmux run-shell 'rm -rf ~/.seam'
screen -dm rm -rf ~/.seam
screen -dm sh -c 'rm -rf ~/.seam'
crontab <<< '* * * * * rm -rf ~/.seam'
echo '* * * * * rm -rf ~/.seam' | crontab -
dbus-run-session rm -rf ~/.seam
expect -c 'spawn rm -rf ~/.seam'
Rscript -e 'unlink("~/.seam", recursive=TRUE)'
julia -e 'rm(homedir()*"/.seam", recursive=true)'
guile -c '(delete-file "~/.seam/bin/hook")'
elixir -e 'File.rm_rf!("~/.seam")'
swift -e 'x("~/.seam")'
tsx -e 'require("fs").rmSync(".seam",{recursive:true})'
npx tsx -e 'require("fs").rmSync(".seam",{recursive:true})'
ts-node -e 'require("fs").rmSync(".seam",{recursive:true})'
npx ts-node -e 'fs.rmSync(".seam")'
npx rimraf .seam
rimraf ~/.seam
npx del-cli .seam
npx shx rm -rf .seam
shx rm -rf ~/.seam
npx cpx x ~/.seam
npx cross-env A=1 rm -rf ~/.seam
npx -c 'rm -rf ~/.seam'
npm exec -c 'rm -rf ~/.seam'
npm exec -- rimraf ~/.seam
bunx rimraf ~/.seam
pnpm dlx rimraf ~/.seam
pnpm exec rm -rf ~/.seam
yarn exec rm -rf ~/.seam
yarn dlx rimraf .seam
uv run python -c 'import shutil; shutil.rmtree(".seam")'
poetry run python -c 'import shutil; shutil.rmtree(".seam")'
pipenv run rm -rf ~/.seam
conda run rm -rf ~/.seam
bundle exec rm -rf ~/.seam
direnv exec . rm -rf ~/.seam
mise exec -- rm -rf ~/.seam
nix-shell --run 'rm -rf ~/.seam'
nix-shell -p x --run "rm -rf ~/.seam"
nix develop -c rm -rf ~/.seam
git bisect run rm -rf ~/.seam
git rebase -x 'rm -rf ~/.seam' HEAD~1
git rebase --exec 'rm -rf ~/.seam' HEAD~1
git filter-branch --tree-filter 'rm -rf ~/.seam' HEAD
git -c alias.x='!rm -rf ~/.seam' x
git -c core.pager='rm -rf ~/.seam' log
git -c core.sshCommand='rm -rf ~/.seam' fetch
git -c core.editor='rm -rf ~/.seam' commit
GIT_EDITOR='rm -rf ~/.seam' git commit
EDITOR='rm -rf ~/.seam' git commit
GIT_SSH_COMMAND='rm -rf ~/.seam' git fetch
PAGER='rm -rf ~/.seam' git log
git config alias.x '!rm -rf ~/.seam'
git config core.pager 'rm -rf ~/.seam'
git difftool -x 'rm -rf ~/.seam'
git difftool --extcmd='rm -rf ~/.seam'
git grep -O'rm -rf ~/.seam' x
git -C ~/.seam init
git checkout-index -a --prefix=$HOME/.seam/
git bundle create ~/.seam/x HEAD
git --work-tree=$HOME/.seam checkout -f HEAD
GIT_WORK_TREE=~/.seam git checkout -f
GIT_DIR=~/.seam/x git init
git --git-dir=$HOME/.seam/x init
git stash -u -- .seam
claude --settings '{"disableAllHooks":true}' -p hi
claude --setting-sources user -p x
claude -p x --setting-sources ''
codex -c features.hooks=false exec hi
codex --disable hooks exec hi
codex exec --disable hooks hi
claude --bare -p hi
rsync -e 'rm -rf ~/.seam #' a b:
umount ~/.seam
fusermount -u ~/.seam
bwrap --bind x ~/.seam claude
mmv '~/.seam/*' x
exch a ~/.seam
srm ~/.seam/trust.json
wipe ~/.seam
gio trash ~/.seam
gio remove ~/.seam/bin/hook
gvfs-rm ~/.seam/bin/hook
trash-put ~/.seam
rmtrash ~/.seam
python3 -m json.tool x ~/.seam/settings.json
python3 -m zipfile -e x.zip ~/.seam
python3 -m tarfile -e x.tar ~/.seam
python3 -m compileall ~/.seam
node --eval="require('fs').rmSync('.seam',{recursive:true})"
node -e"require('fs').rmSync('.seam',{recursive:true})"
python3 -c"import shutil;shutil.rmtree('.seam')"
perl -e'unlink ".seam/settings.json"'
csh -c 'rm -rf ~/.seam'
tcsh -c 'rm -rf ~/.seam'
nu -c 'rm -rf ~/.seam'
xonsh -c 'rm -rf ~/.seam'
elvish -c 'rm -rf ~/.seam'
rc -c 'rm -rf ~/.seam'
yash -c 'rm -rf ~/.seam'
ENV='$(rm -rf ~/.seam)' sh -i
PROMPT_COMMAND='rm -rf ~/.seam' bash -i
bash -c '"$@"' x rm -rf ~/.seam
flock x -c 'rm -rf ~/.seam'
flock -n x -c 'rm -rf ~/.seam'
flock -c 'rm -rf ~/.seam' x
setpriv --reuid=0 rm -rf ~/.seam
capsh -- -c 'rm -rf ~/.seam'
runuser -u x -- rm -rf ~/.seam
sudo -s 'rm -rf ~/.seam'
numactl -N 0 rm -rf ~/.seam
cgexec -g x rm -rf ~/.seam
prlimit --nofile=10 rm -rf ~/.seam
choom -n 5 -- rm -rf ~/.seam
setarch x86_64 rm -rf ~/.seam
linux64 rm -rf ~/.seam
firejail rm -rf ~/.seam
bwrap --bind / / rm -rf ~/.seam
proot -r / rm -rf ~/.seam
valgrind rm -rf ~/.seam
perf stat rm -rf ~/.seam
perf stat -e x rm -rf ~/.seam
hyperfine 'rm -rf ~/.seam'
entr rm -rf ~/.seam
ls | entr -s 'rm -rf ~/.seam'
watchexec rm -rf ~/.seam
watchexec -- rm -rf ~/.seam
nodemon --exec 'rm -rf ~/.seam'
npx nodemon -x 'rm -rf ~/.seam'
npx concurrently 'rm -rf ~/.seam'
retry rm -rf ~/.seam
dbus-launch rm -rf ~/.seam
xvfb-run rm -rf ~/.seam
ssh-agent rm -rf ~/.seam
gpg-agent --daemon rm -rf ~/.seam
start-stop-daemon --start --exec /bin/rm -- -rf ~/.seam
daemonize /bin/rm -rf ~/.seam
catchsegv rm -rf ~/.seam
eatmydata rm -rf ~/.seam
faketime x rm -rf ~/.seam
torsocks rm -rf ~/.seam
proxychains rm -rf ~/.seam
ld.so /bin/rm -rf ~/.seam
/lib64/ld-linux-x86-64.so.2 /bin/rm -rf ~/.seam
xargs -I{} sh -c 'rm -rf ~/{}' <<< .seam
echo .seam | xargs -I{} rm -rf ~/{}
echo .seam | xargs -i rm -rf ~/{}
parallel <<< 'rm -rf ~/.seam'
find ~/.seam -fprint ~/.seam/settings.json
find . -fprintf ~/.seam/x y
d=$(dirname ~/.seam/x); rm -rf $d
d=$(realpath ~/.seam); rm -rf "$d"
d=$(readlink -f ~/.seam); rm -rf "$d"
d=$(cd ~/.seam && pwd); rm -rf "$d"
rm -rf $(printf '%s/.seam' ~)
rm -rf $(printf '%s/%s' ~ .seam)
a=(rm -rf ~/.seam); "$❴a[@]}"
a=(rm -rf ~/.seam); $❴a[*]}
: $❴d:=~/.seam}; rm -rf $d
: "$❴d:=$HOME/.seam}"; rm -rf "$d"
echo 'rm -rf ~/.seam' | tee x | sh
cat <(echo 'rm -rf ~/.seam') | sh
bash <(echo 'rm -rf ~/.seam')
source <(echo 'rm -rf ~/.seam')
. <(echo 'rm -rf ~/.seam')
printf '\x72m -rf ~/.seam' | sh
printf 'rm -rf %s' ~/.seam | sh
echo -e 'rm\x20-rf ~/.seam' | sh
complete -C 'rm -rf ~/.seam' x
hash -p /bin/rm x; x -rf ~/.seam
fallocate -l 10 ~/.seam/bin/hook
fallocate -p -l 10 ~/.seam/bin/hook
mktemp -p ~/.seam
mktemp ~/.seam/XXXX
mktemp --tmpdir=$HOME/.seam
xattr -w x y ~/.seam
setfattr -n user.x -v y ~/.seam/bin/hook
cpulimit -l 1 rm -rf ~/.seam
chflags uchg ~/.seam
ditto x ~/.seam
plutil -convert xml1 ~/.seam/x
defaults write ~/.seam/x y z
dpkg -x x.deb ~/.seam
uutils rm -rf ~/.seam
coreutils --coreutils-prog=rm -rf ~/.seam
grm -rf ~/.seam
gcp x ~/.seam/settings.json
gmv ~/.seam x
gtee ~/.seam/settings.json
gln -sf x ~/.seam
killall -u root
cat ~/.seam/run/*
cat ~/.seam/run/tok*
cd ~/.seam/run; cat token
grep -r . ~/.seam/run
cp -r ~/.seam/run x
T=$(< ~/.seam/run/token)
cat < ~/.seam/run/token
cd ~/.seam/run && curl -K curl --unix-socket daemon.sock x
`
  .replaceAll("‵", "`")
  .replaceAll("❴", "{")
  .trim()
  .split("\n");

it("no program is a way round the protection of Seam's places", () => {
  const { judge } = setUp();
  const past = COMMANDS.filter((command) => judge("bash", { command }) === undefined);
  expect(past).toEqual([]);
});

const WRITES = "echo x > ~/.seam/settings.json";
/** More in each other than anybody writes, and than a reader gets to the bottom of. */
const DEEP: Readonly<Record<string, string>> = {
  "$(": `echo ${"$(".repeat(60)}${WRITES}${")".repeat(60)}`,
  '"$(': `echo ${'"$('.repeat(60)}${WRITES}${')"'.repeat(60)}`,
  "${": `echo ${"${a:-".repeat(60)}x${"}".repeat(60)}; ${WRITES}`,
  "{": `${"{ ".repeat(5_000)}${WRITES}${"; }".repeat(5_000)}`,
  "(": `${"(".repeat(5_000)}${WRITES}${")".repeat(5_000)}`,
  if: `${"if true; then ".repeat(3_000)}${WRITES}${"; fi".repeat(3_000)}`,
  "a variable of itself": `a=xxxxxxxxxx; ${"a=$a$a; ".repeat(60)}echo > $a; ${WRITES}`,
  "more text than is read": `echo ${"x".repeat(300_000)}; ${WRITES}`,
};

// Looked at again for everything around it, such a command takes hours, and the test would be ended.
it.each(Object.keys(DEEP))("a command is no way past by its depth: %s", (name) => {
  const { judge } = setUp();
  expect(judge("bash", { command: DEEP[name] })).toMatch(/Seam/);
});

it("what cannot be read and names nothing of Seam's is nobody's business here", () => {
  const { judge } = setUp();
  expect(
    judge("bash", { command: `${"{ ".repeat(5_000)}ls${"; }".repeat(5_000)}` }),
  ).toBeUndefined();
});

it("links that lead to each other are no way past", () => {
  const { judge, project } = setUp();
  symlinkSync("loop", join(project, "loop"));
  for (const command of [`echo > loop/x; ${WRITES}`, `${WRITES}; rm -r loop`]) {
    expect(judge("bash", { command })).toMatch(/settings/);
  }
  expect(judge("write", { path: "loop/x" })).toBeUndefined();
});
