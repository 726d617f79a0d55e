package provision_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"sortkey.dev/access/provision"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/engine"
)

// Apply creates the tables of a generated package. Applied again, it has nothing to change.
func ExampleApply() {
	memory, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	defer memory.Close()
	options := provision.Options{
		TableNames: func(name string) string { return "dev-" + name },
		Poll:       time.Millisecond,
	}
	for range 2 {
		changes, err := provision.Apply(context.Background(), memory.API(), exambuddydb.Tables(), options)
		if err != nil {
			log.Fatal(err)
		}
		created := 0
		for _, change := range changes {
			if change.Action == provision.CreateTable {
				created++
				fmt.Println(change.Table)
			}
		}
		fmt.Println(created, "created")
	}
	// Output:
	// dev-ExamBuddyTable
	// 1 created
	// 0 created
}
