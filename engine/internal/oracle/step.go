package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Step is one thing to do with a database. Steps are plain data: [Literal] prints
// them in a form that can be pasted into a test.
type Step interface {
	// expect carries the step out on the model. It returns the answer that the
	// database should give, or how it should fail.
	expect(m *Model) (answer any, failure *Failure)
}

// A doer is a step that is one call of the database.
type doer interface {
	do(ctx context.Context, db Tables) (answer any, err error)
}

// A checker is a step that compares by itself, because it takes several calls or
// because the model does not know all of the answer.
type checker interface {
	check(ctx context.Context, p *player) *Problem
}

// metricsParameter turns a wish for item collection metrics into a parameter.
func metricsParameter(wanted bool) types.ReturnItemCollectionMetrics {
	if wanted {
		return types.ReturnItemCollectionMetricsSize
	}
	return ""
}

// onFailure turns the wish to see the item behind a failed condition into a parameter.
func onFailure(show bool) types.ReturnValuesOnConditionCheckFailure {
	if show {
		return types.ReturnValuesOnConditionCheckFailureAllOld
	}
	return ""
}

// metrics are the metrics of the item collection of an item, if there is one and it was asked for.
func (t *table) metrics(it Item, wanted bool) *types.ItemCollectionMetrics {
	if !wanted || !t.hasLocal() {
		return nil
	}
	return &types.ItemCollectionMetrics{ItemCollectionKey: canonicalItem(only(it, t.hash)), SizeEstimateRangeGB: []float64{0, 1}}
}
