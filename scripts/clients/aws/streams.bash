# Streams: what changed, in order, with images, on all shards, from the start and the end.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

chapter() {
	table=aws-streams
	create_shop "$table"
	arn=$(stream_of "$table")
	described
	from_the_start
	from_the_end
	closed
	drop_shop "$table"
	tell 'described, read from TRIM_HORIZON and LATEST, all shards followed, closed'
}

described() {
	expect 'ListStreams' "[[\"$arn\",\"$table\",\"${arn##*/stream/}\"]]" \
		streams list-streams --table-name "$table" --query 'Streams[].[StreamArn, TableName, StreamLabel]'
	expect 'DescribeStream' '["ENABLED","NEW_AND_OLD_IMAGES",["customer","placed"]]' streams describe-stream \
		--stream-arn "$arn" --query 'StreamDescription.[StreamStatus, StreamViewType, KeySchema[].AttributeName]'
	does 'DescribeStream: a shard' streams describe-stream --stream-arn "$arn" --limit 1 \
		--query 'StreamDescription.Shards[].[ShardId, SequenceNumberRange.StartingSequenceNumber][]'
	matches 'DescribeStream: a shard' '\["shardId-[0-9]{20}-[a-z0-9]{8}","[0-9]{21,40}"\]' "$came"
	refused 'DescribeStream of no stream' ResourceNotFoundException 'Requested resource not found' \
		streams describe-stream --stream-arn "${arn%/*}/2001-01-01T00:00:00.000"
}

# image NAME is a JMESPath expression for the amount in an image, or ".", or "-" when there is no image.
image() { printf "(dynamodb.%s && not_null(dynamodb.%s.amount.N, '.') || '-')" "$1" "$1"; }

from_the_start() {
	local line key
	key=$(order ada 1)
	does 'PutItem' ddb put-item --table-name "$table" --item "$(order ada 1 '"amount": {"N": "1"}')"
	does 'UpdateItem' ddb update-item --table-name "$table" --key "$key" --update-expression 'ADD amount :n' \
		--expression-attribute-values '{":n": {"N": "1"}}'
	does 'PutItem that changes nothing' ddb put-item --table-name "$table" --item "$(order ada 1 '"amount": {"N": "2"}')"
	does 'DeleteItem' ddb delete-item --table-name "$table" --key "$key"
	does 'DeleteItem of nothing' ddb delete-item --table-name "$table" --key "$key"
	does 'TransactWriteItems' ddb transact-write-items \
		--transact-items "[{\"Put\": {\"TableName\": \"$table\", \"Item\": $key}}]"

	line="join(' ', [eventName, $(image OldImage), $(image NewImage), to_string(dynamodb.SizeBytes),
		dynamodb.Keys.customer.S, eventSource, eventVersion, awsRegion, dynamodb.StreamViewType])"
	follow 4 "$line" "$(iterators "$arn" TRIM_HORIZON)"
	local rest='ada aws:dynamodb 1.1 us-east-1 NEW_AND_OLD_IMAGES'
	same 'records with images' "INSERT - 1 44 $rest
MODIFY 1 2 70 $rest
REMOVE 2 - 44 $rest
INSERT - . 36 $rest
" "$records"
}

from_the_end() {
	local n latest line="join(' ', [eventName, dynamodb.Keys.customer.S, dynamodb.Keys.placed.S])"
	latest=$(iterators "$arn" LATEST)
	for n in {00..19}; do order "c$((10#$n % 7))" "$n" && echo; done | fill "$table"
	follow 20 "$line" "$latest"
	same 'LATEST: only what came later, once' \
		"$(for n in {00..19}; do echo "INSERT c$((10#$n % 7)) $n"; done | sort)" "$(printf '%s' "$records" | sort)"
	does 'DeleteItem' ddb delete-item --table-name "$table" --key "$(order c0 00)"
	follow 1 "$line" "$next"
	same 'following goes on' 'REMOVE c0 00' "${records%?}"
}

closed() {
	local start old=$arn
	refused 'a stream for a table that has one' ValidationException 'Table already has an enabled stream' \
		ddb update-table --table-name "$table" --stream-specification StreamEnabled=true,StreamViewType=KEYS_ONLY
	start=$(iterators "$arn" TRIM_HORIZON)
	does 'UpdateTable' ddb update-table --table-name "$table" --stream-specification StreamEnabled=false
	eventually 'the stream is DISABLED' 20 '"DISABLED"' \
		streams describe-stream --stream-arn "$arn" --query StreamDescription.StreamStatus
	follow 25 eventName "$start"
	same 'a closed stream can be read' 25 "$(lines "$records")"
	follow 0 eventName "$next"
	same 'its shards end' '' "$next"
	does 'waiting' ddb wait table-exists --table-name "$table"
	does 'UpdateTable' ddb update-table --table-name "$table" \
		--stream-specification StreamEnabled=true,StreamViewType=KEYS_ONLY
	does 'waiting' ddb wait table-exists --table-name "$table"
	arn=$(stream_of "$table")
	[ "$arn" != "$old" ] || surprise 'a new stream has a new name' "not $old" "$arn"
	does 'UpdateItem' ddb update-item --table-name "$table" --key "$(order ada 1)" --update-expression 'SET note = customer'
	follow 1 "join(' ', [eventName, $(image OldImage), $(image NewImage)])" "$(iterators "$arn" TRIM_HORIZON)"
	same 'KEYS_ONLY' 'MODIFY - -' "${records%?}"
}
