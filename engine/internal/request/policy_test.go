package request

import (
	"encoding/json"
	"testing"
)

func TestPolicyForms(t *testing.T) {
	for _, test := range []struct{ document, want string }{
		{`{"Statement":{"Resource":"r"}}`, `{"Version":"2008-10-17","Statement":[{"Resource":"r"}]}`},
		{`{"Version":"2012-10-17","Id":"i","Statement":[{"Resource":["a","b"],"Condition":{"Bool":{"x":"true"}},"Effect":"DENY","Principal":"*","NotAction":["d"]}]}`,
			`{"Version":"2012-10-17","Id":"i","Statement":[{"Effect":"Deny","Principal":"*","NotAction":"d","Resource":["a","b"],"Condition":{"Bool":{"x":"true"}}}]}`},
		{`{"Statement":[{"Resource":"<&>","Principal":{"AWS":["123456789012","arn:aws:iam::123456789012:root",{"x":1},{"x":1}],"Service":"s"}}]}`,
			`{"Version":"2008-10-17","Statement":[{"Principal":{"AWS":["arn:aws:iam::123456789012:root",{"x":1},{"x":1}],"Service":"s"},"Resource":"<&>"}]}`},
	} {
		got, err := policyOf(test.document)
		if err != nil || got != test.want {
			t.Errorf("%s\n got %s, %v\nwant %s", test.document, got, err, test.want)
		}
	}
}

// The form of an accepted policy is JSON, and is its own form.
func FuzzPolicy(f *testing.F) {
	f.Add(`{"Version":"2012-10-17","Statement":[{"Sid":"a","Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":["a"],"Resource":"*"}]}`)
	f.Add(`{"Statement":{"Resource":1e400,"Principal":{"AWS":[[],{}]}}}`)
	f.Add(`null {}`)
	f.Fuzz(func(t *testing.T, document string) {
		form, err := policyOf(document)
		if err != nil {
			return
		}
		if !json.Valid([]byte(form)) {
			t.Fatalf("the form of %q is %q", document, form)
		}
		if len(form) > 20<<10 {
			return // the unescaped document is longer
		}
		if again, err := policyOf(form); err != nil || again != form {
			t.Errorf("%q has the form %q, and that has %q, %v", document, form, again, err)
		}
	})
}
