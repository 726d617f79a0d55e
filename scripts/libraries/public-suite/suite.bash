# shellcheck shell=bash disable=SC2034,SC2154
# The public conformance suite, TypeScript. The tests read the endpoint from the environment.
title='dynamodb-conformance, default wording'
source=https://github.com/nubo-db/dynamodb-conformance

prepare_suite() {
	npm_suite dynamodb-conformance || return 1
	version=${commit:+commit $commit}
}

run_suite() {
	(cd "$suite" && DYNAMODB_ENDPOINT=$url node_modules/.bin/vitest run --reporter=json --outputFile "$work/report.json") || true
	read_json
}
