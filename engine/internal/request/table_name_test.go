package request

import (
	"testing"

	"sortkey.dev/engine/internal/dynamo"
)

func TestTableNamesAndARNs(t *testing.T) {
	arn := func(table string) string { return "arn:aws:dynamodb:eu-west-1:123456789012:table/" + table }
	tests := []struct{ tableName, table string }{ // an empty table: the name is rejected
		{"Music", "Music"},
		{"abc", "abc"},
		{"ab", ""},
		{"a", ""},
		{"A-b_c.9", "A-b_c.9"},
		{"a b", ""},
		{"ümlaut", ""},
		{arn("Music"), "Music"},
		{"arn:aws-cn:dynamodb:cn-north-1:1:table/Music", "Music"},
		{arn(long(255)), long(255)},
		{arn(long(256)), ""},
		{arn(""), ""},
		{arn("Music/index/byYear"), ""},
		{arn("Music/stream/2015-05-11T21:21:33.291"), ""},
		{"arn:aws:dynamodb:eu-west-1:123456789012:stream/Music", ""},
		{"arn:aws:dynamodb:eu-west-1::table/Music", ""},
		{"arn:aws:dynamodb::123456789012:table/Music", ""},
		{"arn:aws:s3:eu-west-1:123456789012:table/Music", ""},
		{"arn:aws:dynamodb:" + long(1000) + ":1:table/Music", ""},
		{"arn:", ""},
	}
	for _, test := range tests {
		get, err := Current.CheckGetItem(&dynamo.GetItemInput{TableName: &test.tableName, Key: item(t, "pk", "a")})
		switch {
		case test.table == "" && err == nil:
			t.Errorf("%s was taken as %s", test.tableName, get.Table)
		case test.table != "" && err != nil:
			t.Errorf("%s was refused: %v", test.tableName, err)
		case test.table != "" && get.Table != test.tableName:
			t.Errorf("%s was taken as %s", test.tableName, get.Table)
		}
		if arn, ok := ParseTableARN(test.tableName); ok && arn.Name != test.table {
			t.Errorf("the table of %s is %s, want %s", test.tableName, arn.Name, test.table)
		}
	}
}

func TestNameOfAnExistingTable(t *testing.T) {
	const short = "' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"
	tests := []struct {
		name      string
		tableName *string
		table     string
		want      string
	}{
		{"a name", new("Music"), "Music", ""},
		{"an ARN", new(tableARN), tableARN, ""},
		{"empty: its length is looked at first", new(""), "", "2 validation errors detected: Value '" + short +
			"; Value '' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"},
		{"shortest", new("abc"), "abc", ""},
		{"longest", new(long(255)), long(255), ""},
		{"too long", new(long(256)), "",
			one("Value '" + long(256) + "' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255")},
		{"ARN of a stream", new("arn:aws:dynamodb:eu-west-1:1:stream/Music"), "", one("Invalid resource type in 'arn:aws:dynamodb:eu-west-1:1:stream/Music'")},
		{"bad letters", new("a b"), "", one(badName)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			described, err := CheckDescribeTable(&dynamo.DescribeTableInput{TableName: test.tableName})
			expect(t, err, test.want)
			deleted, err := CheckDeleteTable(&dynamo.DeleteTableInput{TableName: test.tableName})
			expect(t, err, test.want)
			if test.want == "" && (described != test.table || deleted != test.table) {
				t.Errorf("got %s and %s, want %s", described, deleted, test.table)
			}
			_, err = CheckUpdateTable(&dynamo.UpdateTableInput{TableName: test.tableName, TableClass: "STANDARD"})
			expect(t, err, test.want)
		})
	}
}

func TestListTables(t *testing.T) {
	tests := []struct {
		name string
		in   dynamo.ListTablesInput
		want string
	}{
		{"nothing asked", dynamo.ListTablesInput{}, ""},
		{"least", dynamo.ListTablesInput{Limit: new(int32(1))}, ""},
		{"most", dynamo.ListTablesInput{Limit: new(int32(100))}, ""},
		{"too many, from a bad name", dynamo.ListTablesInput{Limit: new(int32(101)), ExclusiveStartTableName: new("a;")},
			"3 validation errors detected: Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; " +
				"Value 'a;' at 'exclusiveStartTableName' failed to satisfy constraint: Member must have length greater than or equal to 3; " +
				"Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or equal to 100"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := CheckListTables(&test.in)
			expect(t, err, test.want)
		})
	}
	got, err := CheckListTables(&dynamo.ListTablesInput{})
	if err != nil || *got != (ListTables{Limit: 100}) {
		t.Errorf("an empty request became %+v, %v", got, err)
	}
	got, err = CheckListTables(&dynamo.ListTablesInput{Limit: new(int32(5)), ExclusiveStartTableName: new("Music")})
	if err != nil || *got != (ListTables{Start: "Music", Limit: 5}) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzTableName(f *testing.F) {
	for _, seed := range []string{"Music", "", "a b", tableARN, tableARN + "/index/byYear", "arn:aws:dynamodb:::table/", long(256)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, tableName string) {
		get, err := Current.CheckGetItem(&dynamo.GetItemInput{TableName: &tableName, Key: item(t, "pk", "a")})
		if err != nil {
			if answer(t, err) == "" {
				t.Errorf("%q was rejected without a message", tableName)
			}
			return
		}
		name := get.Table
		if arn, ok := ParseTableARN(name); ok {
			name = arn.Name
		}
		if get.Table != tableName || !isName(name) || len(name) > 255 {
			t.Errorf("%q was taken as the table %q", tableName, get.Table)
		}
	})
}
