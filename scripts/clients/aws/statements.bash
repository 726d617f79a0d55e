# Statements of PartiQL: selects in pages, writes, what they refuse, batches, transactions.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

chapter() {
	table=aws-statements
	create_shop "$table"
	local n
	for n in 1 2 3; do
		does 'INSERT' run "INSERT INTO \"$table\" VALUE {'customer': 'ada', 'placed': ?, 'amount': ?}" --parameters "[{\"S\": \"$n\"}, {\"N\": \"${n}0\"}]"
	done
	refused 'INSERT of a key that is there' DuplicateItemException 'Duplicate primary key exists in table' \
		run "INSERT INTO \"$table\" VALUE {'customer': 'ada', 'placed': '1'}"
	expect 'UPDATE RETURNING' '[{"amount": {"N": "35"}}]' \
		run "UPDATE \"$table\" SET amount = amount + 5 WHERE customer = 'ada' AND placed = '3' RETURNING MODIFIED NEW *" --query Items
	expect 'SELECT' '["35","20"]' \
		run "SELECT amount FROM \"$table\" WHERE customer = 'ada' AND amount > 10 ORDER BY placed DESC" --query 'Items[].amount.N'
	refused 'a statement that is none' ValidationException "Statement wasn't well formed, can't be processed: Expected data manipulation" run 'SLECT 1'
	expect 'a batch' '["ValidationError","10"]' ddb batch-execute-statement --query '[Responses[0].Error.Code, Responses[1].Item.amount.N]' \
		--statements "[{\"Statement\": \"SLECT 1\"}, {\"Statement\": \"SELECT amount FROM \\\"$table\\\" WHERE customer = 'ada' AND placed = '1'\"}]"
	expect 'a transaction' '[]' ddb execute-transaction --query Responses \
		--transact-statements "[{\"Statement\": \"DELETE FROM \\\"$table\\\" WHERE customer = 'ada' AND placed = '1' AND amount = 10\"}]"
	drop_shop "$table"
	tell 'inserted, updated, selected, in a batch, in a transaction, refused'
}

# run STATEMENT [ARGUMENT...] carries out a statement.
run() {
	local statement=$1
	shift
	ddb execute-statement --statement "$statement" "$@"
}
