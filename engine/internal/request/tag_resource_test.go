package request

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sortkey.dev/engine/internal/dynamo"
)

func tag(key, value string) dynamo.Tag { return dynamo.Tag{Key: &key, Value: &value} }

func TestTagResourceErrors(t *testing.T) {
	many := func(n int) (tags []dynamo.Tag) {
		for i := range n {
			tags = append(tags, tag(fmt.Sprint(i), ""))
		}
		return tags
	}
	tests := []struct {
		name string
		arn  *string
		tags []dynamo.Tag
		want string
	}{
		{"tags are good", new(tableARN), many(1), ""},
		{"no ARN beats no tags", nil, nil, "Invalid TableArn"},
		{"no tags sent beats a bad ARN", new("abc"), nil, one("Value null at 'tags' failed to satisfy constraint: Member must not be null")},
		{"a bad ARN beats no tags in the list", new("abc"), []dynamo.Tag{}, invalidHead + "ARNs must start with 'arn:': abc"},
		{"ARN of another service", new("arn:aws:s3:eu-west-1:1:table/Music"), many(1),
			invalidHead + "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:eu-west-1:1:table/Music"},
		{"ARN of too short a name", new("arn:aws:dynamodb:eu-west-1:1:table/ab"), many(1),
			"Invalid TableArn: Invalid ResourceArn provided as input arn:aws:dynamodb:eu-west-1:1:table/ab"},
		{"half an ARN", new("arn:aws"), many(1), "Invalid TableArn: Invalid ResourceArn provided as input arn:aws"},
		{"no tags in the list", new(tableARN), []dynamo.Tag{}, "Atleast one Tag needs to be provided as Input."},
		{"longest tag", new(tableARN), []dynamo.Tag{tag(long(127)+"ü", long(255)+"ü")}, ""},
		{"key too long", new(tableARN), []dynamo.Tag{tag(long(129), "")}, "The Tag Key provided is invalid, Key: " + long(129)},
		{"empty key", new(tableARN), []dynamo.Tag{tag("", "")}, "The Tag Key provided is invalid, Key: "},
		{"no key", new(tableARN), []dynamo.Tag{{}}, "The Tag Key provided is invalid, Key: null"},
		{"bad letters in a key", new(tableARN), []dynamo.Tag{tag("a,b", "")}, "The Tag Key provided is invalid, Key: a,b"},
		{"all letters in a key", new(tableARN), []dynamo.Tag{tag("ü 9+-=._:/@", "")}, ""},
		{"key of the service", new(tableARN), []dynamo.Tag{tag("aws:x", "")}, "Tag Key cannot be prefixed with aws:, Key: aws:x"},
		{"value too long", new(tableARN), append(many(1), tag("a", long(257))), "The Tag Value provided is invalid, Value: " + long(257)},
		{"no value", new(tableARN), []dynamo.Tag{{Key: new("a")}}, "The Tag Value provided is invalid, Value: null"},
		{"most tags", new(tableARN), many(50), ""},
		{"too many tags", new(tableARN), many(51), "Number of Tags exceed the current limit for the provided ResourceArn"},
		{"one key twice", new(tableARN), append(many(1), many(1)...), "Duplicate Tag Keys provided as input: Duplicate Tag Key found 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckTagResource(&dynamo.TagResourceInput{ResourceArn: test.arn, Tags: test.tags})
			expect(t, err, test.want)
		})
	}
	got, err := CheckTagResource(&dynamo.TagResourceInput{ResourceArn: new(tableARN), Tags: []dynamo.Tag{tag("env", "test")}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&TagResource{Table: TableARN{Partition: "aws", Region: "eu-west-1", Account: "123456789012", Name: "Music"}, ARN: tableARN, Tags: map[string]string{"env": "test"}}, got); diff != "" {
		t.Errorf("the request differs (-want +got):\n%s", diff)
	}
}

func TestUntagResourceErrors(t *testing.T) {
	tests := []struct {
		name string
		arn  *string
		keys []string
		want string
	}{
		{"keys are good", new(tableARN), []string{"env"}, ""},
		{"no ARN", new(""), []string{"env"}, "Invalid TableArn"},
		{"no keys sent", new(tableARN), nil, one("Value null at 'tagKeys' failed to satisfy constraint: Member must not be null")},
		{"no keys in the list", new(tableARN), []string{}, "Atleast one Tag Key needs to be provided as Input."},
		{"ARN of an index", new(tableARN + "/index/byB"), []string{"env"},
			invalidHead + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: " + tableARN + "/index/byB"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckUntagResource(&dynamo.UntagResourceInput{ResourceArn: test.arn, TagKeys: test.keys})
			expect(t, err, test.want)
		})
	}
	got, err := CheckUntagResource(&dynamo.UntagResourceInput{ResourceArn: new(tableARN), TagKeys: []string{"env"}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&UntagResource{Table: TableARN{Partition: "aws", Region: "eu-west-1", Account: "123456789012", Name: "Music"}, ARN: tableARN, Keys: []string{"env"}}, got); diff != "" {
		t.Errorf("the request differs (-want +got):\n%s", diff)
	}
}

func TestListTagsOfResource(t *testing.T) {
	got, err := CheckListTagsOfResource(&dynamo.ListTagsOfResourceInput{ResourceArn: new(tableARN)})
	if err != nil || *got != (ListTagsOfResource{Table: TableARN{Partition: "aws", Region: "eu-west-1", Account: "123456789012", Name: "Music"}, ARN: tableARN}) {
		t.Errorf("got %+v, %v", got, err)
	}
	_, err = CheckListTagsOfResource(&dynamo.ListTagsOfResourceInput{})
	expect(t, err, "Invalid TableArn")
	_, err = CheckListTagsOfResource(&dynamo.ListTagsOfResourceInput{ResourceArn: new("Music")})
	expect(t, err, invalidHead+"ARNs must start with 'arn:': Music")
}
