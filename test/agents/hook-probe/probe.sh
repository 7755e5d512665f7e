#!/bin/sh
# Keeps what an agent sends to a hook: sh probe.sh <folder> <event>. Says nothing, so nothing changes.
file="$1/$(date +%s%N)-$$-$2"
cat > "$file.part" && mv "$file.part" "$file.json"
