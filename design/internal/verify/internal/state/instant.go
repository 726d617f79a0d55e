package state

import (
	"strconv"
	"time"

	"sortkey.dev/access/marshal"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
)

// InForm returns a value in the form in which an attribute stores it. Instants have two forms,
// and one parameter may be compared with attributes of both.
func InForm(v sample.Value, of *model.Attribute) sample.Value {
	switch {
	case of.Type.Base == model.Unixtime && v.Kind == sample.Text:
		return seconds(v)
	case of.Type.Base == model.Timestamp && v.Kind == sample.Number:
		return instant(v)
	}
	return v
}

// RoundedUp is like InForm, but rounds up to whole seconds instead of down.
func RoundedUp(v sample.Value, of *model.Attribute) sample.Value {
	if of.Type.Base == model.Unixtime && v.Kind == sample.Text {
		return sample.Value{Kind: sample.Number, Text: marshal.FormatUnix(marshal.CeilSecond(TimeOf(v)))}
	}
	return InForm(v, of)
}

// TimeOf returns the instant that a value holds.
func TimeOf(v sample.Value) time.Time {
	if v.Kind == sample.Number {
		n, _ := strconv.ParseInt(v.Text, 10, 64)
		return time.Unix(n, 0).UTC()
	}
	t, _ := marshal.ParseTime(v.Text)
	return t
}

// seconds returns an instant in Unix seconds.
func seconds(v sample.Value) sample.Value {
	return sample.Value{Kind: sample.Number, Text: marshal.FormatUnix(TimeOf(v))}
}

// instant returns an instant as a timestamp.
func instant(v sample.Value) sample.Value {
	return sample.Value{Kind: sample.Text, Text: marshal.FormatTime(TimeOf(v))}
}

// TimeAs returns a time in the form in which an attribute stores it.
func TimeAs(at time.Time, a *model.Attribute) sample.Value {
	if a.Type.Base == model.Unixtime {
		return sample.Value{Kind: sample.Number, Text: marshal.FormatUnix(at)}
	}
	return sample.Value{Kind: sample.Text, Text: marshal.FormatTime(at)}
}
