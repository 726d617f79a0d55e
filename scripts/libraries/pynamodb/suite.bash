# shellcheck shell=bash disable=SC2034,SC2154
# PynamoDB, Python. The integration tests read the endpoint from the environment; the other tests use no database.
title=PynamoDB
source=https://github.com/pynamodb/PynamoDB
serve_flags=(--namespaces 4) # a test expects that a table of another region is not found

prepare_suite() {
	find_checkout pynamodb || return 1
	local python=${PYTHON:-python3}
	copy_checkout "$work/pynamodb"
	local ask='import botocore, pytest, pynamodb; print(pynamodb.__version__)'
	version=$(cd "$suite" && "$python" -c "$ask" 2>"$work/python") || { missing="$python cannot load it: $(tail -1 "$work/python")" && return 1; }
	version+=${commit:+, commit $commit}
}

run_suite() {
	(cd "$suite" && SUITE_RESULTS=$results PYNAMODB_INTEGRATION_TEST_DDB_URL=$url PYTHONPATH=$here/pynamodb PYTHONDONTWRITEBYTECODE=1 \
		"${PYTHON:-python3}" -m pytest -p results -q tests/integration)
}
