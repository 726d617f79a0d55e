package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestUpdateTimeToLiveErrors(t *testing.T) {
	spec := func(attribute string) *dynamo.TimeToLiveSpecification {
		return &dynamo.TimeToLiveSpecification{AttributeName: &attribute, Enabled: new(true)}
	}
	const path = "timeToLiveSpecification"
	tests := []struct {
		name string
		in   dynamo.UpdateTimeToLiveInput
		want string
	}{
		{"on", dynamo.UpdateTimeToLiveInput{TableName: new("Music"), TimeToLiveSpecification: spec("ttl")}, ""},
		{"a table named by its ARN", dynamo.UpdateTimeToLiveInput{TableName: new(tableARN), TimeToLiveSpecification: spec("ttl")}, ""},
		{"no table", dynamo.UpdateTimeToLiveInput{}, "The parameter 'TableName' is required but was not present in the request"},
		{"no specification", dynamo.UpdateTimeToLiveInput{TableName: new("Music")}, one(null(path))},
		{"specification without members", dynamo.UpdateTimeToLiveInput{TableName: new("Music"), TimeToLiveSpecification: &dynamo.TimeToLiveSpecification{}},
			"2 validation errors detected: " + null(path+".attributeName") + "; " + null(path+".enabled")},
		{"table and specification", dynamo.UpdateTimeToLiveInput{TableName: new("ab"), TimeToLiveSpecification: spec("")},
			"2 validation errors detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1; " +
				"Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"},
		{"shortest attribute", dynamo.UpdateTimeToLiveInput{TableName: new("Music"), TimeToLiveSpecification: spec("t")}, ""},
		{"longest attribute", dynamo.UpdateTimeToLiveInput{TableName: new("Music"), TimeToLiveSpecification: spec(long(255))}, ""},
		{"attribute too long", dynamo.UpdateTimeToLiveInput{TableName: new("Music"), TimeToLiveSpecification: spec(long(256))},
			one("Value '" + long(256) + "' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length less than or equal to 255")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckUpdateTimeToLive(&test.in)
			expect(t, err, test.want)
		})
	}
}

func TestTimeToLiveIsResolved(t *testing.T) {
	for _, enabled := range []bool{true, false} {
		got, err := CheckUpdateTimeToLive(&dynamo.UpdateTimeToLiveInput{
			TableName:               new(tableARN),
			TimeToLiveSpecification: &dynamo.TimeToLiveSpecification{AttributeName: new("ttl"), Enabled: &enabled},
		})
		if err != nil || *got != (UpdateTimeToLive{Table: tableARN, Attribute: "ttl", Enabled: enabled}) {
			t.Errorf("got %+v, %v", got, err)
		}
	}
	table, err := CheckDescribeTimeToLive(&dynamo.DescribeTimeToLiveInput{TableName: new("Music")})
	if err != nil || table != "Music" {
		t.Errorf("got %q, %v", table, err)
	}
	_, err = CheckDescribeTimeToLive(&dynamo.DescribeTimeToLiveInput{})
	expect(t, err, "The parameter 'TableName' is required but was not present in the request")
}
