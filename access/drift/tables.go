package drift

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access/provision"
	"sortkey.dev/access/shape"
)

// table compares a table with its definition. It returns the table if its items can be compared.
func (c *checker) table(ctx context.Context, want provision.Table) (*table, error) {
	name, of := c.Tables.TableNames(want.Name), want.Shape
	want.Shape = nil // provision would read items, without a limit
	changes, err := provision.Apply(ctx, c.api, []provision.Table{want}, c.Tables)
	refused, isRefused := errors.AsType[*provision.RefusedError](err)
	if err != nil && !isRefused {
		return nil, err
	}
	if isRefused {
		for _, reason := range refused.Reasons {
			c.add(TableDiffers, name, reason.Text, nil)
		}
	}
	for _, change := range changes {
		switch {
		case change.Unsupported != "":
			c.leaveOut("%s of %s: this endpoint does not support it", change.Unsupported, name)
		case change.Action == provision.CreateTable:
			c.add(TableDiffers, name, "there is no such table", nil)
			return nil, nil
		case change.Surplus && change.Action == provision.ChangeTags: // those of other tools
		default:
			c.add(TableDiffers, name, "apply would "+change.Text, nil)
		}
	}
	out, err := c.api.DescribeTable(ctx, &dynamodb.DescribeTableInput{TableName: &name})
	if err != nil {
		return nil, fmt.Errorf("look at table %s: %w", name, err)
	}
	if of == nil {
		c.leaveOut("items of %s: its definition does not say what they look like", name)
		return nil, nil
	}
	if err := c.tags(ctx, name, of, out.Table); err != nil {
		return nil, fmt.Errorf("read tags of table %s: %w", name, err)
	}
	return c.described(want, of, out.Table), nil
}

// described returns a table whose items are compared; nil if its keys are others, so that no item can be
// one of the design.
func (c *checker) described(want provision.Table, of *shape.Table, live *types.TableDescription) *table {
	var keys []string // of indexes
	for _, x := range want.Indexes {
		for _, k := range slices.Concat(x.PK, x.SK) {
			keys = append(keys, k.Name)
		}
	}
	name := c.Tables.TableNames(want.Name)
	t := &table{name: name, of: of, keys: []string{of.PK}, reader: shape.NewReader(of, keys...), read: Read{Table: name}}
	if of.SK != "" {
		t.keys = append(t.keys, of.SK)
	}
	if len(live.KeySchema) != len(t.keys) {
		return nil
	}
	for i, k := range live.KeySchema {
		if aws.ToString(k.AttributeName) != t.keys[i] {
			return nil
		}
	}
	t.items, t.bytes = aws.ToInt64(live.ItemCount), aws.ToInt64(live.TableSizeBytes)
	if c.State != nil && c.State.Table == want.Name {
		t.state = c.State.Key()
	}
	return t
}

// tags compares the shape in the tags of a table.
func (c *checker) tags(ctx context.Context, name string, of *shape.Table, live *types.TableDescription) error {
	tags := map[string]string{}
	in := &dynamodb.ListTagsOfResourceInput{ResourceArn: live.TableArn}
	for {
		out, err := c.api.ListTagsOfResource(ctx, in)
		var coded interface{ ErrorCode() string }
		if errors.As(err, &coded) && coded.ErrorCode() == "UnknownOperationException" {
			c.leaveOut("the tag %s of %s: this endpoint does not support tags", shape.Tag, name)
			return nil
		}
		if err != nil {
			return err
		}
		for _, tag := range out.Tags {
			tags[aws.ToString(tag.Key)] = aws.ToString(tag.Value)
		}
		if out.NextToken == nil {
			break
		}
		in.NextToken = out.NextToken
	}
	if !shape.Stored(tags) {
		c.add(TableDiffers, name, "it has no tag "+shape.Tag+" that says what its items look like", nil)
	} else if difference := of.Compare(tags); difference != nil {
		c.add(TableDiffers, name, "its tag "+shape.Tag+" is of another design: "+difference.String(), nil)
	}
	return nil
}

// estimate returns what will be read of all tables: half a unit for 4 KB, and half a unit for each row of a
// unique value that is looked up.
func (c *checker) estimate() Estimate {
	var e Estimate
	for _, t := range c.tables {
		e.Units += segments * 0.5 // every page is rounded up
		read := t.items
		if !c.Full {
			read = min(read, int64(c.Sample))
		}
		if read == 0 {
			continue
		}
		share := float64(read) / float64(t.items)
		e.Items += read
		e.Units += math.Ceil(float64(t.bytes)*share/4096) / 2
		most := 0 // rows of one item
		for _, entity := range t.of.Entities {
			rows := 0
			for _, g := range t.of.Guards {
				if g.Entity == entity.Name {
					rows++
				}
			}
			most = max(most, rows)
		}
		e.Units += float64(read) * float64(most) / 2
	}
	return e
}
