#!/usr/bin/env bash
# Write the plan of `timegate diff` as Markdown, for a comment on a pull request.
#
#   plan_comment.sh PATH...
#
# Nothing is written where nothing would change. A refused document has the exit code of `timegate diff`, and its plan
# all the same. Each line of the plan is indented: no text of a document can end the block and be read as Markdown.
set -euo pipefail

most=60000 # characters; a comment on GitHub has 65,536 at most

files=()
for path in "$@"; do files+=(-f "$path"); done
code=0
plan=$(timegate diff "${files[@]}" --prune 2>&1) || code=$?
[ "$code" -ne 0 ] || exit 0

if [ "$code" -eq 5 ]; then echo "**Timegate:** merging this changes what runs."; else echo "**Timegate:** this is refused."; fi
echo
plan=$(printf '%s\n' "$plan" | sed 's/^/    /')
printf '%s\n' "${plan:0:$most}"
[ "${#plan}" -le "$most" ] || printf '\nThe plan goes on; `timegate diff` shows all of it.\n'
[ "$code" -eq 5 ] || exit "$code"
