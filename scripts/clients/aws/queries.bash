# Queries and scans: key conditions, filters, pages, both directions, indexes, segments.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

chapter() {
	table=aws-queries
	create_shop "$table"
	orders | fill "$table"
	key_conditions
	filters_and_counts
	pages
	indexes
	scans
	drop_shop "$table"
	tell 'key conditions, filters, counts, pages, reverse, global and local index, scan in 4 segments'
}

# orders prints 40 orders of ada and 60 of others. The local index sorts numbers as numbers: 9 before 10 before 100.
orders() {
	local n status
	for n in {00..39}; do
		status=open
		[ $((10#$n % 4)) -ne 0 ] || status='done'
		order ada "$n" "\"status\": {\"S\": \"$status\"}, \"note\": {\"S\": \"n$n\"},
			\"amount\": {\"N\": \"$((10#$n * 7 % 40 * 5 - 20))\"}" | tr -d '\n\t' && echo
	done
	for n in {0..59}; do order "customer $n" 00 '"status": {"S": "other"}' && echo; done
}

# adas CONDITION VALUES [ARGUMENT...] asks for ada's orders.
adas() {
	local condition=$1 values=$2
	shift 2
	ddb query --table-name "$table" --key-condition-expression "customer = :c$condition" \
		--expression-attribute-values "{\":c\": {\"S\": \"ada\"}$values}" "$@"
}

placed="join(' ', Items[].placed.S)"

key_conditions() {
	expect 'begins_with' '"20 21 22 23 24 25 26 27 28 29"' \
		adas ' AND begins_with(placed, :p)' ', ":p": {"S": "2"}' --query "$placed"
	expect 'between' '"09 10 11"' \
		adas ' AND placed BETWEEN :a AND :b' ', ":a": {"S": "09"}, ":b": {"S": "11"}' --query "$placed"
	expect 'greater' '"38 39"' adas ' AND placed > :p' ', ":p": {"S": "37"}' --query "$placed"
	expect 'reverse' '"02 01 00"' \
		adas ' AND placed <= :p' ', ":p": {"S": "02"}' --no-scan-index-forward --query "$placed"
	expect 'equal' '"17"' adas ' AND placed = :p' ', ":p": {"S": "17"}' --query "$placed"
	refused 'a filter on a key' ValidationException 'Filter Expression can only contain non-primary key attributes' \
		adas '' '' --filter-expression 'placed = :c'
}

filters_and_counts() {
	expect 'filter' '[2,40,["n00","n04"]]' \
		adas '' ', ":done": {"S": "done"}, ":x": {"S": "n00"}, ":y": {"S": "n01"}, ":z": {"S": "n04"}' \
		--filter-expression '#s = :done AND note IN (:x, :y, :z)' --expression-attribute-names '{"#s": "status"}' \
		--projection-expression note --query '[Count, ScannedCount, Items[].note.S]'
	expect 'COUNT' '[16,40,null]' adas '' ', ":a": {"N": "100"}' --filter-expression 'amount >= :a' \
		--select COUNT --query '[Count, ScannedCount, Items]'
}

pages() {
	local token
	# A page that ends exactly at the last item still names a key; the next page is empty.
	expect 'a page by hand' '["00","00"]' adas ' AND placed < :p' ', ":p": {"S": "30"}' --limit 30 \
		--no-scan-index-forward --query '[Items[-1].placed.S, LastEvaluatedKey.placed.S]'
	expect 'the page after the last' '[0,null]' adas ' AND placed < :p' ', ":p": {"S": "30"}' --limit 30 \
		--no-scan-index-forward --exclusive-start-key "$(order ada 00)" --query '[Count, LastEvaluatedKey]'
	expect 'pages of 7, first 17 items' '[17,"00","16"]' adas '' '' --page-size 7 --max-items 17 \
		--query '[length(Items), Items[0].placed.S, Items[-1].placed.S]'
	does 'where to go on' adas '' '' --page-size 7 --max-items 17 --query NextToken
	token=${came//\"/}
	expect 'the rest' '[23,"17","39"]' adas '' '' --page-size 7 --starting-token "$token" \
		--query '[length(Items), Items[0].placed.S, Items[-1].placed.S]'
}

indexes() {
	expect 'global index' '["00 04 08",{"customer": {"S": "ada"},"placed": {"S": "08"},"status": {"S": "done"}}]' \
		by_status 'done' --limit 3 --query \
		"[$placed, LastEvaluatedKey.{customer: customer, placed: placed, status: status}]"
	expect 'global index: next page' '"12 16 20 24 28 32 36"' by_status 'done' --query "$placed" \
		--exclusive-start-key "$(order ada 08 '"status": {"S": "done"}')"
	expect 'global index: many partitions' 60 by_status other --query 'length(Items)'
	does 'UpdateItem' ddb update-item --table-name "$table" --key "$(order 'customer 7' 00)" \
		--update-expression 'REMOVE #s' --expression-attribute-names '{"#s": "status"}'
	expect 'global index: sparse' 59 by_status other --query 'length(Items)'
	expect 'local index' '["-10 -5 0 5 10 15",["amount","customer","note","placed"]]' \
		adas ' AND amount BETWEEN :a AND :b' ', ":a": {"N": "-10"}, ":b": {"N": "15"}' --index-name ByAmount \
		--query "[join(' ', Items[].amount.N), sort(keys(Items[0]))]"
	refused 'a consistent read of a global index' ValidationException \
		'Consistent reads are not supported on global secondary indexes' by_status 'done' --consistent-read
}

by_status() {
	local status=$1
	shift
	ddb query --table-name "$table" --index-name ByStatus --key-condition-expression '#s = :s' \
		--expression-attribute-names '{"#s": "status"}' --expression-attribute-values "{\":s\": {\"S\": \"$status\"}}" "$@"
}

scans() {
	local segment workers=()
	for segment in 0 1 2 3; do
		aws dynamodb scan --table-name "$table" --segment "$segment" --total-segments 4 --page-size 9 --output text \
			--query 'Items[].[customer.S, placed.S]' >"$scratch/segment-$segment" &
		workers+=($!)
	done
	for segment in "${workers[@]}"; do wait "$segment" || surprise 'parallel scan' 'an answer' 'a failure, see above'; done
	same 'parallel scan: all keys, each once' \
		"$({ for n in {00..39}; do printf 'ada\t%s\n' "$n"; done; for n in {0..59}; do printf 'customer %s\t00\n' "$n"; done; } | sort)" \
		"$(sort "$scratch"/segment-*)"
	expect 'scan with a filter' '[12,100]' ddb scan --table-name "$table" \
		--filter-expression 'contains(note, :three) AND NOT begins_with(note, :n)' \
		--expression-attribute-values '{":three": {"S": "3"}, ":n": {"S": "n0"}}' --query '[Count, ScannedCount]'
	expect 'scan of the sparse index' 99 ddb scan --table-name "$table" --index-name ByStatus --query 'length(Items)'
}
