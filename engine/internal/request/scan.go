package request

import (
	"strconv"

	"sortkey.dev/engine/internal/dynamo"
)

// Scan is a checked ScanInput.
type Scan struct {
	Page
	Segment       int
	TotalSegments int // 0: not a parallel scan
}

// CheckScan checks the input of Scan.
func CheckScan(in *dynamo.ScanInput) (*Scan, error) {
	if err := checkScanMembers(in); err != nil {
		return nil, err
	}
	scan := &Scan{Page: pageOf(&in.PageParameters)}
	if err := scan.checkUse(in); err != nil {
		return nil, err
	}
	if err := scan.checkSelect(&in.PageParameters); err != nil {
		return nil, err
	}
	return scan, nil
}

// checkScanMembers checks single members.
func checkScanMembers(in *dynamo.ScanInput) error {
	var v violations
	selects.check(in.Select, &v)
	v.indexName(in.IndexName)
	if in.TotalSegments != nil {
		v.atLeast(1, int64(*in.TotalSegments), "totalSegments")
		v.atMost(dynamo.MaxSegments, int64(*in.TotalSegments), "totalSegments")
	}
	capacityDetails.check(in.ReturnConsumedCapacity, &v)
	v.tableName(in.TableName)
	if in.Segment != nil {
		v.atLeast(0, int64(*in.Segment), "segment")
		v.atMost(dynamo.MaxSegments-1, int64(*in.Segment), "segment")
	}
	if in.Limit != nil {
		v.atLeast(1, int64(*in.Limit), "limit")
	}
	v.legacy(&in.PageParameters)
	v.conditions("scanFilter", in.ScanFilter)
	return v.err()
}

// checkUse checks how the parameters are combined and parses the expressions.
func (scan *Scan) checkUse(in *dynamo.ScanInput) error {
	use := usage{
		expressions: expressions{
			{projectionExpression, in.ProjectionExpression},
			{"FilterExpression", in.FilterExpression},
		},
		legacy: legacyParameters{
			{attributesToGet, len(in.AttributesToGet) > 0},
			{"ScanFilter", len(in.ScanFilter) > 0},
			{"ConditionalOperator", in.ConditionalOperator != ""},
		},
		names: in.Names, values: &in.Values,
		valuesTail: ": FilterExpression is null",
		layer:      olderValues,

		conditionalOperator: in.ConditionalOperator, conditions: len(in.ScanFilter),
	}
	if err := use.check(); err != nil {
		return err
	}
	if err := olderValues.checkStartKey(in.ExclusiveStartKey); err != nil {
		return err
	}
	if err := scan.checkSegments(in.Segment, in.TotalSegments); err != nil {
		return err
	}
	if in.FilterExpression == nil && in.ProjectionExpression == nil {
		return scan.translate(in)
	}
	scope, err := use.scope()
	if err != nil {
		return err
	}
	if err := scan.parse(scope, &in.PageParameters); err != nil {
		return err
	}
	return scope.CheckUnused()
}

// translate translates the parameters of the API before expressions.
func (scan *Scan) translate(in *dynamo.ScanInput) (err error) {
	if scan.Filter, err = olderValues.filter("ScanFilter", in.ScanFilter, in.ConditionalOperator); err != nil {
		return err
	}
	scan.Projection, err = projectionOf(in.AttributesToGet)
	return err
}

// checkSegments checks that both parameters of a parallel scan were sent and are consistent.
func (scan *Scan) checkSegments(segment, total *int32) error {
	switch {
	case segment == nil && total == nil:
		return nil
	case total == nil:
		return invalid("The TotalSegments parameter is required but was not present in the request when Segment parameter is present")
	case segment == nil:
		return invalid("The Segment parameter is required but was not present in the request when parameter TotalSegments is present")
	}
	scan.Segment, scan.TotalSegments = int(*segment), int(*total)
	if scan.Segment < scan.TotalSegments {
		return nil
	}
	return invalid("The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: " +
		strconv.Itoa(scan.Segment) + " is not less than TotalSegments: " + strconv.Itoa(scan.TotalSegments))
}
