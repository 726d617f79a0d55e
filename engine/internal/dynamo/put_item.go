package dynamo

// PutItemInput is the input of PutItem.
type PutItemInput struct {
	WriteParameters
	Item RawItem
}

// PutItemOutput is the output of PutItem.
type PutItemOutput = WriteOutput
