package request

import "sortkey.dev/engine/internal/dynamo"

// CheckListExports checks the input of ListExports.
func CheckListExports(in *dynamo.ListExportsInput) error {
	return checkListOf(in.TableArn, in.MaxResults, "maxResults")
}

// checkListOf checks the members of a list that may be limited to one table.
func checkListOf(tableARN *string, size *int32, path string) error {
	var v violations
	if tableARN != nil {
		v.length(1, maxARNLength, *tableARN, "tableArn")
	}
	if size != nil {
		v.atLeast(1, int64(*size), path)
		v.atMost(25, int64(*size), path)
	}
	if err := v.err(); err != nil {
		return err
	}
	if tableARN != nil {
		if _, ok := ParseTableARN(*tableARN); !ok {
			return invalid("tableArn is not a valid ARN")
		}
	}
	return nil
}
