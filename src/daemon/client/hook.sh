#!/bin/sh
# agentseam: what a coding agent runs for a hook. Usage: hook <agent> <hook>, the payload on stdin;
# or hook --start, which only starts the daemon.
# The payload goes to the spool, the daemon is rung, its answer is printed. If Seam itself fails,
# nothing is printed and the exit code is 0, unless an extension must not be missing.
node=@NODE@
seam=@SEAM@
perl=@PERL@
nl='
'
cr='@CR@'

agent=$1
hook=$2
[ "$agent" = --start ] && hook=none
case $agent in '' | *[!A-Za-z0-9._-]*) exit 0 ;; esac
case $hook in '' | *[!A-Za-z0-9._-]*) exit 0 ;; esac
folder=$PWD
cwd=$folder
case $cwd in *[[:cntrl:]]*) cwd= ;; esac
[ -t 0 ] && exec </dev/null
# Seam's own files are for the user alone; the daemon writes into repositories as the user would.
mask=$(umask)
umask 077
set -C
cd "${0%/*}/.." 2>/dev/null || exit 0
[ -d run/spool ] || mkdir -p run/spool 2>/dev/null
cd run 2>/dev/null || exit 0
# A person waits for a commit; nobody is asked anything meanwhile.
limit=
[ "$agent" = git ] && limit=2

# Rings for $1: prints the answer and ends with its code. Returns 1 if nobody is there.
ring() {
  if [ -x "$perl" ]; then
    PERL5OPT='' PERL_UNICODE=0 PERL_BADLANG=0 "$perl" ../bin/ring.pl "$1" "$cwd"
    code=$?
    [ $code -lt 100 ] && exit $code
    [ $code -eq 199 ] && return 1
    [ $code -eq 198 ] && return 0
  fi
  # curl reads all of stdin before it looks whether anyone is there: then it would be lost.
  code=127
  if { [ -z "$2" ] || ! [ -x "$node" ]; } && command -v curl >/dev/null; then
    reply=$(curl -q -K curl ${limit:+"-m$limit"} -H "x-seam-cwd: $cwd" --data-binary "$2" "http://seam$1" 2>/dev/null)
    code=$?
  fi
  if [ $code -lt 126 ]; then
    # 28: it took too long.
    [ $code -eq 28 ] && return 0
    [ $code -eq 0 ] || return 1
    head=${reply%%"$cr$nl$cr$nl"*}
    case $head in "HTTP/1."?" 200 "*"x-seam-exit: "*) ;; *) return 0 ;; esac
    code=${head##*x-seam-exit: }
    code=${code%%"$cr"*}
    reply=${reply#*"$cr$nl$cr$nl"}
    printf %s "${reply%.}"
    case $head in *"x-seam-stderr: "*)
      head=${head##*x-seam-stderr: }
      printf %b "${head%%"$cr"*}" >&2
      ;;
    esac
    exit "$code"
  fi
  [ -x "$node" ] || return 0
  NODE_OPTIONS='' NODE_EXTRA_CA_CERTS='' "$node" ../bin/hook.cjs "$1" "$cwd" "$fill"
  code=$?
  fill=
  [ $code -lt 100 ] && exit $code
  [ $code -ne 199 ]
}

# Without setsid a second Node starts the daemon, away from the agent's processes.
launch() {
  (
    unset NODE_OPTIONS VSCODE_INSPECTOR_OPTIONS
    SEAM_HOME=${PWD%/run}
    export SEAM_HOME
    umask "$mask"
    if command -v setsid >/dev/null 2>&1; then
      exec setsid "$node" "$seam" daemon serve
    fi
    exec "$node" "$seam" daemon start
  ) </dev/null >>daemon.log 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
}

# One of all who wait starts the daemon.
start() {
  [ -w . ] && [ -x "$node" ] || return
  [ -n "$(find failed -mmin -1 2>/dev/null)" ] && return
  tries=0
  again=2
  while [ $tries -lt 60 ]; do
    if ln -s $$ starting 2>/dev/null; then
      launch
      child=$!
    elif [ $tries -gt 0 ]; then
      who=$(readlink starting 2>/dev/null)
      [ -z "$who" ] || kill -0 "$who" 2>/dev/null || rm -f starting
      # It was killed before it was up.
      if [ "$who" = $$ ] && [ $again -gt 0 ] && ! kill -0 "$child" 2>/dev/null; then
        again=$((again - 1))
        rm -f starting
      fi
    fi
    sleep 0.1 2>/dev/null || sleep 1
    [ -S daemon.sock ] && "$@" && return
    tries=$((tries + 1))
  done
  : >|failed
  [ "$(readlink starting 2>/dev/null)" = $$ ] && rm -f starting
}

# There is no daemon: gates are open, unless an extension of this project must not be missing.
gone() {
  [ -f block ] || exit 0
  answer=unavailable/$agent.$hook
  [ -f "$answer" ] || exit 0
  real=$(cd "$folder" 2>/dev/null && pwd -P)
  while IFS= read -r root; do
    # Not in the pattern itself: bash gets an empty one wrong.
    root=${root%/}
    case "$nl$folder/$nl$real/" in *"$nl$root/"*)
      [ -f "$answer.err" ] && cat "$answer.err" >&2
      {
        read -r code
        cat
      } <"$answer"
      exit "$code"
      ;;
    esac
  done <block
  exit 0
}

# For plugins that ring themselves.
if [ "$agent" = --start ]; then
  set -- ring /v1/ring/none ''
  "$@" || start "$@"
  exit 0
fi

# One blank first: whether there is room shows before anything of the payload is read.
file=$agent~$hook~$PPID~$$~0
n=0
until { printf ' ' >"spool/$file"; } 2>/dev/null; do
  if [ -s "spool/$file" ] && [ $n -lt 9 ]; then
    n=$((n + 1))
    file=$agent~$hook~$PPID~$$~$n
  else
    [ -e "spool/$file" ] && rm -f "spool/$file" 2>/dev/null
    file=
    break
  fi
done

# Where only Node can ring it also takes stdin: one process less.
fill=
if [ -n "$file" ]; then
  if [ -x "$perl" ] || command -v curl >/dev/null; then
    cat >>"spool/$file" 2>/dev/null || gone
  else
    fill=spool/$file
  fi
  set -- ring "/v1/ring/$file" ''
else
  set -- ring "/v1/hook?agent=$agent&hook=$hook&pid=$PPID" @-
fi
"$@" && gone
start "$@"
gone
