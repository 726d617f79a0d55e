package request

import "strings"

// A Resource is a table or a stream whose policy a request names.
type Resource struct {
	ARN   string // as sent
	Table TableARN
	Label string // of the stream; empty: the table
}

// maxResourceARN is the length of the longest ARN of a resource with a policy.
const maxResourceARN = 1283

// resourceOf returns the resource that an ARN names.
func resourceOf(arn string) (Resource, error) {
	if stream, ok := ParseStreamARN(arn); ok {
		return Resource{ARN: arn, Table: stream.Table, Label: stream.Label}, nil
	}
	if table, ok := ParseTableARN(arn); ok {
		return Resource{ARN: arn, Table: table}, nil
	}
	switch {
	case !strings.HasPrefix(arn, "arn:"):
		return Resource{}, invalid(invalidParameter + "ARNs must start with 'arn:': " + arn)
	case strings.Contains(arn, "/index/"):
		return Resource{}, invalid(invalidParameter + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + arn)
	default:
		return Resource{}, invalid(invalidParameter + "Provided Arn is not a DynamoDB resource arn: " + arn)
	}
}

// resource checks the members that all operations on policies share.
func (v *violations) resource(arn, expected *string) {
	if arn == nil {
		v.missing("resourceArn")
	} else {
		v.length(1, maxResourceARN, *arn, "resourceArn")
	}
	if expected != nil {
		v.length(1, 255, *expected, "expectedRevisionId")
	}
}
