// Package library knows which names of other packages generated code uses, and where they
// are. Rooms that build code ask it for every such name, so that a name that moves to another
// package changes one table here and nothing else.
//
// It holds no names of generated packages; those are made in package naming.
package library

import (
	"slices"
	"strings"

	"sortkey.dev/design/internal/gogen/internal/syntax"
)

// packages maps the names by which generated code uses packages to their import paths. No
// name in a generated package is one of these.
var packages = map[string]string{
	"access":    "sortkey.dev/access",
	"call":      "sortkey.dev/access/call",
	"context":   "context",
	"dynamodb":  "github.com/aws/aws-sdk-go-v2/service/dynamodb",
	"engine":    "sortkey.dev/engine",
	"errors":    "errors",
	"fmt":       "fmt",
	"iter":      "iter",
	"json":      "encoding/json",
	"maps":      "maps",
	"marshal":   "sortkey.dev/access/marshal",
	"provision": "sortkey.dev/access/provision",
	"shape":     "sortkey.dev/access/shape",
	"slices":    "slices",
	"stream":    "sortkey.dev/access/stream",
	"strings":   "strings",
	"testing":   "testing",
	"time":      "time",
	"types":     "github.com/aws/aws-sdk-go-v2/service/dynamodb/types",
}

// partPackage is what only the description of a change uses. Generated functions may have a parameter of its name.
const partPackage = "sortkey.dev/access/part"

// accessNames and callNames list the names of packages access and access/call that generated
// code uses. All other names of our own library are in access/marshal.
var (
	accessNames = strings.Fields(`API Client Date Decimal DecimalOf Design ErrTruncated Item KeyValue List NewClient NewSealer Option
		ParseDate ParseDecimal ParseWeek Pattern Scan StateRow TakenError Week WithSealer WithoutState WriteOption`)
	callNames = strings.Fields(`Absent Action Agree Alike AndOneOf BatchGetKeys BatchSum BatchWrite Check CollectAll CollectOfBoth Delete
		DeleteItem FailWrites FaultOf Get GetMany GetOne Gets Into Join ListNotYet ListOfBoth MergeGuards NewExpression NewTx OneOf Part Present Put PutItem Query QueryOne
		ReadSnapshot Request Same SetOrRemove Snapshot Sweep Transact Tx Update UpdateItem`)
)

// Packages returns the names by which generated code uses packages.
func Packages() []string {
	var all []string
	for name := range packages {
		all = append(all, name)
	}
	return all
}

// IsPackage reports whether generated code uses a package by this name.
func IsPackage(name string) bool { return packages[name] != "" }

// Access returns a name of our own library, of the package that has it.
func Access(name string) syntax.Expr {
	switch {
	case slices.Contains(accessNames, name):
		return Of("access", name)
	case slices.Contains(callNames, name):
		return Of("call", name)
	}
	return Of("marshal", name)
}

// Call calls a function of our own library, or converts to a type of it.
func Call(name string, args ...syntax.Expr) *syntax.Call {
	return syntax.CallOf(Access(name), args...)
}

// Of returns a name of one of the known packages.
func Of(pkg, name string) syntax.Expr {
	if pkg == "part" {
		return &syntax.Qualified{Path: partPackage, Package: pkg, Name: name}
	}
	return &syntax.Qualified{Path: packages[pkg], Package: pkg, Name: name}
}

// AttributeValue returns the SDK's type of stored values.
func AttributeValue() syntax.Expr { return Of("types", "AttributeValue") }
