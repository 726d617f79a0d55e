package conformance

import (
	"fmt"
	"strings"
	"testing"
)

// A transaction has at most 100 actions, on as many items. Observed on AWS, May 2026.
func TestTransactionsOf100Actions(t *testing.T) {
	for _, name := range doorNames {
		t.Run(name, func(t *testing.T) {
			d := openDoor(t, name)
			mustCall(t, d, "CreateTable", createThings)
			var puts, gets, want []string
			for i := range 100 {
				puts = append(puts, fmt.Sprintf(`{"Put": {"TableName": "things", "Item": {"pk": {"S": "%d"}}}}`, i))
				gets = append(gets, fmt.Sprintf(`{"Get": {"TableName": "things", "Key": {"pk": {"S": "%d"}}}}`, i))
				want = append(want, fmt.Sprintf(`{"Item": {"pk": {"S": "%d"}}}`, i))
			}
			mustCall(t, d, "TransactWriteItems", `{"TransactItems": [`+strings.Join(puts, ", ")+`]}`)
			got := mustCall(t, d, "TransactGetItems", `{"TransactItems": [`+strings.Join(gets, ", ")+`]}`)
			checkOutput(t, "TransactGetItems", got, `{"Responses": [`+strings.Join(want, ", ")+`]}`)
		})
	}
}
