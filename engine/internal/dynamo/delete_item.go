package dynamo

// DeleteItemInput is the input of DeleteItem.
type DeleteItemInput struct {
	WriteParameters
	Key RawItem
}

// DeleteItemOutput is the output of DeleteItem.
type DeleteItemOutput = WriteOutput
