package call

import (
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/marshal"
)

func FuzzIdentity(f *testing.F) {
	f.Add("t", "a", "b", "t", "a", "b")
	f.Add("t", "ab", "", "t", "a", "b")
	f.Add("t", "a\x01S", "b", "t", "a", "Sb")
	f.Add("ta", "", "b", "t", "a", "b")
	f.Fuzz(func(t *testing.T, table1, pk1, sk1, table2, pk2, sk2 string) {
		one, err1 := identity(table1, []string{"PK", "SK"}, access.Item{"PK": &types.AttributeValueMemberS{Value: pk1}, "SK": &types.AttributeValueMemberB{Value: []byte(sk1)}})
		two, err2 := identity(table2, []string{"PK", "SK"}, access.Item{"PK": &types.AttributeValueMemberS{Value: pk2}, "SK": &types.AttributeValueMemberB{Value: []byte(sk2)}})
		if err1 != nil || err2 != nil {
			t.Fatal(err1, err2)
		}
		if same := table1 == table2 && pk1 == pk2 && sk1 == sk2; (one == two) != same {
			t.Errorf("%q and %q", one, two)
		}
	})
}

func TestNumbersThatAreOneKey(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"1", "1.0", true},
		{"1", "10e-1", true},
		{"-0", "0", true},
		{"0", "0.000", true},
		{"100", "1E2", true},
		{"0.1", "1e-1", true},
		{"1", "2", false},
		{"1", "-1", false},
		{"12345678901234567890123456789012345678", "12345678901234567890123456789012345679", false},
		{"9.9999999999999999999999999999999999999E+125", "9.9999999999999999999999999999999999998E+125", false},
		{"1e999999999", "1e999999998", false},  // no number of DynamoDB's
		{"1e600000000", "10e599999999", false}, // nor this: to find that they are equal would take hours
		{"x", "x", true},
		{"x", "y", false},
	} {
		one, err1 := identity("t", []string{"n"}, access.Item{"n": marshal.Num(test.a)})
		two, err2 := identity("t", []string{"n"}, access.Item{"n": marshal.Num(test.b)})
		if err1 != nil || err2 != nil || (one == two) != test.same {
			t.Errorf("%s and %s: %q and %q, %v, %v", test.a, test.b, one, two, err1, err2)
		}
	}
}
