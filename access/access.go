// Package access is what generated code calls at run time: typed lists with cursors,
// writes whose failures say what was in the way, transactions, batches, scans, and an
// observer that sees every call. It stands on the AWS SDK alone, so a program on AWS
// links nothing of the design compiler and no engine.
//
// Programs meet List, Page, the errors, Observer and the options. Get, Query, Write and
// the builders of keys and values are for generated code, which fills them from a design.
package access

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// An Item is an item or a key as the SDK carries it.
type Item = map[string]types.AttributeValue

// API is what generated code needs of DynamoDB. *dynamodb.Client has it, and so does
// everything that stands in for one.
type API interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	Scan(context.Context, *dynamodb.ScanInput, ...func(*dynamodb.Options)) (*dynamodb.ScanOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	BatchWriteItem(context.Context, *dynamodb.BatchWriteItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchWriteItemOutput, error)
}

// A Design is what a client knows of the design its code was generated from.
type Design struct {
	Name string
	Hash string // changes with everything a cursor depends on
}

// A Pattern is what is known of an access pattern before it is called.
type Pattern struct {
	Name  string  // as in the design: ListAttemptsByProject
	Table string  // the table as the design names it; of a transaction that of its first action
	Index string  // "" or the index that is read
	Units float64 // what one call should take: read units of a read, write units of a write
	// Keys are the attributes that place an item on the path: the partition and sort key
	// attributes of the index, then those of the table, each once. Reads only.
	Keys []string
	// Sort are the sort key attributes of the path, in order. Reads only.
	Sort []string
}

// Path is the pattern's path as a design's report writes it: ExamBuddyTable.GSI2.
func (p *Pattern) Path() string {
	if p.Index == "" {
		return p.Table
	}
	return p.Table + "." + p.Index
}

// A Client is a database as generated code sees it. It is safe for use by many
// goroutines at once.
type Client struct {
	api         API
	design      Design
	cursorKey   []byte
	observer    Observer
	sealer      Sealer
	tableName   func(string) string
	concurrency int
	retry       retryPolicy
}

// NewClient makes a client of a generated package; its New calls it.
func NewClient(api API, design Design, options ...Option) *Client {
	c := &Client{api: api, design: design, concurrency: 16, retry: defaultRetry, tableName: func(name string) string { return name }}
	for _, option := range options {
		option(c)
	}
	return c
}

// API is the DynamoDB the client calls.
func (c *Client) API() API { return c.api }

// Table is the real name of a table of the design.
func (c *Client) Table(name string) string { return c.tableName(name) }
