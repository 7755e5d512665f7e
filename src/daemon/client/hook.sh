#!/bin/sh
# agentseam: what a coding agent runs for a hook. Usage: hook <agent> <hook>, the payload on stdin;
# or hook --start, which only starts the daemon.
# The payload goes to the spool, the daemon is rung, its answer is printed. If Seam itself fails,
# nothing is printed and the exit code is 0, unless an extension must not be missing: then what the
# daemon prepared is printed. Where there is a compiler, a program that does the same takes its place.
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
[ ${#agent} -le 100 ] && [ ${#hook} -le 100 ] || exit 0
folder=$PWD
cwd=$folder
case $cwd in *[[:cntrl:]]*) cwd= ;; esac
[ -t 0 ] && exec </dev/null
# A limit on the size of files is a failed write, not the end.
trap '' 25
# The programs below are the system's, whatever the agent's PATH is.
path=$PATH
PATH=/usr/bin:/bin:/usr/local/bin:$PATH
# Seam's own files are for the user alone; the daemon writes into repositories as the user would.
mask=$(umask)
umask 077
set -C
# Its own folder as seen from that of the daemon: the client has a spare in another one.
own=${0%/*}
cd "$own/.." 2>/dev/null || exit 0
own=../${own##*/}
[ -d run/spool ] || mkdir -p run/spool 2>/dev/null
cd run 2>/dev/null || exit 0
# A person waits for a commit; nobody is asked anything meanwhile.
limit=
[ "$agent" = git ] && limit=2
why=no-daemon

# What the user should hear of is left for the daemon and for "seam doctor".
note() {
  [ -n "$(find missed -size +64k 2>/dev/null)" ] && return
  { printf '%s %s %s %s\n' "$(date +%s)" "$agent" "$hook" "$1" >>missed; } 2>/dev/null
}

# Not so only if it takes calls and says nothing: then it is stuck.
alive() {
  curl -q -K curl "-m$silence" --data-binary '' http://seam/v1/ring/none >/dev/null 2>&1
  [ $? -ne 28 ]
}

# Sets reply, and code to curl's. A ring that takes long is repeated: the daemon knows it again.
curl_ring() {
  silence=10
  while read -r a b c d; do
    [ "$a $b $c" = '# silence =' ] && silence=$d
  done 2>/dev/null <curl
  tries=0
  while [ $tries -lt 59 ]; do
    tries=$((tries + 1))
    m=${limit:-$silence}
    [ -n "$2" ] && m=590
    reply=$(curl -q -K curl "-m$m" -H "x-seam-cwd: $cwd" --data-binary "$2" "http://seam$1" 2>/dev/null)
    code=$?
    # 28: it took too long.
    [ $code -eq 28 ] && [ -z "$limit$2" ] || return
    why=hangs
    alive || return
  done
}

# What perl or Node ended with: from 100 on it is the answer's code. Returns 1 if nobody is there,
# and 2 if they could not even run.
settle() {
  case $1 in
    199) why=no-daemon && return 1 ;;
    198) why=no-answer && return 0 ;;
    196) why=hangs && return 0 ;;
    10[0-9] | 11[0-9]) exit $(($1 - 100)) ;;
  esac
  return 2
}

# Agents take no answer for a yes, and code 2 for a no. What the hooks of git cannot say stops no commit.
say() {
  [ -z "$1" ] || printf %s "$1" 2>/dev/null || [ "$agent" = git ]
}

# Rings for $1: prints the answer and ends with its code. Returns 1 if nobody is there.
ring() {
  if [ -x "$perl" ] && [ -r "$own/ring.pl" ]; then
    PERL5OPT='' PERL_UNICODE=0 PERL_BADLANG=0 "$perl" "$own/ring.pl" "$1" "$cwd" 100
    settle $?
    code=$?
    [ $code -lt 2 ] && return $code
  fi
  # curl reads all of stdin before it looks whether anyone is there: then it would be lost.
  if { [ -z "$2" ] || ! [ -x "$node" ]; } && command -v curl >/dev/null; then
    curl_ring "$1" "$2"
    if [ $code -lt 126 ]; then
      why=hangs
      [ $code -eq 28 ] && return 0
      why=no-daemon
      [ $code -eq 0 ] || return 1
      why=no-answer
      head=${reply%%"$cr$nl$cr$nl"*}
      case $head in "HTTP/1."?" 200 "*"x-seam-exit: "*) ;; *) return 0 ;; esac
      code=${head##*x-seam-exit: }
      code=${code%%"$cr"*}
      case $code in [0-9] | [0-9][0-9]) ;; *) return 0 ;; esac
      reply=${reply#*"$cr$nl$cr$nl"}
      say "${reply%.}" || code=2
      case $head in *"x-seam-stderr: "*)
        head=${head##*x-seam-stderr: }
        printf %b "${head%%"$cr"*}" >&2
        ;;
      esac
      exit "$code"
    fi
  fi
  why=no-answer
  [ -x "$node" ] && [ -r "$own/hook.cjs" ] || return 0
  NODE_OPTIONS='' NODE_EXTRA_CA_CERTS='' "$node" "$own/hook.cjs" "$1" "$cwd" 100 "$fill"
  code=$?
  fill=
  settle $code
  [ $? -ne 1 ]
}

# Without setsid a second Node starts the daemon, away from the agent's processes.
launch() {
  (
    # What would make Node load something before Seam's own code runs.
    unset NODE_OPTIONS NODE_PATH VSCODE_INSPECTOR_OPTIONS OPENSSL_CONF OPENSSL_MODULES \
      OPENSSL_ENGINES LD_PRELOAD LD_AUDIT LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES \
      DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH
    SEAM_HOME=${PWD%/run}
    export SEAM_HOME
    umask "$mask"
    setsid=$(command -v setsid 2>/dev/null)
    [ -n "$path" ] && PATH=$path
    [ -n "$setsid" ] && exec "$setsid" "$node" "$seam" daemon serve
    exec "$node" "$seam" daemon start
  ) </dev/null >>daemon.log 2>&1 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- &
}

# Whether an extension may stop what the agent is about to do. Before the first daemon nobody knows.
gate() {
  [ "$agent" != git ] && { [ -e "unavailable/$agent.$hook" ] || ! [ -e unavailable/removed ]; }
}

# One of all who wait starts the daemon. A gate waits as long as that start is alive, for a minute at
# most; what nobody has to decide on is in the spool, and waits for ten seconds.
start() {
  [ -w . ] && [ -x "$node" ] || return
  # One that is of tomorrow is from before somebody set the clock back.
  [ -n "$(find failed -mmin -1 ! -mmin -0 2>/dev/null)" ] && return
  tries=0
  again=2
  child=
  began=$(date +%s)
  while [ $tries -lt 600 ]; do
    waited=$(($(date +%s) - began))
    if ln -s $$ starting 2>/dev/null; then
      launch
      child=$!
      # From here on the link names the daemon: everybody who waits sees whether it still lives.
      ln -s "$child" "starting.$$" 2>/dev/null && mv -f "starting.$$" starting 2>/dev/null
    elif [ $tries -gt 0 ]; then
      who=$(readlink starting 2>/dev/null)
      if [ -n "$who" ] && ! kill -0 "$who" 2>/dev/null; then
        # It was killed before it was up. Not for the third time: then it cannot run.
        if [ "$who" = "$child" ]; then
          [ $again -gt 0 ] || break
          again=$((again - 1))
        fi
        rm -f starting
      # Whether it is old, not whether it is young: a daemon that is up has taken it away.
      elif [ -n "$who" ] && [ -n "$(find starting -mmin +1 2>/dev/null)" ]; then
        rm -f starting
        # If the link was that old when this client came, nobody has tried of late.
        [ $tries -gt 1 ] && break
      elif [ $waited -ge 10 ] && [ -n "$who" ]; then
        gate || return
      fi
      [ $waited -ge 10 ] && [ -z "$who" ] && break
      [ $waited -ge 60 ] && break
    fi
    # In steps of a second where there are only whole ones.
    sleep 0.1 2>/dev/null || sleep 1 2>/dev/null || return
    [ -S daemon.sock ] && "$@" && return
    tries=$((tries + 1))
  done
  # Not with ":", which would end the script where the file cannot be made.
  { printf '' >|failed; } 2>/dev/null
  [ -n "$child" ] && [ "$(readlink starting 2>/dev/null)" = "$child" ] && rm -f starting
}

# Whether gates close in this folder while there is no daemon. They do where that cannot be read.
closed() {
  [ -e block ] || [ -L block ] || return 1
  [ -f block ] && [ -r block ] || return 0
  real=$(cd "$folder" 2>/dev/null && pwd -P)
  while IFS= read -r root; do
    # Not in the pattern itself: bash gets an empty one wrong.
    root=${root%/}
    case "$nl$folder/$nl$real/" in *"$nl$root/"*) return 0 ;; esac
  done <block
  return 1
}

show() {
  while IFS= read -r line; do printf '%s\n' "$line" 2>/dev/null || return; done
  [ -z "$line" ] || printf %s "$line" 2>/dev/null
}

# Prints an answer that the daemon prepared and ends with its code, if there is one.
prepared() {
  answer=unavailable/$agent.$hook$1
  [ -f "$answer" ] || return
  [ -f "$answer.err" ] && show <"$answer.err" >&2
  {
    read -r code
    show || [ "$agent" = git ] || code=2
  } <"$answer"
  exit "$code"
}

# What waits for a daemon that does not come must not fill the disk.
full() {
  set -- spool/*
  [ $# -gt 1000 ] && return 0
  kilobytes=$(du -sk spool 2>/dev/null)
  kilobytes=${kilobytes%%[!0-9]*}
  [ "${kilobytes:-0}" -gt 204800 ]
}

# There is no answer: gates are open, unless an extension of this project must not be missing.
gone() {
  if [ -n "$file" ] && full; then
    rm -f "spool/$file"
    note not-kept
  fi
  if closed; then
    note "$why closed"
    prepared ''
  else
    note "$why open"
  fi
  exit 0
}

# True once a day.
new() {
  [ -z "$(find "$1" -mtime -1 ! -mmin -0 2>/dev/null)" ] && { printf '' >|"$1"; } 2>/dev/null
}

# Seam was removed and its hooks were not: nothing is kept, and the user is told, but not each time.
removed() {
  [ -n "$file" ] && rm -f "spool/$file"
  closed && prepared .removed
  if [ -f "unavailable/$agent.$hook.message" ]; then
    new removed-shown && prepared .message
  elif [ "$agent" != git ] && [ -f unavailable/removed ] && new removed-said; then
    show <unavailable/removed >&2
  fi
  exit 0
}

# For plugins that ring themselves.
if [ "$agent" = --start ]; then
  # Nobody reads its answer.
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
    why=not-kept
    cat >>"spool/$file" 2>/dev/null || gone
    why=no-daemon
  else
    fill=spool/$file
  fi
  set -- ring "/v1/ring/$file" ''
else
  set -- ring "/v1/hook?agent=$agent&hook=$hook&pid=$PPID" @-
fi
"$@" && gone
[ -e "$node" ] && [ -e "$seam" ] || removed
start "$@"
gone
