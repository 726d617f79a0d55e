package table

import (
	"context"

	"sortkey.dev/engine/internal/capacity"
	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/request"
)

// BatchGetItem reads up to 100 items. Keys whose items do not fit the response are
// returned as unprocessed.
func (s *Tables) BatchGetItem(ctx context.Context, req *request.BatchGetItem) (*dynamo.BatchGetItemOutput, error) {
	tables, err := s.batchTables(req)
	if err != nil {
		return nil, err
	}
	out := &dynamo.BatchGetItemOutput{}
	room := dynamo.MaxBatchResponse
	for i, gets := range req.Tables {
		answer, err := s.batchGet(ctx, tables[i], gets, &room, &out.Memory)
		if err != nil {
			return nil, err
		}
		out.Responses = append(out.Responses, dynamo.TableItems{TableName: gets.Input.TableName, Items: answer.items})
		if answer.read < len(gets.Keys) {
			rest := gets.Input
			rest.Keys = rest.Keys[answer.read:]
			out.UnprocessedKeys = append(out.UnprocessedKeys, rest)
		}
		if req.Capacity != request.CapacityNone {
			out.ConsumedCapacity = append(out.ConsumedCapacity,
				*answer.account.Consumed(gets.Input.TableName, false, req.Capacity == request.CapacityIndexes))
		}
	}
	return out, nil
}

// batchTables finds all tables and checks all keys before anything is read.
func (s *Tables) batchTables(req *request.BatchGetItem) ([]*catalog.Table, error) {
	tables := make([]*catalog.Table, len(req.Tables))
	for i, gets := range req.Tables {
		t, err := s.lookup(gets.Table)
		if err != nil {
			return nil, err
		}
		tables[i] = t
	}
	seen := map[string]bool{}
	for i, gets := range req.Tables {
		if err := checkProjection(tables[i], gets.Projection); err != nil {
			return nil, err
		}
		for _, key := range gets.Keys {
			if err := checkKey(tables[i], key); err != nil {
				return nil, err
			}
			row := string(rowKey(tables[i], key))
			if seen[row] {
				return nil, dynamo.Invalid("Provided list of item keys contains duplicates")
			}
			seen[row] = true
		}
	}
	return tables, nil
}

// A batchAnswer is the result of reading one table.
type batchAnswer struct {
	items   []dynamo.Item
	read    int // keys that were read
	account capacity.Account
}

// batchGet reads the keys of one table while there is room in the response.
func (s *Tables) batchGet(ctx context.Context, t *catalog.Table, gets request.TableGets, room *int, memory *dynamo.Memory) (batchAnswer, error) {
	answer := batchAnswer{items: []dynamo.Item{}}
	for _, key := range gets.Keys {
		if *room <= 0 {
			break
		}
		item, size, err := s.get(ctx, t, key, gets.Projection, gets.Consistent, memory)
		if err != nil {
			return answer, err
		}
		if size > *room {
			*room = 0
			break
		}
		*room -= size
		answer.read++
		answer.account.Table(capacity.ReadUnits(size, gets.Consistent))
		if item != nil {
			answer.items = append(answer.items, item)
		}
	}
	return answer, nil
}
