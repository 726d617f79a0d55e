package sdk

import (
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/dynamo"
)

func transactWriteItemsInput(e *encoder, in *dynamodb.TransactWriteItemsInput) *dynamo.TransactWriteItemsInput {
	return &dynamo.TransactWriteItemsInput{
		TransactItems:               e.transactWrites(in.TransactItems),
		ClientRequestToken:          validTextPointer(in.ClientRequestToken),
		ReturnConsumedCapacity:      string(in.ReturnConsumedCapacity),
		ReturnItemCollectionMetrics: string(in.ReturnItemCollectionMetrics),
	}
}

func transactWriteItemsOutput(out *dynamo.TransactWriteItemsOutput) *dynamodb.TransactWriteItemsOutput {
	return &dynamodb.TransactWriteItemsOutput{
		ConsumedCapacity:      consumedCapacities(out.ConsumedCapacity),
		ItemCollectionMetrics: collectionMetricsByTable(out.ItemCollectionMetrics),
	}
}

func (e *encoder) transactWrites(list []types.TransactWriteItem) []dynamo.TransactWriteItem {
	if list == nil {
		return nil
	}
	writes := make([]dynamo.TransactWriteItem, len(list))
	for i, write := range list {
		writes[i] = dynamo.TransactWriteItem{
			ConditionCheck: e.transactCheck(write.ConditionCheck),
			Delete:         e.transactDelete(write.Delete),
			Put:            e.transactPut(write.Put),
			Update:         e.transactUpdate(write.Update),
		}
	}
	return writes
}

func (e *encoder) transactCheck(in *types.ConditionCheck) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	return &dynamo.TransactAction{
		TableName:                           validTextPointer(in.TableName),
		Subject:                             e.item(in.Key),
		ConditionExpression:                 validTextPointer(in.ConditionExpression),
		Expressions:                         e.transactExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
	}
}

func (e *encoder) transactDelete(in *types.Delete) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	return &dynamo.TransactAction{
		TableName:                           validTextPointer(in.TableName),
		Subject:                             e.item(in.Key),
		ConditionExpression:                 validTextPointer(in.ConditionExpression),
		Expressions:                         e.transactExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
	}
}

func (e *encoder) transactPut(in *types.Put) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	return &dynamo.TransactAction{
		TableName:                           validTextPointer(in.TableName),
		Subject:                             e.item(in.Item),
		ConditionExpression:                 validTextPointer(in.ConditionExpression),
		Expressions:                         e.transactExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
	}
}

func (e *encoder) transactUpdate(in *types.Update) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	return &dynamo.TransactAction{
		TableName:                           validTextPointer(in.TableName),
		Subject:                             e.item(in.Key),
		ConditionExpression:                 validTextPointer(in.ConditionExpression),
		UpdateExpression:                    validTextPointer(in.UpdateExpression),
		Expressions:                         e.transactExpressions(in.ExpressionAttributeNames, in.ExpressionAttributeValues),
		ReturnValuesOnConditionCheckFailure: string(in.ReturnValuesOnConditionCheckFailure),
	}
}
