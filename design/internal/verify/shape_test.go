package verify_test

import (
	"path/filepath"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access/shape"
	"sortkey.dev/design/internal/loader"
	"sortkey.dev/design/internal/resolve"
	"sortkey.dev/design/internal/tabledef"
	"sortkey.dev/design/internal/verify"
	"sortkey.dev/engine"
)

// TestItemsFitTheirShape writes with every pattern of designs and reads every item back by its
// description.
func TestItemsFitTheirShape(t *testing.T) {
	for _, name := range []string{"askahuman", "ecobid", "exambuddy", "homeops"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fits(t, layoutOf(t, filepath.Join("../../../apps", name, name+".design.yaml")), verify.Options{Seed: 1, Runs: 4})
		})
	}
	for name, text := range map[string]string{"keys": keyDesign, "sets": setDesign, "defaults": defaultDesign} {
		t.Run(name, func(t *testing.T) {
			fits(t, layoutFrom(t, []loader.Source{{Name: "test.design.yaml", Text: []byte(text)}}), verify.Options{Seed: 1, Runs: 10})
		})
	}
}

func fits(t *testing.T, l *resolve.Layout, o verify.Options) {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := verify.Run(t.Context(), l, db.API(), o); err != nil {
		t.Fatal(err)
	}
	for _, table := range tabledef.Of(l.Design()) {
		for _, e := range table.Shape.Entities {
			for i := range e.Attributes {
				e.Attributes[i].Sealed = false // verification encrypts nothing
			}
		}
		reader := shape.NewReader(table.Shape)
		out, err := db.API().Scan(t.Context(), &dynamodb.ScanInput{TableName: aws.String(table.Name)})
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			if wrong := reader.Check(item); wrong != nil {
				t.Errorf("seed %d: table %s: %v: %v", o.Seed, table.Name, wrong, item)
			}
			for _, row := range reader.Rows(item) {
				out, err := db.API().GetItem(t.Context(), &dynamodb.GetItemInput{TableName: aws.String(table.Name), Key: row.Key})
				if err != nil || len(out.Item) == 0 {
					t.Errorf("seed %d: table %s: no row %v of unique %s: %v, %v", o.Seed, table.Name, row.Key, row.Unique, item, err)
				}
			}
		}
	}
}
