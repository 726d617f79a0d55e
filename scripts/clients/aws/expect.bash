# Expectations: the first answer that is not the expected one ends the story.
# Answers are compared as JSON without line ends and indentation: ["ACTIVE",3]
# shellcheck disable=SC2154 # variables of story and of the files beside this one

checks=0
came=

# ddb and streams call the service; answers are JSON.
ddb() { aws dynamodb "$@" --output json; }
streams() { aws dynamodbstreams "$@" --output json; }

# ask COMMAND... runs it and puts its answer, or what it said when it failed, into $came.
ask() {
	local errors=$scratch/errors
	if came=$("$@" 2>"$errors"); then
		came=$(compact <<<"$came")
	else
		came=$(compact <"$errors")
		return 1
	fi
}

compact() { sed 's/^ *//' | tr -d '\n'; }

# expect WHAT WANTED COMMAND... wants exactly this answer.
expect() {
	local what=$1 wanted=$2
	shift 2
	ask "$@" || true
	same "$what" "$wanted" "$came"
}

# same WHAT WANTED CAME wants two texts to be equal.
same() {
	checks=$((checks + 1))
	[ "$3" = "$2" ] || surprise "$1" "$2" "$3"
}

# matches WHAT PATTERN CAME wants the whole text to match a regular expression.
matches() {
	checks=$((checks + 1))
	[[ $3 =~ ^($2)$ ]] || surprise "$1" "$2" "$3"
}

# does WHAT COMMAND... wants success, whatever the answer.
does() {
	local what=$1
	shift
	ask "$@" || surprise "$what" 'an answer' "$came"
}

# refused WHAT CODE WORDS COMMAND... wants this error.
refused() {
	local what=$1 code=$2 words=$3
	shift 3
	checks=$((checks + 1))
	! ask "$@" || surprise "$what" "$code" "success: $came"
	[[ $came == *"($code)"*"$words"* ]] || surprise "$what" "($code) $words" "$came"
}

# eventually WHAT SECONDS WANTED COMMAND... wants the answer to become this one in time.
eventually() {
	local what=$1 end=$((SECONDS + $2)) wanted=$3
	shift 3
	while ask "$@" || true; [ "$came" != "$wanted" ] && [ "$SECONDS" -lt "$end" ]; do
		sleep 0.5
	done
	same "$what in time" "$wanted" "$came"
}

# surprise WHAT WANTED CAME ends the story and says where it was.
surprise() {
	local frame=0
	while [[ ${BASH_SOURCE[frame]##*/} =~ ^(expect|shop|follow)\.bash$ ]]; do frame=$((frame + 1)); done
	printf '   %-13s SURPRISE: %s\n     expected: %s\n     came:     %s\n     at:       %s:%s\n' \
		"$name" "$1" "$2" "$3" "${BASH_SOURCE[frame]##*/}" "${BASH_LINENO[frame - 1]}" >&2
	exit 1
}
