package api_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
)

// TestMain also makes sure that every answer the document promises was seen in a test:
// what no test can bring about is not true.
func TestMain(m *testing.M) {
	code := m.Run()
	partly := flag.Lookup("test.run").Value.String() != "" || flag.Lookup("test.skip").Value.String() != "" || flag.Lookup("test.fuzz").Value.String() != ""
	if code == 0 && !partly {
		if unseen := theDocument().unseen(); len(unseen) > 0 {
			fmt.Println("no test saw these answers of the document:")
			for _, each := range unseen {
				fmt.Println("  " + each)
			}
			code = 1
		}
	}
	os.Exit(code)
}

// unseen returns the answers of the document that were not given.
func (d *document) unseen() []string {
	var unseen []string
	for path := range d.object("paths") {
		for verb := range d.object("paths", path) {
			for status := range d.object("paths", path, verb, "responses") {
				if each := path + " " + verb + " " + status; !d.seen[each] {
					unseen = append(unseen, each)
				}
			}
		}
	}
	slices.Sort(unseen)
	return unseen
}
