package design_test

import (
	"fmt"
	"log"

	"sortkey.dev/design"
)

// promises is a small design: an entity, its table and two access patterns.
const promises = `design: Promises
entities:
  Promise:
    id: promise_id
    attributes: { promise_id: ulid, user: ulid, text: string }
    size: 400B
    per: { user: 20 }
tables:
  promises: { pk: user, sk: promise_id, items: [Promise] }
patterns:
  ListPromises:
    list: Promise
    where: { user: $ }
    rate: 200/day
  ListPromisesByText:
    list: Promise
    where: { text: $ }
    rate: 200/day
`

// C301 says that no key serves ListPromisesByText.
func ExampleCheck() {
	d := design.Parse("promises.design.yaml", []byte(promises))
	findings, err := design.Check([]*design.Design{d}, design.CheckOptions{})
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range findings.Findings.Findings {
		if f.Severity.String() == "error" {
			fmt.Println(f.Code)
		}
	}
	failed, err := findings.Failed("error")
	fmt.Println(failed, err)
	// Output:
	// C301
	// true <nil>
}

func ExampleDesign_Generate() {
	d, err := design.Open("../apps/exambuddy/exambuddy.design.yaml")
	if err != nil {
		log.Fatal(err)
	}
	files, err := d.Generate(design.GenerateOptions{
		Package: "exambuddydb", ImportPath: "sortkey.dev/apps/exambuddy/exambuddydb",
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range files {
		if file.Name == "db.gen.go" {
			fmt.Println(file.Name)
		}
	}
	// Output: db.gen.go
}

func ExampleDesign_Tables() {
	d, err := design.Open("../apps/exambuddy/exambuddy.design.yaml")
	if err != nil {
		log.Fatal(err)
	}
	tables, err := d.Tables("")
	if err != nil {
		log.Fatal(err)
	}
	for _, table := range tables {
		fmt.Println(table.Name)
	}
	// Output:
	// ExamBuddyTable
	// exambuddy-platform
	// exambuddy-platform-counters
}

func ExampleFitsPackage() {
	fmt.Println(design.FitsPackage("shopdb"), design.FitsPackage("time"))
	// Output: true false
}
