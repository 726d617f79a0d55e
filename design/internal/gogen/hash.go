package gogen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"sortkey.dev/design/internal/gogen/internal/items"
	"sortkey.dev/design/internal/gogen/internal/values"
	"sortkey.dev/design/internal/model"
)

// Cursors returns a text that changes with everything the cursors of a generated package depend on.
func Cursors(d *model.Design) string { return hash(d) }

// hash returns a short text that changes with everything a cursor depends on: tables, their
// indexes, what keys are made of, and how attributes are stored. It does not change with
// docs, rates or the order of patterns.
func hash(d *model.Design) string {
	h := sha256.New()
	for _, t := range d.Tables {
		fmt.Fprintf(h, "table %q %q %q %q\n", t.Name, t.PK.Name, t.SK.Name, t.Type)
		for _, x := range t.Indexes {
			fmt.Fprintf(h, "index %q %v %q %q %s %q\n", x.Name, x.Local, keyList(x.PK), keyList(x.SK), x.Project.Kind, x.Project.Attributes)
		}
		for _, item := range t.Items {
			hashItem(h, item)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func hashItem(w io.Writer, item *model.Item) {
	fmt.Fprintf(w, "item %q\n", item.Entity.TypeName())
	for _, c := range item.Computed {
		fmt.Fprintf(w, "key %q %q%s\n", c.Name, c.Template.Text, items.WhenText(c.When))
	}
	for _, a := range item.Entity.Attributes {
		fmt.Fprintf(w, "attribute %q %q %s %v\n", a.Name, a.Stored, a.Type, values.IsSealed(item.Entity, a))
	}
}

func keyList(keys []model.KeyName) []string {
	all := make([]string, len(keys))
	for i, key := range keys {
		all[i] = key.Name
	}
	return all
}
