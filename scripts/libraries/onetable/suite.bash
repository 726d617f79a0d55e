# shellcheck shell=bash disable=SC2034,SC2154
# OneTable, TypeScript. The set-up and tear-down of its tests start and stop DynamoDB Local; both are replaced by nothing.
# The types are not checked, which would take most of the time.
title=OneTable
source=https://github.com/sensedeep/dynamodb-onetable

prepare_suite() { npm_suite dynamodb-onetable; }

run_suite() {
	echo 'module.exports = async () => {}' | tee "$suite/test/utils/setup.ts" >"$suite/test/utils/teardown.ts"
	sed -i -e 's|http://localhost:|http://127.0.0.1:|' "$suite/test/utils/init.ts"
	sed -i -e "s|'ts-jest'|['ts-jest', {isolatedModules: true, diagnostics: false}]|" "$suite/jest.config.js"
	export DYNAMODB_PORT=${url##*:}
	(cd "$suite" && node_modules/.bin/jest --json --outputFile "$work/report.json" --maxWorkers 2 --testTimeout 60000) || true
	read_json
}
