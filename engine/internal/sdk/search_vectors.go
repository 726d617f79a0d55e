package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func searchVectorsInput(e *encoder, in *dynamodb.SearchVectorsInput) *dynamo.SearchVectorsInput {
	return &dynamo.SearchVectorsInput{
		TableName:                 validTextPointer(in.TableName),
		IndexName:                 validTextPointer(in.IndexName),
		SearchVector:              e.vector(in.SearchVector),
		TopK:                      in.TopK,
		SearchConditionExpression: validTextPointer(in.SearchConditionExpression),
		ProjectionExpression:      validTextPointer(in.ProjectionExpression),
		Expressions:               e.expressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnConsumedCapacity:    string(in.ReturnConsumedCapacity),
	}
}

func searchVectorsOutput(out *dynamo.SearchVectorsOutput) *dynamodb.SearchVectorsOutput {
	answer := &dynamodb.SearchVectorsOutput{SearchResults: make([]types.SearchResultItem, len(out.SearchResults))}
	for i, r := range out.SearchResults {
		answer.SearchResults[i] = types.SearchResultItem{Item: attributes(r.Item), Score: r.Score}
	}
	if c := out.ConsumedCapacity; c != nil {
		answer.ConsumedCapacity = &types.VectorCapacity{VectorSearchRequestBytes: &c.SearchBytes}
	}
	return answer
}

// vector writes a list of values. A nil list was not sent.
func (e *encoder) vector(list []types.AttributeValue) dynamo.RawVector {
	if list == nil {
		return dynamo.RawVector{}
	}
	e.out.Reset()
	e.out.Grow(sizeOf(&types.AttributeValueMemberL{Value: list}, 1))
	e.out.OpenList()
	for _, element := range list {
		e.value(element, 1)
	}
	e.out.CloseList()
	return dynamo.RawVector{List: e.out.Value(0), Fault: e.takeFault()}
}
