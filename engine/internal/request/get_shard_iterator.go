package request

import "sortkey.dev/engine/internal/dynamo"

// GetShardIterator is a checked GetShardIteratorInput.
type GetShardIterator struct {
	Stream   string // its ARN
	Shard    string
	From     IteratorType
	Sequence string // with FromSequence and AfterSequence: 21 to 40 digits
}

// An IteratorType says where in a shard reading begins.
type IteratorType int

// The iterator types.
const (
	TrimHorizon   IteratorType = iota // at the oldest record
	Latest                            // after the newest record
	FromSequence                      // at a sequence number
	AfterSequence                     // after a sequence number
)

// CheckGetShardIterator checks the input of GetShardIterator.
func CheckGetShardIterator(in *dynamo.GetShardIteratorInput) (*GetShardIterator, error) {
	if err := checkIteratorMembers(in); err != nil {
		return nil, err
	}
	if err := checkStreamARN(*in.StreamArn); err != nil {
		return nil, err
	}
	iterator := &GetShardIterator{
		Stream:   *in.StreamArn,
		Shard:    *in.ShardId,
		From:     iteratorTypes.value(in.ShardIteratorType),
		Sequence: textOf(in.SequenceNumber),
	}
	takesNumber := iterator.From == FromSequence || iterator.From == AfterSequence
	switch {
	case takesNumber && in.SequenceNumber == nil:
		return nil, invalid(invalidParameter + "SequenceNumber is required when ShardIteratorType is " + in.ShardIteratorType)
	case !takesNumber && in.SequenceNumber != nil:
		return nil, invalid(invalidParameter + "SequenceNumber must not be specified when ShardIteratorType is " + in.ShardIteratorType)
	case takesNumber && !isDigits(iterator.Sequence):
		return nil, invalid("Invalid SequenceNumber")
	}
	return iterator, nil
}

// The length of a sequence number.
const (
	minSequenceNumber = 21
	maxSequenceNumber = 40
)

// checkIteratorMembers makes the complaints about single members.
func checkIteratorMembers(in *dynamo.GetShardIteratorInput) error {
	var v violations
	v.requireStreamARN(in.StreamArn, "streamArn")
	v.requireShardID(in.ShardId, "shardId")
	iteratorTypes.require(iteratorTypes.path, in.ShardIteratorType, &v)
	if in.SequenceNumber != nil {
		v.length(minSequenceNumber, maxSequenceNumber, *in.SequenceNumber, "sequenceNumber")
	}
	return v.err()
}

func isDigits(text string) bool {
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			return false
		}
	}
	return true
}
