# shellcheck shell=bash disable=SC2034,SC2154
# guregu/dynamo, Go. The tests read the endpoint from the environment and make their tables themselves.
# One of them writes an item in 25 transactions at once. Three attempts are not always enough for that: it gets more.
title=guregu/dynamo
source=https://github.com/guregu/dynamo
module=github.com/guregu/dynamo/v2 module_version=v2.6.0

prepare_suite() {
	local folder
	folder=$(cd "$work" && go mod download -json "$module@$module_version" 2>/dev/null | sed -n 's/.*"Dir": "\(.*\)",/\1/p')
	[ -n "$folder" ] || { missing="go mod download does not get $module@$module_version" && return 1; }
	version=${module_version#v} checkout=$folder
	copy_checkout "$work/guregu-dynamo"
	chmod -R u+w "$suite"
	sed -i -e 's|NewStandard(RetryTxConflicts)|NewStandard(RetryTxConflicts, func(o *retry.StandardOptions) { o.MaxAttempts = 20 })|' "$suite/db_test.go"
}

run_suite() {
	DYNAMO_TEST_ENDPOINT=$url DYNAMO_TEST_REGION=us-east-1 DYNAMO_TEST_TABLE='TestDB-%' go_suite ./...
}
