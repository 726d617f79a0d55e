# shellcheck shell=bash disable=SC2034,SC2154
# Dynamoid, Ruby. The endpoint is in spec/spec_helper.rb.
title=Dynamoid
source=https://github.com/Dynamoid/dynamoid

prepare_suite() {
	find_checkout dynamoid || return 1
	command -v rspec >/dev/null || { missing='there is no rspec command' && return 1; }
	copy_checkout "$work/dynamoid"
	local ask='require "logger"; require "dynamoid"; require "pry"; puts Dynamoid::VERSION'
	version=$(ruby -I "$suite/lib" -e "$ask" 2>"$work/ruby") || { missing="ruby cannot load it: $(head -1 "$work/ruby")" && return 1; }
	version+=${commit:+, commit $commit}
}

run_suite() {
	point_at_server spec/spec_helper.rb
	# CI leaves out the coverage, which needs more gems.
	(cd "$suite" && CI=true rspec --options /dev/null --order defined --require "$here/dynamoid/results.rb" \
		--format Results --out "$results" --format failures)
}
