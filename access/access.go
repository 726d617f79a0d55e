// Package access is the library that generated packages use: typed lists with cursors,
// errors that say why a write failed, options, observers, exact numbers, dates and ids.
//
// Programs use it together with the package that sortkey generates from a design: they
// give its New an [API] and [Option] values, and get lists, items and errors of this package
// back. Package marshal and package call hold what generated code alone calls. All three
// need the AWS SDK and nothing else: a program on AWS links neither the design compiler nor
// the engine.
package access

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An Item is an item or a key as the SDK represents it.
type Item = map[string]types.AttributeValue

// API holds the operations of DynamoDB that generated code calls. *dynamodb.Client
// implements it, and so does the API of an embedded engine.
type API interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	TransactGetItems(context.Context, *dynamodb.TransactGetItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactGetItemsOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// A Tx is a transaction of a generated package. The Join method of another generated package
// adds writes to it: an item of one package and an item of another are then written together
// or not at all.
type Tx interface {
	Len() int // number of actions
	Commit(ctx context.Context, options ...WriteOption) error
}

// A Design identifies the design that a package was generated from.
type Design struct {
	Name string
	Hash string // changes with everything a cursor depends on
	// Versions lists the versions of the design's history that the package holds: one, or two that a migration leads from and to.
	// Without a history it is empty, and no state row is read.
	Versions []int
	State    StateRow
	Change   Change // of a package that holds two versions
}

// A Pattern describes an access pattern. A generated package lists its own in Patterns.
type Pattern struct {
	Name  string  // as in the design: ListAttemptsByProject
	Table string  // the table as the design names it; of a transaction that of its first action
	Index string  // "" or the index that is read
	Units float64 // estimated capacity units of one call: read units of a read, write units of a write
	// Keys lists the attributes that place an item on the path: the partition and sort key
	// attributes of the index, then those of the table, each once. Reads only.
	Keys []string
	// Sort lists the sort key attributes of the path, in order. Reads only.
	Sort []string
	// Cursors changes with everything that a cursor of the pattern depends on: the path and what its keys are made of. Lists only.
	Cursors string
	// Parts names the parts of the items that the pattern reads, if the package holds two versions of the design in which they differ.
	Parts []string
}

// Path returns the pattern's path as a design's report writes it: ExamBuddyTable.GSI2.
func (p *Pattern) Path() string {
	if p.Index == "" {
		return p.Table
	}
	return p.Table + "." + p.Index
}

// A Client calls DynamoDB for a generated package. It is safe for concurrent use.
type Client struct {
	api     API
	design  Design
	options Options

	lease *lease // nil: requests need none
	// Of a client that Begin returned, else of requests in any epoch:
	epoch    int64
	phase    Phase
	paths    map[string]int64
	verified bool                      // the new parts of all items
	guard    []func(*dynamodb.Options) // compares the lease in the SDK's client
}

// NewClient returns the client of a generated package, whose New calls it.
func NewClient(api API, design Design, options ...Option) *Client {
	c := &Client{api: api, design: design, options: newOptions(options)}
	c.phase = c.options.phase
	if len(design.Versions) > 0 && !c.options.stateless {
		c.lease = newLease(c)
		c.guard = newFence(c.lease, 0).options
	}
	return c
}

// API returns the DynamoDB that the client calls.
func (c *Client) API() API { return c.api }

// Design returns the design of the generated package.
func (c *Client) Design() Design { return c.design }

// Options returns the options of the client.
func (c *Client) Options() Options { return c.options }

// Table returns the name that a table of the design has in DynamoDB.
func (c *Client) Table(name string) string { return c.options.TableName(name) }
