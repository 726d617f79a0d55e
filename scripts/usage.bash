# shellcheck shell=bash
# Prints the comment at the head of a script, if its first argument is -h or --help. Each script here that is run by
# hand sources this file before it does anything.

case ${1:-} in
-h | --help)
	awk 'NR > 1 && !/^#/ { exit } NR > 1 && !/^# shellcheck/ { sub(/^# ?/, ""); print }' "${BASH_SOURCE[1]}"
	exit
	;;
esac
