#!/bin/sh
# Stands where a client looks for the program: notes what the client says to it and what it answers, and hands both on.
note="@NOTES@/$(date +%s)-$$"
printf '%s\n' "$*" > "$note.words"
cat > "$note.heard"
"@PRODUCT@" "$@" < "$note.heard" > "$note.said" 2> "$note.complained"
code=$?
printf '%s\n' "$code" > "$note.code"
cat "$note.said"
cat "$note.complained" >&2
exit $code
