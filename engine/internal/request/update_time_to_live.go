package request

import "sortkey.dev/engine/internal/dynamo"

// UpdateTimeToLive is a checked UpdateTimeToLiveInput.
type UpdateTimeToLive struct {
	Table     string // as the request names it: a name or an ARN
	Attribute string
	Enabled   bool
}

// CheckUpdateTimeToLive checks the input of UpdateTimeToLive.
func CheckUpdateTimeToLive(in *dynamo.UpdateTimeToLiveInput) (*UpdateTimeToLive, error) {
	if in.TableName == nil {
		return nil, errNoTableName()
	}
	var v violations
	v.timeToLive(in.TimeToLiveSpecification)
	v.existingTable(*in.TableName)
	if err := v.err(); err != nil {
		return nil, err
	}
	s := in.TimeToLiveSpecification
	return &UpdateTimeToLive{Table: *in.TableName, Attribute: *s.AttributeName, Enabled: *s.Enabled}, nil
}

// timeToLive checks the members of a TimeToLiveSpecification. The name of the
// attribute has the length limit of a key attribute.
func (v *violations) timeToLive(s *dynamo.TimeToLiveSpecification) {
	const path = "timeToLiveSpecification"
	if s == nil {
		v.missing(path)
		return
	}
	v.attributeName(s.AttributeName, path+".attributeName")
	if s.Enabled == nil {
		v.missing(path + ".enabled")
	}
}
