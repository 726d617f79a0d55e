# The table that the chapters use: orders of customers.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

# create_shop NAME makes the table with both kinds of indexes and a stream, and waits for it.
create_shop() {
	does "CreateTable $1" ddb create-table --table-name "$1" --cli-input-json '{
		"KeySchema": [
			{"AttributeName": "customer", "KeyType": "HASH"},
			{"AttributeName": "placed", "KeyType": "RANGE"}],
		"AttributeDefinitions": [
			{"AttributeName": "customer", "AttributeType": "S"},
			{"AttributeName": "placed", "AttributeType": "S"},
			{"AttributeName": "status", "AttributeType": "S"},
			{"AttributeName": "amount", "AttributeType": "N"}],
		"LocalSecondaryIndexes": [{
			"IndexName": "ByAmount",
			"KeySchema": [
				{"AttributeName": "customer", "KeyType": "HASH"},
				{"AttributeName": "amount", "KeyType": "RANGE"}],
			"Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]}}],
		"GlobalSecondaryIndexes": [{
			"IndexName": "ByStatus",
			"KeySchema": [
				{"AttributeName": "status", "KeyType": "HASH"},
				{"AttributeName": "placed", "KeyType": "RANGE"}],
			"Projection": {"ProjectionType": "ALL"}}],
		"StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_AND_OLD_IMAGES"},
		"BillingMode": "PAY_PER_REQUEST",
		"Tags": [{"Key": "team", "Value": "shop"}]}' \
		--query "TableDescription.[TableStatus, TableArn, LatestStreamArn]"
	local answer=$came
	does "waiting for $1" ddb wait table-exists --table-name "$1"
	came=$answer
}

# drop_shop NAME deletes the table and waits until it is gone.
drop_shop() {
	expect "DeleteTable $1" '"DELETING"' ddb delete-table --table-name "$1" --query TableDescription.TableStatus
	does "waiting for the end of $1" ddb wait table-not-exists --table-name "$1"
}

# order CUSTOMER PLACED [MORE] prints an order as JSON; MORE are further members.
order() { printf '{"customer": {"S": "%s"}, "placed": {"S": "%s"}%s}' "$1" "$2" "${3:+, $3}"; }

# fill TABLE reads items from standard input, one a line, and writes 25 at a time.
fill() {
	local batch='' count=0 item
	while read -r item; do
		batch+="${batch:+,}{\"PutRequest\": {\"Item\": $item}}"
		count=$((count + 1))
		[ $((count % 25)) -ne 0 ] || { write_batch "$1" "$batch" && batch=''; }
	done
	[ -z "$batch" ] || write_batch "$1" "$batch"
}

write_batch() {
	expect 'BatchWriteItem: nothing left undone' 0 \
		ddb batch-write-item --request-items "{\"$1\": [$2]}" --query 'length(keys(UnprocessedItems))'
}
