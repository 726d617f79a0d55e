package request

import (
	"cmp"
	"strings"

	"sortkey.dev/engine/internal/dynamo"
)

// StartBulkPutItems is a checked StartBulkPutItemsInput.
type StartBulkPutItems struct {
	Table    string // as the request names it: a name or an ARN
	Token    string // empty: none was sent
	Input    dynamo.InputS3Configuration
	Output   dynamo.OutputS3Configuration
	MaxUnits int64 // per second; 0: no limit
	Tier     string
}

// CheckStartBulkPutItems checks the input of StartBulkPutItems.
func CheckStartBulkPutItems(in *dynamo.StartBulkPutItemsInput) (*StartBulkPutItems, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	v.bulkInput(in.InputS3Configuration)
	v.bulkOutput(in.OutputS3Configuration)
	if in.MaxWriteRequestUnits != nil {
		v.atLeast(1024, *in.MaxWriteRequestUnits, "maxWriteRequestUnits")
	}
	if in.ClientToken != nil {
		v.length(1, 64, *in.ClientToken, "clientToken")
	}
	bulkTiers.check(in.PerformanceTier, &v)
	v.existingTable(*in.TableName)
	if err := v.err(); err != nil {
		return nil, err
	}
	if in.InputS3Configuration.InputFormat == dynamo.BulkFormatIon {
		return nil, invalid("sortkey does not read the format ION: use DYNAMODB_JSON")
	}
	return &StartBulkPutItems{
		Table:    *in.TableName,
		Token:    textOf(in.ClientToken),
		Input:    *in.InputS3Configuration,
		Output:   *in.OutputS3Configuration,
		MaxUnits: unitsOf(in.MaxWriteRequestUnits),
		Tier:     cmp.Or(in.PerformanceTier, "STANDARD"),
	}, nil
}

func (v *violations) bulkInput(c *dynamo.InputS3Configuration) {
	const path = "inputS3Configuration"
	if c == nil {
		v.missing(path)
		return
	}
	v.bucket(c.S3Bucket, path+".s3Bucket")
	v.keyPrefix(c.S3KeyPrefix, path+".s3KeyPrefix")
	bulkFormats.require(path+".inputFormat", c.InputFormat, v)
	bulkCompressions.checkAt(path+".inputCompressionType", c.InputCompressionType, v)
}

func (v *violations) bulkOutput(c *dynamo.OutputS3Configuration) {
	const path = "outputS3Configuration"
	if c == nil {
		v.missing(path)
		return
	}
	v.bucket(c.S3Bucket, path+".s3Bucket")
	v.keyPrefix(c.S3KeyPrefix, path+".s3KeyPrefix")
	encryptionTypes.checkAt(path+".s3SseAlgorithm", c.S3SseAlgorithm, v)
	if len(c.OutputType) == 0 {
		v.missing(path + ".outputType")
	}
	for i, kind := range c.OutputType {
		bulkReports.require(memberPath(path+".outputType", i), kind, v)
	}
}

// bucket checks the name of a bucket, which is a folder name here.
func (v *violations) bucket(name *string, path string) {
	switch {
	case name == nil:
		v.missing(path)
	case !isName(*name) || strings.Trim(*name, ".-") != *name:
		v.broken(*name, path, "Member must satisfy regular expression pattern: ^[a-z0-9A-Z]+[\\.\\-\\w]*[a-z0-9A-Z]+$")
	default:
		v.length(1, 255, *name, path)
	}
}

// keyPrefix checks the prefix of the names of objects. It is a file path here, and must
// not lead out of its folder.
func (v *violations) keyPrefix(prefix *string, path string) {
	if prefix == nil {
		return
	}
	v.length(0, 1024, *prefix, path)
	for part := range strings.SplitSeq(*prefix, "/") {
		if part == "." || part == ".." {
			v.broken(*prefix, path, "Member must not have the parts . and ..")
			return
		}
	}
}
