# Tables: create, describe, list, change, tag, delete.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

chapter() {
	table=aws-tables
	arn=arn:aws:dynamodb:us-east-1:123456789012:table/$table
	created_and_described
	listed_in_pages
	index_added_and_dropped
	tagged
	deleted
	tell 'created, described, listed in pages, index added and dropped online, tagged, protected, deleted'
}

created_and_described() {
	create_shop "$table"
	matches 'CreateTable' "\[\"CREATING\",\"$arn\",\"$arn/stream/[-0-9T:.]+\"\]" "$came"
	expect 'DescribeTable' '["ACTIVE",["customer","placed"],"PAY_PER_REQUEST","NEW_AND_OLD_IMAGES"]' \
		ddb describe-table --table-name "$table" --query "Table.[TableStatus, KeySchema[].AttributeName,
			BillingModeSummary.BillingMode, StreamSpecification.StreamViewType]"
	expect 'DescribeTable: global index' "[\"ByStatus\",\"ACTIVE\",\"$arn/index/ByStatus\"]" \
		ddb describe-table --table-name "$table" \
		--query 'Table.GlobalSecondaryIndexes[0].[IndexName, IndexStatus, IndexArn]'
	expect 'DescribeTable: local index' '["ByAmount","INCLUDE",["note"]]' \
		ddb describe-table --table-name "$table" --query \
		'Table.LocalSecondaryIndexes[0].[IndexName, Projection.ProjectionType, Projection.NonKeyAttributes]'
	refused 'CreateTable of a table that exists' ResourceInUseException "Table already exists: $table" \
		ddb create-table --table-name "$table" --billing-mode PAY_PER_REQUEST \
		--key-schema AttributeName=pk,KeyType=HASH --attribute-definitions AttributeName=pk,AttributeType=S
	refused 'DescribeTable of no table' ResourceNotFoundException \
		'Requested resource not found: Table: aws-nowhere not found' ddb describe-table --table-name aws-nowhere
}

listed_in_pages() {
	local letter
	for letter in a b; do
		expect 'CreateTable, provisioned' '[1,2]' ddb create-table --table-name "$table-$letter" \
			--key-schema AttributeName=pk,KeyType=HASH --attribute-definitions AttributeName=pk,AttributeType=N \
			--provisioned-throughput ReadCapacityUnits=1,WriteCapacityUnits=2 \
			--query 'TableDescription.ProvisionedThroughput.[ReadCapacityUnits, WriteCapacityUnits]'
		does 'waiting' ddb wait table-exists --table-name "$table-$letter"
	done
	expect 'ListTables in pages of one' "[\"$table\",\"$table-a\",\"$table-b\"]" \
		ddb list-tables --page-size 1 --query "TableNames[?starts_with(@, '$table')]"
	expect 'ListTables from a name on' "[[\"$table-a\"],\"$table-a\"]" ddb list-tables --limit 1 \
		--exclusive-start-table-name "$table" --query '[TableNames, LastEvaluatedTableName]'
	expect 'UpdateTable' '"UPDATING"' ddb update-table --table-name "$table-a" \
		--provisioned-throughput ReadCapacityUnits=3,WriteCapacityUnits=4 --query TableDescription.TableStatus
	does 'waiting' ddb wait table-exists --table-name "$table-a"
	expect 'UpdateTable: throughput' '[3,4]' ddb describe-table --table-name "$table-a" \
		--query 'Table.ProvisionedThroughput.[ReadCapacityUnits, WriteCapacityUnits]'
	for letter in a b; do drop_shop "$table-$letter"; done
}

index_added_and_dropped() {
	local n
	# Items that do not fit the new index, as the last one here, are left out of it, not refused.
	{
		for n in {00..17}; do order ada "$n" "\"note\": {\"S\": \"note $((10#$n % 3))\"}" && echo; done
		for n in {18..23}; do order ada "$n" && echo; done
		order ada number '"note": {"N": "1"}' && echo
	} | fill "$table"
	expect 'adding an index' '["UPDATING",["CREATING"]]' ddb update-table --table-name "$table" \
		--cli-input-json '{
			"AttributeDefinitions": [
				{"AttributeName": "note", "AttributeType": "S"},
				{"AttributeName": "placed", "AttributeType": "S"}],
			"GlobalSecondaryIndexUpdates": [{"Create": {
				"IndexName": "ByNote",
				"KeySchema": [
					{"AttributeName": "note", "KeyType": "HASH"},
					{"AttributeName": "placed", "KeyType": "RANGE"}],
				"Projection": {"ProjectionType": "KEYS_ONLY"}}}]}' --query "TableDescription.[TableStatus, $by_note]"
	eventually 'the new index is ACTIVE' 30 '["ACTIVE",["ACTIVE"]]' table_and_index
	does 'PutItem' ddb put-item --table-name "$table" --item "$(order bob new '"note": {"S": "note 0"}')"
	eventually 'the new index has old and new items' 10 7 note_0_in_index
	refused 'a number as index key' ValidationException 'Type mismatch for Index Key note Expected: S Actual: N' \
		ddb put-item --table-name "$table" --item "$(order bob wrong '"note": {"N": "1"}')"

	expect 'dropping an index' '["DELETING"]' ddb update-table --table-name "$table" \
		--global-secondary-index-updates 'Delete={IndexName=ByNote}' --query "TableDescription.$by_note"
	eventually 'the index is gone' 30 '["ACTIVE",[]]' table_and_index
	refused 'Query on a dropped index' ValidationException 'The table does not have the specified index: ByNote' \
		note_0_in_index
}

by_note="GlobalSecondaryIndexes[?IndexName=='ByNote'].IndexStatus"

table_and_index() { ddb describe-table --table-name "$table" --query "Table.[TableStatus, $by_note]"; }

note_0_in_index() {
	ddb query --table-name "$table" --index-name ByNote --key-condition-expression 'note = :n' \
		--expression-attribute-values '{":n": {"S": "note 0"}}' --query 'length(Items)'
}

tagged() {
	local tags=(ddb list-tags-of-resource --resource-arn "$arn" --query 'sort_by(Tags, &Key)[].[Key, Value][]')
	expect 'tags of CreateTable' '["team","shop"]' "${tags[@]}"
	does 'TagResource' ddb tag-resource --resource-arn "$arn" --tags Key=team,Value=sales Key=stage,Value=test
	expect 'TagResource' '["stage","test","team","sales"]' "${tags[@]}"
	does 'UntagResource' ddb untag-resource --resource-arn "$arn" --tag-keys team
	expect 'UntagResource' '["stage","test"]' "${tags[@]}"
}

deleted() {
	does 'protection' ddb update-table --table-name "$table" --deletion-protection-enabled
	refused 'DeleteTable of a protected table' ValidationException 'protected against deletion' \
		ddb delete-table --table-name "$table"
	does 'no protection' ddb update-table --table-name "$table" --no-deletion-protection-enabled
	drop_shop "$table"
	refused 'PutItem without a table' ResourceNotFoundException 'Requested resource not found' \
		ddb put-item --table-name "$table" --item "$(order ada late)"
}
