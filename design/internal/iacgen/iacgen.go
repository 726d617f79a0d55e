// Package iacgen writes the tables of a design as infrastructure code: CloudFormation, SAM,
// Terraform, and the JSON that CreateTable takes, with autoscaling and alarms; and the
// policies of package iamgen in the same languages.
//
// It takes a layout and its price, which tells the capacity that a design leaves open and
// what load the alarms compare with. It writes text and calls nothing. The front door calls it.
package iacgen

import (
	"fmt"
	"strings"

	"sortkey.dev/design/internal/cost"
	"sortkey.dev/design/internal/iamgen"
	"sortkey.dev/design/internal/resolve"
)

// Input is what infrastructure is written from.
type Input struct {
	Layout   *resolve.Layout
	Estimate *cost.Estimate  // of the same layout
	Policies []iamgen.Policy // written into SAM templates
	Prefix   string          // in front of the names of tables; templates have it as a parameter
	KMSKey   string          // of tables that are encrypted with a key of the account
}

// A File is one file of infrastructure code.
type File struct {
	Name string
	Text []byte
}

// An Output is what one format comes to.
type Output struct {
	Files []File
	Notes []string // what the files cannot say and somebody must do
}

// Formats are the names of the formats.
var Formats = []string{"cloudformation", "sam", "terraform", "createtable"}

// Write writes the infrastructure in a format.
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
			return nil, fmt.Errorf("the provider for Terraform takes a key by its ARN, and %s is none", in.KMSKey)
		}
		return &Output{Files: []File{{"main.tf", terraform(in, all)}}}, nil
	case "createtable":
		return createTables(in, all)
	}
	return nil, fmt.Errorf("there is no format %s", format)
}
