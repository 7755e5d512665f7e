import { expect, it } from "vitest";
import { setUp } from "./test-kit.ts";

/** A command a line. ‵ stands for a backtick, and ❴ for the brace behind a dollar. */
const COMMANDS = String.raw`
cat ~/.seam/settings.json
bat ~/.seam/settings.json
less .seam/settings.json
jq .hooks .claude/settings.local.json
jq -r '.hooks | keys' ~/.claude/settings.json
ls -la ~/.seam ~/.seam/bin
cd ~/.seam && ls -la
cd ~/.seam && cat settings.json | head
cd .seam/extensions && ls && cat gate.ts
grep -rn critical .seam/extensions
rg --hidden seam .claude
find ~/.seam -name '*.ts' | head
find .git/hooks -type f | xargs ls -l
tree .seam
stat .git/config
file ~/.seam/bin/hook
sha256sum ~/.seam/bin/hook
diff .seam/settings.json ~/.seam/settings.json
wc -l .seam/extensions/*.ts
head -20 .git/hooks/pre-commit
shellcheck .git/hooks/pre-commit
npx eslint .seam/extensions
eslint .
eslint --fix src
npx prettier --check .seam/extensions/gate.ts
prettier --write src
npx vitest run .seam/extensions/gate.test.ts
npx tsc --noEmit -p .
npm test
npm run build && npm test -- --run src
node scripts/build.mjs --out dist
make -j8
make -C sub all
cargo build --release --target-dir target
docker run --rm -v $PWD:/app -w /app node:20 npm test
docker compose up -d
docker build -t x .
go build ./...
go test ./...
python3 -m pytest tests
python3 scripts/x.py --config config.json
pip install -r requirements.txt
git status && git diff .seam
git -C . status
git -C sub commit -m 'x'
git -C ~/.seam log --oneline
git add .seam/settings.json && git commit -m 'Add settings'
git log -p -- .seam
git show HEAD:.seam/settings.json
git diff HEAD -- .claude/settings.json
git commit -m 'run rm -rf ~/.seam to reset'
git -c user.name=x -c user.email=y commit -m z
git -c core.pager=cat log
git rebase -i HEAD~2
git rebase --exec 'npm test' HEAD~3
git bisect run npm test
git submodule foreach 'git pull'
GIT_EDITOR=true git rebase --continue
EDITOR=vim git commit
gh pr create --title x --body 'This changes ‵.seam/settings.json‵ and "~/.seam"'
gh pr view 3 --json title
gh issue comment 3 --body 'rm -rf ~/.seam helps'
echo 'rm -rf ~/.seam'
echo "see ~/.seam/settings.json" >> notes.md
printf '%s\n' '.seam/' >> .gitignore
sed -n 1,5p .seam/settings.json
awk '{print $1}' .seam/settings.json
cp .seam/settings.json /tmp/x.json
cp -r .seam/extensions /tmp/backup
tar czf backup.tgz .seam
tar xf x.tar -C vendor
tar xf x.tar
zip -r x.zip .seam
scp .seam/settings.json host:/tmp
killall node
pkill -f vite
pkill node
kill 1234
kill -9 1234 5678
kill %1
kill $(lsof -ti :3000)
lsof -ti :3000 | xargs kill -9
fuser -k 3000/tcp
kill $(pgrep -f webpack)
kill $(cat server.pid)
systemctl --user status x
systemctl restart nginx
seam status
seam doctor
seam log --json
seam show HEAD
seam ext check .seam/extensions/gate.ts
seam ext new my-gate
seam enable --agent claude-code
npx agentseam status
curl http://localhost:3000/api
wget -q x
unzip x.zip -d vendor
openssl req -x509 -newkey rsa:2048 -keyout key.pem -out cert.pem
sqlite3 app.db 'select 1'
psql -c 'select 1'
ffmpeg -i a.mp4 b.mp3
tmux new -d 'npm run dev'
tmux send-keys 'npm test' Enter
screen -dm npm run dev
hyperfine 'npm test'
npx concurrently 'npm:dev' 'npm:watch'
nodemon --exec 'npm test'
find . -name '*.log' -delete
find . -name '*.ts' -exec grep -l x {} +
xargs -a files.txt rm
ssh host 'rm -rf ~/.seam'
ssh host ls
source .venv/bin/activate && python x.py
. ~/.nvm/nvm.sh && nvm use 20
d=$(mktemp -d); cp x $d; rm -rf $d
for f in *.ts; do npx prettier --write "$f"; done
export PATH=$HOME/bin:$PATH; foo
env FOO=bar node x.js
bash scripts/x.sh
./scripts/deploy.sh --dry-run
mkdir -p ~/.config/foo && touch ~/.config/foo/x
echo x > ~/notes.txt
code .
brew install jq
apt-get install -y jq
crontab -l
openssl rand -hex 16
base64 -d x > y
rm -rf node_modules dist .cache
codex exec 'explain .seam/settings.json'
claude -p 'look at "~/.seam/settings.json"'
ps aux | grep node
pgrep -fl node
`
  .replaceAll("‵", "`")
  .replaceAll("❴", "{")
  .trim()
  .split("\n");

it("what agents do all day is not stopped", () => {
  const { judge } = setUp();
  const stopped = COMMANDS.filter((command) => judge("bash", { command }) !== undefined);
  expect(stopped).toEqual([]);
});
