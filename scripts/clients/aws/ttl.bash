# Time to live: switched on, described, and an expired item vanishes and says so in the stream.
# shellcheck disable=SC2154 # variables of story and of the files beside this one

chapter() {
	table=aws-ttl
	create_shop "$table"
	local describe=(ddb describe-time-to-live --table-name "$table")
	local update=(ddb update-time-to-live --table-name "$table")
	local now year=$((365 * 24 * 3600))
	expect 'DescribeTimeToLive before' '"DISABLED"' "${describe[@]}" --query TimeToLiveDescription.TimeToLiveStatus
	expect 'UpdateTimeToLive' '[true,"expires"]' \
		"${update[@]}" --time-to-live-specification Enabled=true,AttributeName=expires \
		--query 'TimeToLiveSpecification.[Enabled, AttributeName]'
	eventually 'DescribeTimeToLive after' 30 '["ENABLED","expires"]' \
		"${describe[@]}" --query 'TimeToLiveDescription.[TimeToLiveStatus, AttributeName]'
	refused 'UpdateTimeToLive again' ValidationException 'TimeToLive is already enabled' \
		"${update[@]}" --time-to-live-specification Enabled=true,AttributeName=expires

	now=$(date +%s)
	{
		order ada expired "\"expires\": {\"N\": \"$((now - 60))\"}" && echo
		order ada later "\"expires\": {\"N\": \"$((now + 3600))\"}" && echo
		order ada ancient "\"expires\": {\"N\": \"$((now - 6 * year))\"}" && echo # more than five years ago: kept
		order ada text "\"expires\": {\"S\": \"$((now - 60))\"}" && echo         # not a number: kept
		order ada never && echo
	} | fill "$table"
	eventually 'the expired item is gone, the others stay' 30 '["ancient","later","never","text"]' \
		ddb query --table-name "$table" --key-condition-expression 'customer = :c' \
		--expression-attribute-values '{":c": {"S": "ada"}}' --query 'Items[].placed.S'

	follow 6 "join(' ', [eventName, not_null(dynamodb.OldImage.expires.N, '-'), not_null(userIdentity.Type, '-'),
		not_null(userIdentity.PrincipalId, '-')])" "$(iterators "$(stream_of "$table")" TRIM_HORIZON)"
	same 'the REMOVE record names the service' "REMOVE $((now - 60)) Service dynamodb.amazonaws.com" \
		"$(printf '%s' "$records" | grep REMOVE)"
	drop_shop "$table"
	tell 'switched on, described, an expired item vanished, its record names the service'
}
