# shellcheck shell=bash disable=SC2034,SC2154
# ElectroDB, JavaScript. The tests read the endpoint from the environment, one file excepted; test/init.js makes the tables,
# also after one that DynamoDB refuses. The types are not checked, which would take most of the time, and the tests of
# pages get ten times the time: one of them scans the whole table 250 times.
title=ElectroDB
source=https://github.com/tywalch/electrodb

prepare_suite() { npm_suite electrodb; }

run_suite() {
	export LOCAL_DYNAMO_ENDPOINT=$url TS_NODE_TRANSPILE_ONLY=1
	point_at_server test/ts_connected.issues.spec.ts
	sed -i -e 's|process.exit(1);||' "$suite/test/init.js"
	sed -i -E 's/timeout\(([0-9]+)\)/timeout(\10)/' "$suite/test/connected.page.spec.js"
	(cd "$suite" && node test/init.js)
	run_mocha --timeout 60000 --require ts-node/register './test/**.spec.*'
}
