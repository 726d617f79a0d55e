# shellcheck shell=bash disable=SC2034,SC2154
# The public conformance suite, whose tests expect the sentences of the older wording.
# shellcheck source=scripts/libraries/public-suite/suite.bash
. "$here/public-suite/suite.bash"
title='dynamodb-conformance, wording older'
serve_flags=(--wording older)
