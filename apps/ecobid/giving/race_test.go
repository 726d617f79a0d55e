package giving_test

import (
	"context"
	"errors"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/apps"
	"sortkey.dev/apps/ecobid"
	"sortkey.dev/apps/ecobid/ecobiddb"
)

// meanwhile is a database that calls do before the next transaction.
type meanwhile struct {
	apps.DynamoDB
	do *func()
}

func (m meanwhile) TransactWriteItems(ctx context.Context, in *dynamodb.TransactWriteItemsInput, options ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	if do := *m.do; do != nil {
		*m.do = nil
		do()
	}
	return m.DynamoDB.TransactWriteItems(ctx, in, options...)
}

// TestABlockStopsAMessageOnItsWay lets one party block the other after the sender was found not to be blocked.
func TestABlockStopsAMessageOnItsWay(t *testing.T) {
	for name, blocks := range map[string]func(p pair) ecobiddb.Block{
		"the receiver blocks": func(p pair) ecobiddb.Block { return ecobiddb.Block{UserID: p.anna, BlockedID: p.bert} },
		"the sender blocks":   func(p pair) ecobiddb.Block { return ecobiddb.Block{UserID: p.bert, BlockedID: p.anna} },
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, "")
			r := p.confirm(t, p.reserve(t, p.bert))
			block := blocks(p)
			block.CreatedAt = p.Clock.Now()
			do := func() {
				if _, err := p.DB.BlockUser(t.Context(), block); err != nil {
					t.Error(err)
				}
			}
			sender := p.Through(t, meanwhile{p.Database.DynamoDB, &do})
			if _, err := sender.Giving.Send(t.Context(), p.bert, r.ReservationID, "Hello", ""); !errors.Is(err, ecobid.ErrNoReservation) {
				t.Errorf("sent: %v", err)
			}
			if messages, err := p.DB.ListMessages(r.ReservationID).Slice(t.Context()); err != nil || len(messages) != 0 {
				t.Errorf("stored: %+v, %v", messages, err)
			}
		})
	}
}
