package request

import (
	"time"

	"sortkey.dev/engine/internal/dynamo"
)

// GetShardIterator is a checked GetShardIteratorInput.
type GetShardIterator struct {
	Stream   string // its ARN
	Shard    string
	From     IteratorType
	Sequence string    // with FromSequence and AfterSequence: 21 to 40 digits
	Time     time.Time // with FromTime
}

// An IteratorType selects where in a shard reading begins.
type IteratorType int

// The iterator types.
const (
	TrimHorizon   IteratorType = iota // at the oldest record
	Latest                            // after the newest record
	FromSequence                      // at a sequence number
	AfterSequence                     // after a sequence number
	FromTime                          // at the first record of a time or a later one
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
	if err := checkCompanion("SequenceNumber", in.SequenceNumber != nil, takesNumber, in.ShardIteratorType); err != nil {
		return nil, err
	}
	if err := checkCompanion("Timestamp", in.Timestamp != nil, iterator.From == FromTime, in.ShardIteratorType); err != nil {
		return nil, err
	}
	if takesNumber && !isDigits(iterator.Sequence) {
		return nil, invalid("Invalid SequenceNumber")
	}
	if in.Timestamp != nil {
		iterator.Time = *in.Timestamp
	}
	return iterator, nil
}

// checkCompanion checks that a member was sent if, and only if, the iterator type takes it.
func checkCompanion(member string, sent, taken bool, iteratorType string) error {
	switch {
	case taken && !sent:
		return invalid(invalidParameter + member + " is required when ShardIteratorType is " + iteratorType)
	case sent && !taken:
		return invalid(invalidParameter + member + " must not be specified when ShardIteratorType is " + iteratorType)
	}
	return nil
}

// The length of a sequence number.
const (
	minSequenceNumber = 21
	maxSequenceNumber = 40
)

// checkIteratorMembers checks single members.
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
