# Items: every type, conditions, projections, updates, deletes, batches.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

digits=12345678901234567890123456789012345678 # 38, all that a number can have

chapter() {
	table=aws-items
	create_shop "$table"
	every_type
	exact_numbers
	conditions
	updates
	deletes
	batches
	drop_shop "$table"
	tell 'all types, 38 digits, conditions, projections, updates, deletes, batches'
}

every_type() {
	# The command line reads binary values as they are, and prints them in base64.
	local item members
	item=$(order ada 1 '"text": {"S": "Grüße"}, "empty": {"S": ""}, "whole": {"N": "'$digits'"},
		"fraction": {"N": "-0.'$digits'"}, "bytes": {"B": "bytes!"}, "yes": {"BOOL": true}, "no": {"BOOL": false},
		"null": {"NULL": true}, "list": {"L": [{"N": "1"}, {"S": "two"}, {"M": {"four": {"N": "4"}}}, {"L": []}]},
		"map": {"M": {"a": {"M": {"b": {"S": "deep"}}}, "dotted.name": {"S": "not a path"}}},
		"words": {"SS": ["b", "a"]}, "numbers": {"NS": ["2.50", "1"]}, "blobs": {"BS": ["x", "y"]}')
	members="[text.S, empty.S, whole.N, fraction.N, bytes.B, yes.BOOL, no.BOOL, null.NULL, map.M.a.M.b.S,
		map.M.\"dotted.name\".S, list.L[2].M.four.N, length(list.L), sort(words.SS), sort(numbers.NS), sort(blobs.BS)]"
	everything='["Grüße","","'$digits'","-0.'$digits'","Ynl0ZXMh",true,false,true,"deep",'
	everything+='"not a path","4",4,["a","b"],["1","2.5"],["eA==","eQ=="]]'
	does 'PutItem' ddb put-item --cli-input-json "{\"TableName\": \"$table\", \"Item\": $item}"
	expect 'GetItem' "$everything" ddb get-item --table-name "$table" --key "$(order ada 1)" --consistent-read \
		--query "Item.$members"
	expect 'PutItem of the same: old one' "$everything" ddb put-item --table-name "$table" --item "$item" \
		--return-values ALL_OLD --query "Attributes.$members"
	expect 'GetItem of no item' '' ddb get-item --table-name "$table" --key "$(order nobody never)"
	expect 'GetItem with a projection' '[["list","map","words"],[{"S": "two"},{"M": {"four": {"N": "4"}}}],"deep",0.5]' \
		ddb get-item --table-name "$table" --key "$(order ada 1)" --return-consumed-capacity TOTAL \
		--projection-expression '#l[2].four, #l[1], #m.a.b, absent, words' \
		--expression-attribute-names '{"#l": "list", "#m": "map"}' \
		--query '[sort(keys(Item)), Item.list.L, Item.map.M.a.M.b.S, ConsumedCapacity.CapacityUnits]'
}

exact_numbers() {
	local number
	number=$(order num 1 '"a": {"N": "0042.1200"}, "b": {"N": "1E10"}, "c": {"N": "-0"}, "d": {"N": "1E125"},
		"e": {"N": "-1E-130"}')
	does 'PutItem of numbers' ddb put-item --table-name "$table" --item "$number"
	expect 'numbers in their shortest form' \
		"[\"42.12\",\"10000000000\",\"0\",\"1$(printf '%0125d' 0)\",\"-0.$(printf '%0129d' 0)1\"]" \
		ddb get-item --table-name "$table" --key "$(order num 1)" --query 'Item.[a.N, b.N, c.N, d.N, e.N]'
	refused '39 digits' ValidationException 'Attempting to store more than 38 significant digits in a Number' \
		ddb put-item --table-name "$table" --item "$(order num 2 "\"n\": {\"N\": \"1$digits\"}")"
	refused 'too large' ValidationException 'Attempting to store a number with magnitude larger than supported range' \
		ddb put-item --table-name "$table" --item "$(order num 2 '"n": {"N": "1E126"}')"
	refused 'no number' ValidationException 'The parameter cannot be converted to a numeric value: abc' \
		ddb put-item --table-name "$table" --item "$(order num 2 '"n": {"N": "abc"}')"
}

conditions() {
	local put=(ddb put-item --table-name "$table" --item "$(order bob 1 '"amount": {"N": "5"}')")
	does 'PutItem with a condition' "${put[@]}" --condition-expression 'attribute_not_exists(customer)'
	refused 'the same again' ConditionalCheckFailedException 'The conditional request failed' \
		"${put[@]}" --condition-expression 'attribute_not_exists(customer)' \
		--return-values-on-condition-check-failure ALL_OLD
	does 'PutItem with a condition that holds' "${put[@]}" \
		--condition-expression 'amount BETWEEN :one AND :ten AND (attribute_type(note, :s) OR NOT attribute_exists(note))' \
		--expression-attribute-values '{":one": {"N": "1"}, ":ten": {"N": "10"}, ":s": {"S": "S"}}'
}

updates() {
	local update=(ddb update-item --table-name "$table" --key "$(order eve 1)")
	expect 'UpdateItem makes an item, ALL_NEW' '["eve","10",[{"S": "a"}],"open","5",["x","y"]]' \
		"${update[@]}" --return-values ALL_NEW --update-expression \
		'SET amount = if_not_exists(amount, :five) + :five, tags = :tags, #s = :open ADD visits :five, words :words' \
		--expression-attribute-names '{"#s": "status"}' --expression-attribute-values '{":five": {"N": "5"},
			":tags": {"L": [{"S": "a"}]}, ":open": {"S": "open"}, ":words": {"SS": ["x", "y"]}}' \
		--query 'Attributes.[customer.S, amount.N, tags.L, status.S, visits.N, sort(words.SS)]'
	expect 'UPDATED_NEW' '[["amount","tags","words"],"9.5",["a","b"],["y"]]' \
		"${update[@]}" --return-values UPDATED_NEW --update-expression \
		'SET tags = list_append(tags, :more), amount = amount - :half DELETE words :x REMOVE visits' \
		--expression-attribute-values '{":more": {"L": [{"S": "b"}]}, ":half": {"N": "0.5"}, ":x": {"SS": ["x"]}}' \
		--query 'Attributes.[sort(keys(@)), amount.N, tags.L[].S, words.SS]'
	expect 'UPDATED_OLD' '{"tags": {"L": [{"S": "b"}]}}' "${update[@]}" --return-values UPDATED_OLD \
		--update-expression 'SET tags[1] = :b' --expression-attribute-values '{":b": {"S": "B"}}' --query Attributes
	expect 'ALL_OLD' '["9.5",["a","B"],null]' "${update[@]}" --return-values ALL_OLD \
		--update-expression 'SET amount = :z, visits = amount REMOVE tags[0]' \
		--expression-attribute-values '{":z": {"N": "0"}}' --query 'Attributes.[amount.N, tags.L[].S, visits.N]'
	expect 'all updates together' '["0","9.5",["B"]]' ddb get-item --table-name "$table" --key "$(order eve 1)" \
		--query 'Item.[amount.N, visits.N, tags.L[].S]'
	refused 'UpdateItem of a key' ValidationException \
		'Cannot update attribute placed. This attribute is part of the key' \
		"${update[@]}" --update-expression 'SET placed = :p' --expression-attribute-values '{":p": {"S": "2"}}'
	refused 'a reserved word' ValidationException 'Attribute name is a reserved keyword; reserved keyword: status' \
		"${update[@]}" --update-expression 'SET status = :p' --expression-attribute-values '{":p": {"S": "2"}}'
}

deletes() {
	local delete=(ddb delete-item --table-name "$table" --key "$(order ada 1)" --return-values ALL_OLD)
	expect 'DeleteItem, ALL_OLD' "[\"$digits\",\"Ynl0ZXMh\"]" "${delete[@]}" --query 'Attributes.[whole.N, bytes.B]'
	expect 'DeleteItem again' '' "${delete[@]}"
}

batches() {
	local n keys=''
	for n in {00..39}; do order batch "$n" "\"amount\": {\"N\": \"$n\"}" && echo; done | fill "$table"
	does 'BatchWriteItem, a delete' ddb batch-write-item \
		--request-items "{\"$table\": [{\"DeleteRequest\": {\"Key\": $(order batch 39)}}]}"
	for n in {00..39}; do keys+="${keys:+,}$(order batch "$n")"; done
	expect 'BatchGetItem' '[39,"0","38",0]' ddb batch-get-item \
		--request-items "{\"$table\": {\"Keys\": [$keys], \"ConsistentRead\": true}}" --query "[
			length(Responses.\"$table\"), sort_by(Responses.\"$table\", &placed.S)[0].amount.N,
			sort_by(Responses.\"$table\", &placed.S)[-1].amount.N, length(keys(UnprocessedKeys))]"
	local twice
	twice="{\"PutRequest\": {\"Item\": $(order batch twice)}}"
	refused 'a key twice in a batch' ValidationException 'Provided list of item keys contains duplicates' \
		ddb batch-write-item --request-items "{\"$table\": [$twice, $twice]}"
}
