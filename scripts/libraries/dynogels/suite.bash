# shellcheck shell=bash disable=SC2034,SC2154
# dynogels, JavaScript. The endpoint of the integration tests is in test/test-helper.js; the other tests use no database.
title=dynogels
source=https://github.com/clarkie/dynogels

prepare_suite() { npm_suite dynogels; }

run_suite() {
	point_at_server test/test-helper.js
	run_mocha --ui bdd --timeout 60000 --exit 'test/integration/*-test.js'
}
