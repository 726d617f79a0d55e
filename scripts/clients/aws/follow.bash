# Reads streams: all shards of one, parents before children, until caught up.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

# stream_of TABLE prints the ARN of the stream that the table has now.
stream_of() { aws dynamodb describe-table --table-name "$1" --query Table.LatestStreamArn --output text; }

# iterators ARN KIND prints an iterator for every shard, one a line.
iterators() {
	local shard
	aws dynamodbstreams describe-stream --stream-arn "$1" --query 'StreamDescription.Shards[].[ShardId]' --output text |
		while read -r shard; do
			aws dynamodbstreams get-shard-iterator --stream-arn "$1" --shard-id "$shard" \
				--shard-iterator-type "$2" --query ShardIterator --output text </dev/null
		done
}

# follow COUNT LINE ITERATORS reads on all iterators (one a line), at least once, until so many records came.
# $records has a line for each, made by the JMESPath expression LINE; $next has the iterators to go on with, none for
# a shard that is closed and read to its end.
follow() {
	local count=$1 line=$2 end=$((SECONDS + 20)) current iterator
	records='' next=$3
	while true; do
		current=$next
		next=''
		for iterator in $current; do get_records "$iterator" "$line"; done
		[ "$(lines "$records")" -lt "$count" ] && [ "$SECONDS" -lt "$end" ] || break
	done
}

# get_records ITERATOR LINE reads once, and adds to $records and $next.
get_records() {
	does 'GetRecords' streams_lines get-records --shard-iterator "$1" --query "[NextShardIterator, Records[].$2]"
	local first=1 text
	while read -r text; do
		if [ "$first" = 1 ]; then
			first=0
			[ "$text" = null ] || next+="$text"$'\n'
		else
			records+="$text"$'\n'
		fi
	done <"$scratch/records"
}

# streams_lines COMMAND... puts the strings of an answer into a file, one a line.
streams_lines() { streams "$@" | sed -E 's/^ *"?//; s/"?,?$//' | grep -vE '^[][]*$' >"$scratch/records"; }

lines() { printf '%s' "$1" | wc -l; }
