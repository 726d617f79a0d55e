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
	return e.transactAction(in.TableName, in.Key, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ReturnValuesOnConditionCheckFailure)
}

func (e *encoder) transactDelete(in *types.Delete) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	return e.transactAction(in.TableName, in.Key, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ReturnValuesOnConditionCheckFailure)
}

func (e *encoder) transactPut(in *types.Put) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	return e.transactAction(in.TableName, in.Item, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ReturnValuesOnConditionCheckFailure)
}

func (e *encoder) transactUpdate(in *types.Update) *dynamo.TransactAction {
	if in == nil {
		return nil
	}
	action := e.transactAction(in.TableName, in.Key, in.ConditionExpression, in.ExpressionAttributeNames, in.ExpressionAttributeValues, in.ReturnValuesOnConditionCheckFailure)
	action.UpdateExpression = validTextPointer(in.UpdateExpression)
	return action
}

// transactAction encodes what the four kinds of actions have in common. The subject is an item or a key.
func (e *encoder) transactAction(
	table *string, subject map[string]types.AttributeValue, condition *string,
	names map[string]string, values map[string]types.AttributeValue, onFailure types.ReturnValuesOnConditionCheckFailure,
) *dynamo.TransactAction {
	return &dynamo.TransactAction{
		TableName:                           validTextPointer(table),
		Subject:                             e.item(subject),
		ConditionExpression:                 validTextPointer(condition),
		Expressions:                         e.transactExpressions(names, values),
		ReturnValuesOnConditionCheckFailure: string(onFailure),
	}
}
