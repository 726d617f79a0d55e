package dynamo

// ScanInput is the input of Scan.
type ScanInput struct {
	PageParameters
	ScanFilter    []RawCondition
	Segment       *int32
	TotalSegments *int32
}

// ScanOutput is the output of Scan.
type ScanOutput = PageOutput
