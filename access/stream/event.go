package stream

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"sortkey.dev/access"
)

// An Event is the argument with which AWS Lambda calls a function that is attached to a stream. It is
// decoded straight into the SDK's types of values.
type Event struct {
	Records []Record
}

// UnmarshalJSON reads the event as Lambda sends it. Members it does not know are ignored.
func (e *Event) UnmarshalJSON(data []byte) error {
	d, records := newJSONReader(data), []Record{}
	err := d.object(func(name string) error {
		if name != "Records" {
			return d.skip()
		}
		return d.array(func() error {
			r, err := readRecord(d)
			records = append(records, r)
			return err
		})
	})
	if err == nil {
		err = d.end()
	}
	if err != nil {
		return fmt.Errorf("stream: read the event: %w", err)
	}
	e.Records = records
	return nil
}

func readRecord(d jsonReader) (r Record, err error) {
	var source, sourceARN, identityType, principal string
	err = d.object(func(name string) error {
		switch name {
		case "eventID":
			return d.text(&r.EventID)
		case "eventName":
			return d.text((*string)(&r.Kind))
		case "eventSource":
			return d.text(&source)
		case "eventSourceARN":
			return d.text(&sourceARN)
		case "userIdentity":
			return readIdentity(d, &identityType, &principal)
		case "dynamodb":
			return readChange(d, &r)
		}
		return d.skip()
	})
	if err != nil {
		return r, err
	}
	r.Expired = removedByService(identityType, principal)
	return r, checkRecord(&r, source, sourceARN)
}

// checkRecord refuses what is not a record of a DynamoDB stream.
func checkRecord(r *Record, source, sourceARN string) (err error) {
	switch {
	case source != "" && source != "aws:dynamodb":
		return fmt.Errorf("a record of %s, not of a DynamoDB stream", source)
	case r.Kind != Insert && r.Kind != Modify && r.Kind != Remove:
		return fmt.Errorf("eventName: %q is not INSERT, MODIFY or REMOVE", r.Kind)
	case r.SequenceNumber == "":
		return errors.New("a record without a SequenceNumber")
	}
	if sourceARN != "" {
		r.Table, err = tableOf(sourceARN)
	}
	return err
}

// readIdentity reads who made the change. For all changes but those by the service it is
// absent or null.
func readIdentity(d jsonReader, identityType, principal *string) error {
	var identity struct {
		Type      string `json:"type"`
		Principal string `json:"principalId"`
	}
	if err := d.Decode(&identity); err != nil {
		return err
	}
	*identityType, *principal = identity.Type, identity.Principal
	return nil
}

func readChange(d jsonReader, r *Record) error {
	return d.object(func(name string) error {
		switch name {
		case "SequenceNumber":
			return d.text(&r.SequenceNumber)
		case "ApproximateCreationDateTime":
			return readSeconds(d, &r.At)
		case "Keys":
			return readImage(d, &r.Keys)
		case "OldImage":
			return readImage(d, &r.Old)
		case "NewImage":
			return readImage(d, &r.New)
		}
		return d.skip()
	})
}

func readImage(d jsonReader, to *access.Item) (err error) {
	*to, err = d.item(1)
	return err
}

// lastSecond is the end of the year 9999.
const lastSecond = 253402300799

// readSeconds reads a time given as seconds since 1970, which may have a fraction.
func readSeconds(d jsonReader, to *time.Time) error {
	token, err := d.Token()
	if err != nil {
		return err
	}
	n, is := token.(json.Number)
	if !is {
		return fmt.Errorf("%s where a number of seconds should be", describe(token))
	}
	seconds, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || math.Abs(seconds) > lastSecond {
		return fmt.Errorf("%s is not a time in seconds since 1970", n)
	}
	whole, fraction := math.Modf(seconds)
	*to = time.Unix(int64(whole), int64(math.Round(fraction*1e6))*1000).UTC()
	return nil
}
