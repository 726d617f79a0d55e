package oracle

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// A Step is one action on a database. Steps are plain data: [Literal] prints
// them in a form that can be pasted into a test.
type Step interface {
	// expect executes the step on the model. It returns the expected response of the
	// database, or the expected failure.
	expect(m *Model) (answer any, failure *Failure)
}

// A doer is a step that is one call of the database.
type doer interface {
	do(ctx context.Context, db Tables) (answer any, err error)
}

// A checker is a step that compares by itself, because it takes several calls or
// because the model does not know the whole response.
type checker interface {
	check(ctx context.Context, p *player) *Problem
}

// metricsParameter returns the parameter for item collection metrics.
func metricsParameter(wanted bool) types.ReturnItemCollectionMetrics {
	if wanted {
		return types.ReturnItemCollectionMetricsSize
	}
	return ""
}

// onFailure returns the parameter for the item of a failed condition.
func onFailure(show bool) types.ReturnValuesOnConditionCheckFailure {
	if show {
		return types.ReturnValuesOnConditionCheckFailureAllOld
	}
	return ""
}

// metrics returns the metrics of the item collection of an item, if it has one and they were requested.
func (t *table) metrics(it Item, wanted bool) *types.ItemCollectionMetrics {
	if !wanted || !t.hasLocal() {
		return nil
	}
	return &types.ItemCollectionMetrics{ItemCollectionKey: canonicalItem(only(it, t.hash)), SizeEstimateRangeGB: []float64{0, 1}}
}
