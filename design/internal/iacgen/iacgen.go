// Package iacgen generates infrastructure code for the tables of a design: CloudFormation,
// SAM, Terraform, and requests for CreateTable, with autoscaling and alarms; and the policies
// of package iamgen in the same formats.
//
// It takes a layout and its estimate, from which it computes unstated capacity and the
// thresholds of alarms. Package design calls it.
package iacgen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/resolve"
)

// Input holds the input of Write.
type Input struct {
	Layout   *resolve.Layout
	Estimate *cost.Estimate  // of the same layout
	Policies []iamgen.Policy // written into SAM templates
	Prefix   string          // prefix of the names of tables; a parameter in templates
	KMSKey   string          // of tables encrypted with a customer managed key
	// Shape returns the tags that say what the items of a table look like, where they are not as the layout says; nil: all
	// are.
	Shape func(table string) map[string]string
}

// A File is one file of infrastructure code.
type File struct {
	Name string
	Text []byte
}

// An Output holds the files of one format.
type Output struct {
	Files []File
	Notes []string // manual steps that the files cannot express
}

// Formats lists the names of the formats.
var Formats = []string{"cloudformation", "sam", "terraform", "createtable"}

// Write returns the infrastructure code in a format.
func Write(format string, in Input) (*Output, error) {
	names := newNames()
	all := tablesOf(in, names)
	switch format {
	case "cloudformation":
		return &Output{Files: []File{{"template.yaml", cloudFormation(in, all, false)}}}, nil
	case "sam":
		return &Output{Files: []File{{"template.yaml", cloudFormation(in, all, true)}}}, nil
	case "terraform":
		if usesKey(all) && in.KMSKey != "" && !strings.HasPrefix(in.KMSKey, "arn:") {
			return nil, fmt.Errorf("the Terraform provider needs the ARN of the key, and %s is not an ARN", in.KMSKey)
		}
		return &Output{Files: []File{{"main.tf", terraform(in, all)}}}, nil
	case "createtable":
		return createTables(in, all)
	}
	return nil, fmt.Errorf("there is no format %s", format)
}
