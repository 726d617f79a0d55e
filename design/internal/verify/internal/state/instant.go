package state

import (
	"strconv"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/design/internal/model"
	"sortkey.dev/design/internal/sample"
)

// InForm is an instant in the form an attribute stores it: one parameter may be both.
func InForm(v sample.Value, of *model.Attribute) sample.Value {
	switch {
	case of.Type.Base == model.Unixtime && v.Kind == sample.Text:
		return seconds(v)
	case of.Type.Base == model.Timestamp && v.Kind == sample.Number:
		return instant(v)
	}
	return v
}

// RoundedUp is inForm, but what is finer is not cut off.
func RoundedUp(v sample.Value, of *model.Attribute) sample.Value {
	if of.Type.Base == model.Unixtime && v.Kind == sample.Text {
		return sample.Value{Kind: sample.Number, Text: access.FormatUnix(access.CeilSecond(TimeOf(v)))}
	}
	return InForm(v, of)
}

// TimeOf is the instant a value holds.
func TimeOf(v sample.Value) time.Time {
	if v.Kind == sample.Number {
		n, _ := strconv.ParseInt(v.Text, 10, 64)
		return time.Unix(n, 0).UTC()
	}
	t, _ := access.ParseTime(v.Text)
	return t
}

func seconds(v sample.Value) sample.Value {
	return sample.Value{Kind: sample.Number, Text: access.FormatUnix(TimeOf(v))}
}

func instant(v sample.Value) sample.Value {
	return sample.Value{Kind: sample.Text, Text: access.FormatTime(TimeOf(v))}
}

func TimeAs(at time.Time, a *model.Attribute) sample.Value {
	if a.Type.Base == model.Unixtime {
		return sample.Value{Kind: sample.Number, Text: access.FormatUnix(at)}
	}
	return sample.Value{Kind: sample.Text, Text: access.FormatTime(at)}
}
