# shellcheck shell=bash disable=SC2154
# Starts and stops `sortkey serve`, or another server of the program, for the scripts here, which source this file. The script that sources it has
# set $work to a temporary folder of its own, and has a function fail that reports what went wrong and exits.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
server=

# build_sortkey builds $work/sortkey from this checkout.
build_sortkey() {
	command -v go >/dev/null || fail 'no go command; install Go from https://go.dev/dl'
	(cd "$root" && CGO_ENABLED=0 go build -o "$work/sortkey" ./cmd/sortkey) || fail 'sortkey does not build'
}

# start_server FLAG... starts $work/sortkey serve on a free port with a new data directory. Sets $server and $url.
start_server() { start serve "$@"; }

# start COMMAND FLAG... does the same with another command that serves, such as demo.
start() {
	rm -rf "$work/data" "$work/ready"
	mkfifo "$work/ready"
	"$work/sortkey" "$1" --addr 127.0.0.1:0 --data "$work/data" --json "${@:2}" >"$work/ready" 2>"$work/log" &
	server=$!
	local line=
	read -r line <"$work/ready" || true
	url=$(sed -n 's/^[^[]*"url":"\([^"]*\)".*/\1/p' <<<"$line")
	[ -n "$url" ] || fail 'sortkey did not start'
}

# stop_server ends the server, if it runs, and returns its exit code.
stop_server() {
	[ -n "$server" ] || return 0
	local code=0
	kill -TERM "$server" 2>/dev/null || true
	wait "$server" 2>/dev/null || code=$?
	server=
	return "$code"
}
