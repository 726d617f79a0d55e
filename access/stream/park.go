package stream

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
)

// The attributes of the row of a parked record.
const (
	attrSequence = "sequence"
	attrEventID  = "eventId"
	attrKind     = "kind"
	attrKeys     = "keys"
	attrOld      = "old"
	attrNew      = "new"
	attrExpired  = "expired"
	attrHappened = "happened"
	attrError    = "error"
	attrAttempts = "attempts"
	attrParked   = "parked"
	attrParts    = "parts" // in how many rows of their own the images are
	attrImages   = "images"
)

const (
	maxErrorText = 2000
	// partSize is the size of the part of the images that one row holds. A row has room for 400 KB.
	partSize = 350_000
	// sequenceDigits is the longest sequence number. In the key they all have that
	// length, so that rows are in the order of the numbers.
	sequenceDigits = 40
)

// A parking is the rows of a consumer's parked records.
type parking struct{ *Consumer }

// key returns the key of a record's row, or of one with a part of its images.
func (p parking) key(table, sequence, part string) access.Item {
	if missing := sequenceDigits - len(sequence); missing > 0 {
		sequence = strings.Repeat("0", missing) + sequence
	}
	return access.Item{partitionKey: stringValue(p.Name + parkedRows), sortKey: stringValue(table + "#" + sequence + part)}
}

func partSuffix(i int) string { return fmt.Sprintf("#%d", i) }

// add parks a record. The row has the images as they are, for people to look at. Both of
// them together may be too large for one row; then they are compressed and spread over
// rows of their own.
func (p parking) add(ctx context.Context, r Record, reason error, attempts int) error {
	base := p.key(r.Table, r.SequenceNumber, "")
	base[attrSequence] = stringValue(r.SequenceNumber)
	base[attrEventID] = stringValue(r.EventID)
	base[attrKind] = stringValue(string(r.Kind))
	base[attrKeys] = &types.AttributeValueMemberM{Value: r.Keys}
	base[attrExpired] = &types.AttributeValueMemberBOOL{Value: r.Expired}
	base[attrHappened] = timeValue(r.At)
	base[attrError] = stringValue(errorText(reason))
	base[attrAttempts] = intValue(int64(attempts))
	base[attrParked] = timeValue(p.Now())
	whole := maps.Clone(base)
	if r.Old != nil {
		whole[attrOld] = &types.AttributeValueMemberM{Value: r.Old}
	}
	if r.New != nil {
		whole[attrNew] = &types.AttributeValueMemberM{Value: r.New}
	}
	err := p.put(ctx, r, whole)
	if err == nil || !refused(err) {
		return err
	}
	return p.addInParts(ctx, r, base)
}

// addInParts writes the parts first, so that who sees the record sees all of it.
func (p parking) addInParts(ctx context.Context, r Record, base access.Item) error {
	images, err := packImages(r)
	if err != nil {
		return fmt.Errorf("stream: park record %s: %w", r.SequenceNumber, err)
	}
	n := 0
	for part := range slices.Chunk(images, partSize) {
		n++
		item := p.key(r.Table, r.SequenceNumber, partSuffix(n))
		item[attrImages] = &types.AttributeValueMemberB{Value: part}
		if err := p.put(ctx, r, item); err != nil {
			return err
		}
	}
	base[attrParts] = intValue(int64(n))
	return p.put(ctx, r, base)
}

func (p parking) put(ctx context.Context, r Record, item access.Item) error {
	return p.try(ctx, "park record "+r.SequenceNumber, func(ctx context.Context) error {
		_, err := p.DB.PutItem(ctx, &dynamodb.PutItemInput{TableName: &p.Checkpoints, Item: item})
		return err
	})
}

func errorText(err error) string {
	s := strings.ToValidUTF8(err.Error(), "?")
	if len(s) > maxErrorText {
		s = strings.ToValidUTF8(s[:maxErrorText], "") + "..."
	}
	return s
}

// packImages compresses the images of a record.
func packImages(r Record) ([]byte, error) {
	images := map[string]any{}
	if r.Old != nil {
		images[attrOld] = plainItem(r.Old)
	}
	if r.New != nil {
		images[attrNew] = plainItem(r.New)
	}
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	if err := json.NewEncoder(z).Encode(images); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}

func unpackImages(packed []byte, r *Record) error {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return err
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		return err
	}
	d := newJSONReader(plain)
	return d.object(func(name string) error {
		switch name {
		case attrOld:
			return readImage(d, &r.Old)
		case attrNew:
			return readImage(d, &r.New)
		}
		return d.skip()
	})
}

// parse reads the row of a parked record, without images that are elsewhere.
func (p parking) parse(item access.Item) Parked {
	expired, _ := item[attrExpired].(*types.AttributeValueMemberBOOL)
	happened, _ := time.Parse(time.RFC3339Nano, stringOf(item[attrHappened]))
	parked, _ := time.Parse(time.RFC3339Nano, stringOf(item[attrParked]))
	return Parked{
		Record: Record{
			EventID: stringOf(item[attrEventID]), Table: p.Table, SequenceNumber: stringOf(item[attrSequence]),
			Kind: Kind(stringOf(item[attrKind])), Expired: expired != nil && expired.Value, At: happened,
			Keys: mapOf(item[attrKeys]), Old: mapOf(item[attrOld]), New: mapOf(item[attrNew]),
		},
		Error: stringOf(item[attrError]), Attempts: int(intOf(item[attrAttempts])), ParkedAt: parked,
		parts: int(intOf(item[attrParts])),
	}
}

func mapOf(v types.AttributeValue) access.Item {
	if m, is := v.(*types.AttributeValueMemberM); is {
		return m.Value
	}
	return nil
}

// errGone says that a parked record was removed while it was read.
var errGone = errors.New("the record is no longer parked")

// loadParts reads the images that are in rows of their own.
func (p parking) loadParts(ctx context.Context, parked *Parked) error {
	var packed []byte
	for i := range parked.parts {
		item, err := p.row(ctx, parked, partSuffix(i+1))
		if err != nil {
			return err
		}
		if b, is := item[attrImages].(*types.AttributeValueMemberB); is {
			packed = append(packed, b.Value...)
			continue
		}
		if record, err := p.row(ctx, parked, ""); err != nil || record == nil {
			return cmp.Or(err, errGone)
		}
		return fmt.Errorf("stream: parked record %s lacks part %d of its images", parked.SequenceNumber, i+1)
	}
	if err := unpackImages(packed, &parked.Record); err != nil {
		return fmt.Errorf("stream: read the images of parked record %s: %w", parked.SequenceNumber, err)
	}
	return nil
}

// row reads the row of a parked record, or one with a part of its images; nil: there is none.
func (p parking) row(ctx context.Context, parked *Parked, suffix string) (access.Item, error) {
	var out *dynamodb.GetItemOutput
	err := p.try(ctx, "read parked record "+parked.SequenceNumber, func(ctx context.Context) (err error) {
		out, err = p.DB.GetItem(ctx, &dynamodb.GetItemInput{
			TableName: &p.Checkpoints, Key: p.key(parked.Table, parked.SequenceNumber, suffix), ConsistentRead: new(true),
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return out.Item, nil
}
