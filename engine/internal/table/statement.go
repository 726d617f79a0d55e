package table

import (
	"context"
	"slices"

	"sortkey.dev/engine/internal/catalog"
	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/partiql"
	"sortkey.dev/engine/internal/request"
)

// planned returns the schema that the plan of a statement depends on.
func planned(t *catalog.Table) partiql.Table {
	return partiql.Table{Key: t.Key(), Index: func(name string) *partiql.Index {
		x := t.Index(name)
		switch {
		case t.Vector(name) != nil:
			return &partiql.Index{Vector: true}
		case x == nil:
			return nil
		}
		return &partiql.Index{Key: x.Key, Local: x.Local, Projected: x.Projected}
	}}
}

// writeStatement executes the write of a statement. The attributes hold what the statement
// returns.
func (s *Tables) writeStatement(ctx context.Context, t *catalog.Table, st *partiql.Statement, req *request.ExecuteStatement) (*dynamo.WriteOutput, error) {
	action, err := st.Write(planned(t))
	if err != nil {
		return nil, err
	}
	w := write(&action)
	w.Capacity, w.ReturnOnFailure = req.Capacity, req.ReturnOnFailure
	switch {
	case action.Put != nil:
		return s.PutItem(ctx, action.Put)
	case action.Update != nil:
		return s.UpdateItem(ctx, action.Update)
	default:
		return s.DeleteItem(ctx, action.Delete)
	}
}

// checkNotExists rejects EXISTS, which is valid in transactions only.
func checkNotExists(st *partiql.Statement) error {
	if st.IsExists() {
		return dynamo.Invalid("EXISTS() is supported in ExecuteTransaction only")
	}
	return nil
}

// addCapacity adds the capacity of one more request to the same table or index.
func addCapacity(sum, more *dynamo.ConsumedCapacity) *dynamo.ConsumedCapacity {
	if sum == nil || more == nil {
		return more
	}
	sum.Units += more.Units
	sum.Table += more.Table
	sum.LocalIndexes = addArms(sum.LocalIndexes, more.LocalIndexes)
	sum.GlobalIndexes = addArms(sum.GlobalIndexes, more.GlobalIndexes)
	return sum
}

func addArms(sum, more []dynamo.IndexCapacity) []dynamo.IndexCapacity {
	for _, arm := range more {
		i := slices.IndexFunc(sum, func(c dynamo.IndexCapacity) bool { return c.IndexName == arm.IndexName })
		if i < 0 {
			sum = append(sum, arm)
		} else {
			sum[i].Units += arm.Units
		}
	}
	return sum
}
