package request

import (
	"encoding/base64"

	"sortkey.dev/engine/internal/dynamo"
)

// ListContributorInsights is a checked ListContributorInsightsInput.
type ListContributorInsights struct {
	Table string // as the request names it; empty: all tables
	Start string // list the entries after this position; empty: from the start
	Limit int
}

// maxListedInsights is the maximum and the default of MaxResults.
const maxListedInsights = 100

// CheckListContributorInsights checks the input of ListContributorInsights.
func CheckListContributorInsights(in *dynamo.ListContributorInsightsInput) (*ListContributorInsights, error) {
	var v violations
	req := &ListContributorInsights{Table: textOf(in.TableName), Limit: maxListedInsights}
	if in.TableName != nil {
		v.existingTable(*in.TableName)
	}
	if in.MaxResults != 0 {
		req.Limit = int(in.MaxResults)
		v.atLeast(1, int64(in.MaxResults), "maxResults")
		v.atMost(maxListedInsights, int64(in.MaxResults), "maxResults")
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

// NextToken returns the token that continues a list after a position.
func NextToken(place string) *string {
	return new(base64.RawURLEncoding.EncodeToString([]byte(place)))
}

// ParseNextToken returns the position of a token, empty when none was sent.
func ParseNextToken(token *string) (place string, ok bool) {
	if token == nil {
		return "", true
	}
	b, err := base64.RawURLEncoding.DecodeString(*token)
	return string(b), err == nil && len(b) > 0
}
