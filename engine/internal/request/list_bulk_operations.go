package request

import "sortkey.dev/engine/internal/dynamo"

// ListBulkOperations is a checked ListBulkOperationsInput.
type ListBulkOperations struct {
	Start string // list the operations after this position; empty: from the start
	Limit int
}

// CheckListBulkOperations checks the input of ListBulkOperations.
func CheckListBulkOperations(in *dynamo.ListBulkOperationsInput) (*ListBulkOperations, error) {
	req := &ListBulkOperations{Limit: 10}
	var v violations
	if in.MaxResults != nil {
		req.Limit = int(*in.MaxResults)
		v.atLeast(1, int64(*in.MaxResults), "maxResults")
		v.atMost(100, int64(*in.MaxResults), "maxResults")
	}
	if err := v.err(); err != nil {
		return nil, err
	}
	start, ok := ParseNextToken(in.NextToken)
	if !ok {
		return nil, invalid("Invalid Request: Provided nextToken is invalid: " + *in.NextToken)
	}
	req.Start = start
	return req, nil
}
