# shellcheck shell=bash disable=SC2034,SC2154
# What the suites of several libraries need: finding and copying checkouts, npm, and reading the results of go test,
# mocha, jest and vitest. Each suite.bash sets $title and $source and has two functions: prepare_suite sets $version,
# or says in $missing why the suite cannot be run; run_suite runs it on $url and fills $results.

# find_checkout FOLDER finds a library in $LIBRARIES. Sets $checkout and $commit.
find_checkout() {
	[ -n "${LIBRARIES:-}" ] || { missing="\$LIBRARIES does not say where the checkouts are" && return 1; }
	checkout=$LIBRARIES/$1 commit=
	[ -d "$checkout" ] || { missing="there is no $checkout" && return 1; }
	commit=$(git -C "$checkout" rev-parse --short HEAD 2>/dev/null) || true
}

# copy_checkout FOLDER copies the checkout, without its packages, and sets $suite to the copy.
copy_checkout() {
	suite=$1
	mkdir -p "$suite"
	find "$suite" -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
	tar -C "$checkout" --exclude=./node_modules --exclude=./.git -cf - . | tar -C "$suite" -xf -
}

# point_at_server FILE... replaces the address of DynamoDB Local in these files of the copy.
point_at_server() {
	(cd "$suite" && sed -i -e "s|localhost:8000|${url#http://}|g" "$@")
}

# use_credentials sets what every AWS client needs, and hides the user's own configuration.
use_credentials() {
	export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1 AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any
	export AWS_CONFIG_FILE=/dev/null AWS_SHARED_CREDENTIALS_FILE=/dev/null AWS_SDK_JS_SUPPRESS_MAINTENANCE_MODE_MESSAGE=1
	unset AWS_PROFILE AWS_SESSION_TOKEN AWS_ENDPOINT_URL AWS_ENDPOINT_URL_DYNAMODB
}
use_credentials

# npm_suite FOLDER LIBRARY copies a checkout to the cache and installs its packages there. Sets $version.
npm_suite() {
	find_checkout "$1" || return 1
	command -v npm >/dev/null || { missing='there is no npm command' && return 1; }
	copy_checkout "$cache/$1"
	version=$(cd "$suite" && node -p 'require("./package.json").version')${commit:+, commit $commit}
	local want stamp=$suite/node_modules/.installed
	want=$(cat "$suite/package.json" "$suite/package-lock.json" | cksum)$(node --version)
	[ "$(cat "$stamp" 2>/dev/null)" != "$want" ] || return 0
	# Not every registry has every version of a lock file; the ranges of package.json will do then.
	(cd "$suite" && { npm ci --ignore-scripts --no-audit --no-fund || npm install --no-package-lock --ignore-scripts --no-audit --no-fund; }) >"$work/npm" 2>&1 ||
		{ missing="npm cannot install its packages: $(tail -1 "$work/npm")" && return 1; }
	echo "$want" >"$stamp"
}

# run_mocha ARG... runs mocha in the copy.
run_mocha() {
	(cd "$suite" && SUITE_RESULTS=$results node_modules/.bin/mocha --reporter "$here/mocha.cjs" "$@")
}

# read_json reads the report that jest and vitest write with their JSON reporters to $work/report.json.
read_json() { node "$here/report.mjs" "$suite" "$work/report.json" >"$results"; }

# go_suite ARG... runs go test in $suite.
go_suite() {
	(cd "$suite" && go test -v -count=1 -timeout 30m "$@") >"$work/tests" 2>&1 || true
	cat "$work/tests"
	awk -v OFS='\t' '
		$1 == "===" { test = $3 }
		/^ +[a-z_0-9]+\.go:[0-9]+: / { said[test] = $0 }
		$1 == "---" { gsub(/\t| +/, " ", said[$3]); print tolower(substr($2, 1, 4)), $3, said[$3]; next }
		/^FAIL.*\[(build|setup) failed\]/ { print "fail", $2, "does not build" }
		/^panic: / { print "fail", "panic", $0 }
	' "$work/tests" >"$results"
}
