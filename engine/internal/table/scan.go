package table

import (
	"bytes"
	"context"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
	"sortkey.dev/engine/internal/rowformat"
)

// Scan reads all items of a table or index, or one segment of them.
func (s *Tables) Scan(ctx context.Context, req *request.Scan) (*dynamo.ScanOutput, error) {
	src, err := s.source(&req.Page, refuseScan)
	if err != nil {
		return nil, err
	}
	segment, total := req.Segment, max(1, req.TotalSegments)
	lo, hi := rowformat.SegmentSpan(src.path(), segment, total)
	if req.Start != nil {
		start, err := src.scanStart(req.Start)
		if err != nil {
			return nil, err
		}
		if bytes.Compare(start, lo) < 0 || bytes.Compare(start, hi) >= 0 {
			return nil, dynamo.Invalid("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. TotalSegments: %d Segment: %d", total, segment)
		}
		lo = append(start, 0)
	}
	if err := checkProjection(src.table, req.Projection); err != nil {
		return nil, err
	}
	if err := src.checkSelect(&req.Page); err != nil {
		return nil, err
	}
	if err := checkCondition(src.table, req.Filter); err != nil {
		return nil, err
	}
	return s.page(ctx, src, &req.Page, rowRange{lo: lo, hi: hi, partitions: src.partitions()})
}

// refuseScan returns the error for a scan of a vector index.
func refuseScan(*request.Page) error {
	return dynamo.Invalid("Scan operation not supported on this index type")
}

// scanStart is startRow with the messages of Scan.
func (s source) scanStart(start dynamo.Item) ([]byte, error) {
	if s.index == nil {
		if err := checkKey(s.table, start); err != nil {
			return nil, dynamo.Invalid("The provided starting key is invalid: The provided key element does not match the schema")
		}
	}
	return s.startRow(start)
}
