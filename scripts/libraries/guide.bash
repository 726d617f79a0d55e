# shellcheck shell=bash disable=SC2154
# Writes the counts of the suites to docs/guide/compatibility.md.

# save_counts LIBRARY keeps the counts of the run that just ended in last.txt, from which the guide is written.
save_counts() {
	printf '%s\t%s\t%s\t%s\t%d\t%d\t%d\n' "$title" "$source" "$version" "$(date -u +%F)" "$(count pass)" "$(count fail)" \
		"$(count skip)" >"$here/$1/last.txt"
}

# write_table prints a line for each library that ever ran.
write_table() {
	echo '| suite | version | tests | passed | failed | skipped | date |'
	echo '|---|---|--:|--:|--:|--:|---|'
	local library name link version date good bad skipped
	for library in "${all[@]}"; do
		[ -f "$here/$library/last.txt" ] || continue
		IFS=$'\t' read -r name link version date good bad skipped <"$here/$library/last.txt"
		printf '| [%s](%s) | %s | %d | %d | %d | %d | %s |\n' "$name" "$link" "$version" $((good + bad + skipped)) "$good" "$bad" "$skipped" "$date"
	done
}

# write_failures prints what fails in each library, under the reasons.
write_failures() {
	local library name
	for library in "${all[@]}"; do
		if [ ! -f "$here/$library/last.txt" ] || ! grep -q '^#' "$here/$library/known.txt"; then continue; fi
		IFS=$'\t' read -r name _ <"$here/$library/last.txt"
		printf '\n### %s\n' "$name"
		awk '
			/^# / { if (!reason) print ""; print substr($0, 3); reason = 1; next }
			/^$/ { next }
			{ if (reason) print ""; reason = 0; print "- `" $0 "`" }
		' "$here/$library/known.txt"
	done
}

# write_guide replaces what stands between the two marks of the guide.
write_guide() {
	{ write_table && write_failures; } >"$work/counts"
	awk -v counts="$work/counts" '
		/^<!-- end of scripts\/libraries\/run --write/ { while ((getline line < counts) > 0) print line; print ""; skip = 0 }
		!skip { print }
		/^<!-- scripts\/libraries\/run --write/ { print ""; skip = 1 }
	' "$guide" >"$work/guide"
	cat "$work/guide" >"$guide"
}
