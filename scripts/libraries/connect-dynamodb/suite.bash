# shellcheck shell=bash disable=SC2034,SC2154
# connect-dynamodb, JavaScript. The tests read the endpoint from the environment.
title=connect-dynamodb
source=https://github.com/ca98am79/connect-dynamodb

prepare_suite() { npm_suite connect-dynamodb; }

run_suite() { ENDPOINT=$url run_mocha --timeout 60000; }
