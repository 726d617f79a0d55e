# shellcheck shell=bash disable=SC2034,SC2154
# dynamolock, Go. The tests start DynamoDB Local at localhost:8000 with the command java; they get a java that does nothing, and the
# address of the server.
title=dynamolock
source=https://github.com/cirello-io/dynamolock

prepare_suite() {
	find_checkout dynamolock || return 1
	[ -d "$checkout/v2" ] || { missing="$checkout has no folder v2; check out v2.2.0" && return 1; }
	copy_checkout "$work/dynamolock"
	version=$(git -C "$checkout" describe --tags 2>/dev/null) || version=${commit:-unknown}
	version=${version#v}
	suite+=/v2
	mkdir -p "$suite/local-dynamodb" "$work/bin"
	printf '#!/bin/sh\nexec sleep 1000000\n' >"$work/bin/java"
	chmod +x "$work/bin/java"
}

run_suite() {
	point_at_server client_test.go
	PATH=$work/bin:$PATH go_suite ./...
}
