# Transactions: all or nothing, the reasons of a cancelled one, tokens, consistent reads.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

chapter() {
	table=aws-transactions
	create_shop "$table"
	local n
	for n in 1 2 3; do order ada "$n" "\"amount\": {\"N\": \"${n}0\"}" && echo; done | fill "$table"
	written
	cancelled
	repeated
	read_together
	drop_shop "$table"
	tell 'written, checked, cancelled with reasons, repeated by token, read, refused'
}

# write JSON [ARGUMENT...] writes a transaction.
write() {
	local actions=$1
	shift
	ddb transact-write-items --cli-input-json "{\"TransactItems\": [$actions]}" "$@"
}

# add CUSTOMER PLACED NUMBER prints an action that adds to the amount.
add() {
	printf '{"Update": {"TableName": "%s", "Key": %s, "UpdateExpression": "ADD amount :n",
		"ExpressionAttributeValues": {":n": {"N": "%s"}}}}' "$table" "$(order "$1" "$2")" "$3"
}

# check CUSTOMER PLACED CONDITION NUMBER prints an action that only looks.
check() {
	printf '{"ConditionCheck": {"TableName": "%s", "Key": %s, "ConditionExpression": "%s",
		"ExpressionAttributeValues": {":n": {"N": "%s"}}}}' "$table" "$(order "$1" "$2")" "$3" "$4"
}

# amounts prints what the whole table holds.
amounts() {
	ddb scan --table-name "$table" --consistent-read --query "sort(Items[].join(' ', [customer.S, placed.S, amount.N]))"
}

written() {
	local put delete
	put="{\"Put\": {\"TableName\": \"$table\", \"Item\": $(order bob 1 '"amount": {"N": "1"}, "status": {"S": "open"}')}}"
	delete="{\"Delete\": {\"TableName\": \"$table\", \"Key\": $(order ada 2)}}"
	does 'TransactWriteItems' write "$put, $(add ada 1 -1), $delete, $(check ada 3 'amount = :n' 30)"
	expect 'TransactWriteItems: all done' '["ada 1 9","ada 3 30","bob 1 1"]' amounts
	expect 'TransactWriteItems: the index too' '["1"]' \
		ddb scan --table-name "$table" --index-name ByStatus --query 'Items[].amount.N'
}

cancelled() {
	local put
	put="{\"Put\": {\"TableName\": \"$table\", \"Item\": $(order ada 1), \"ReturnValuesOnConditionCheckFailure\": \"ALL_OLD\",
		\"ConditionExpression\": \"attribute_not_exists(customer)\"}}"
	refused 'a transaction with conditions that fail' TransactionCanceledException \
		'please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed, ConditionalCheckFailed]' \
		write "$(add bob 1 100), $put, $(check ada 3 'amount < :n' 30)"
	# The command line prints the sentence only. The debug log has the whole answer, with the old item.
	ask write "$(add bob 1 100), $put" --debug || true
	[[ $came == *'"Code":"None"'*'"Code":"ConditionalCheckFailed"'* && $came == *'"Item":{'*'"9"'* ]] ||
		surprise 'reasons with the old item' 'None, then ConditionalCheckFailed with the Item' "${came: -2000}"
	expect 'nothing was written' '["ada 1 9","ada 3 30","bob 1 1"]' amounts
}

repeated() {
	local token=aws-$RANDOM-$RANDOM-$RANDOM
	does 'TransactWriteItems with a token' write "$(add bob 1 5)" --client-request-token "$token"
	expect 'the same token twice: a read' '[2.0,2.0]' write "$(add bob 1 5)" --client-request-token "$token" \
		--return-consumed-capacity TOTAL --query 'ConsumedCapacity[0].[CapacityUnits, ReadCapacityUnits]'
	refused 'the token with other actions' IdempotentParameterMismatchException '' \
		write "$(add bob 1 6)" --client-request-token "$token"
	expect 'a token writes once' '["ada 1 9","ada 3 30","bob 1 6"]' amounts
}

read_together() {
	local get="{\"Get\": {\"TableName\": \"$table\", \"Key\": "
	expect 'TransactGetItems, in order' '[["30",null,"6"],{"Item": {"amount": {"N": "6"}}},6.0]' \
		ddb transact-get-items --return-consumed-capacity TOTAL --cli-input-json "{\"TransactItems\": [
			$get $(order ada 3)}}, $get $(order ada 2)}},
			$get $(order bob 1), \"ProjectionExpression\": \"amount\"}}]}" \
		--query '[[Responses[0].Item.amount.N, Responses[1].Item, Responses[2].Item.amount.N],
			Responses[2], ConsumedCapacity[0].CapacityUnits]'
	refused 'two actions on one item' ValidationException \
		'Transaction request cannot include multiple operations on one item' \
		write "$(add ada 1 1), $(check ada 1 'amount > :n' 0)"
	refused 'a transaction on no table' ResourceNotFoundException 'Requested resource not found' \
		ddb transact-get-items --transact-items "[{\"Get\": {\"TableName\": \"aws-nowhere\", \"Key\": $(order a 1)}}]"
}
