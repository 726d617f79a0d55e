package expression

import "testing"

func TestSearchConditions(t *testing.T) {
	const comparator = "ValidationException: Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression"
	for text, want := range map[string]string{
		"a = :s":                          "a",
		"a = :s AND (#b = :n) AND :t = c": "a b c",
		"a < :s":                          comparator,
		"a = :s OR b = :n":                comparator,
		"NOT a = :s":                      comparator,
		"a = :s AND b IN (:n)":            comparator,
		"attribute_exists(a)":             comparator,
		"begins_with(a, :s)":              comparator,
		"a = b":                           "ValidationException: Invalid SearchConditionExpression: A condition must compare an attribute with a value",
		"size(a) = :n":                    "ValidationException: Invalid SearchConditionExpression: A condition must compare an attribute with a value",
		"a.b = :s":                        "ValidationException: Invalid SearchConditionExpression: A condition cannot be on a nested attribute; document path: [a, b]",
		"a = :s AND a = :t":               "ValidationException: Invalid SearchConditionExpression: There can only be one condition on an attribute; attribute: a",
		"":                                "ValidationException: Invalid SearchConditionExpression: The expression can not be empty;",
		"a = :missing":                    "ValidationException: Invalid SearchConditionExpression: An expression attribute value used in expression is not defined; attribute value: :missing",
	} {
		c, err := NewScope(map[string]string{"#b": "b"}, values(t, sample)).ParseSearchCondition(text)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			for i, clause := range c.Clauses() {
				if i > 0 {
					got += " "
				}
				got += clause.Name
				if clause.Value == nil {
					t.Errorf("%s: no value for %s", text, clause.Name)
				}
			}
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
