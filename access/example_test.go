package access_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"time"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/engine"
)

// start is the time at which the examples happen.
var start = time.Date(2026, 2, 17, 10, 30, 0, 0, time.UTC)

// openExams opens a database in memory for the generated package exambuddydb. A program on
// AWS gives New a *dynamodb.Client instead.
func openExams(options ...access.Option) (db *exambuddydb.DB, closeDB func()) {
	memory, err := engine.Open("", nil)
	if err != nil {
		log.Fatal(err)
	}
	db = exambuddydb.New(memory.API(), append(options, access.WithoutState())...)
	if _, err := provision.Apply(context.Background(), memory.API(), exambuddydb.Tables(), provision.Options{
		TableNames: db.Client().Table, KMSKey: "none", Poll: time.Millisecond,
	}); err != nil {
		log.Fatal(err)
	}
	return db, func() { _ = memory.Close() }
}

// admin owns the projects of the examples.
var admin = access.NewULID(start)

// createProject creates a project n hours after the start.
func createProject(db *exambuddydb.DB, title string, n int) exambuddydb.Project {
	at := start.Add(time.Duration(n) * time.Hour)
	project := exambuddydb.Project{ProjectID: access.NewULID(at), AdminID: admin, Title: title, CreatedAt: at, UpdatedAt: at}
	project, err := db.CreateProject(context.Background(), project)
	if err != nil {
		log.Fatal(err)
	}
	return project
}

// rename changes the title of a project that was read with a version.
func rename(ctx context.Context, db *exambuddydb.DB, p exambuddydb.Project, title string) error {
	_, err := db.EditProject(ctx, p.Key(), exambuddydb.EditProjectParams{
		Title: title, Description: p.Description, PassMark: p.PassMark, Rules: p.Rules, UpdatedAt: start, Version: p.Version,
	})
	return err
}

func Example() {
	db, closeDB := openExams()
	defer closeDB()
	ctx := context.Background()
	project := createProject(db, "Go basics", 0)

	found, err := db.GetProject(ctx, admin, project.ProjectID)
	fmt.Println(found.Title, err)
	_, err = db.GetProject(ctx, admin, "unknown")
	fmt.Println(errors.Is(err, access.ErrNotFound))
	// Output:
	// Go basics <nil>
	// true
}

func ExampleList_All() {
	db, closeDB := openExams()
	defer closeDB()
	createProject(db, "Go basics", 0)
	createProject(db, "Go channels", 1)

	for project, err := range db.ListProjectsByAdmin(admin).All(context.Background()) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(project.Title)
	}
	// Unordered output:
	// Go channels
	// Go basics
}

func ExampleList_Page() {
	db, closeDB := openExams()
	defer closeDB()
	for n := range 5 {
		createProject(db, fmt.Sprint("Project ", n), n)
	}

	list := db.ListProjectsByAdmin(admin).PageSize(2)
	for cursor := ""; ; {
		page, err := list.Page(context.Background(), cursor)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("page of", len(page.Items))
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	_, err := list.Page(context.Background(), "forged")
	fmt.Println(errors.Is(err, access.ErrBadCursor))
	// Output:
	// page of 2
	// page of 2
	// page of 1
	// true
}

func ExampleList_Count() {
	db, closeDB := openExams()
	defer closeDB()
	createProject(db, "Go basics", 0)
	createProject(db, "Go channels", 1)

	n, err := db.ListProjectsByAdmin(admin).Count(context.Background())
	fmt.Println(n, err)
	// Output: 2 <nil>
}

func ExampleScan_Each() {
	db, closeDB := openExams()
	defer closeDB()
	createProject(db, "Go basics", 0)
	createProject(db, "Go channels", 1)

	err := db.ScanProject().Workers(1).Each(context.Background(), func(_ context.Context, p exambuddydb.Project) error {
		fmt.Println(p.Title)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Unordered output:
	// Go basics
	// Go channels
}

func ExampleVersionError() {
	db, closeDB := openExams()
	defer closeDB()
	ctx := context.Background()
	id := createProject(db, "Go basics", 0).ProjectID

	read, err := db.GetProject(ctx, admin, id)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(rename(ctx, db, read, "Go, revised"))

	var changed *access.VersionError
	if err := rename(ctx, db, read, "Go, again"); errors.As(err, &changed) {
		current := changed.Current.(*exambuddydb.Project)
		fmt.Println("it is now called", current.Title)
	}
	// Output:
	// <nil>
	// it is now called Go, revised
}

func ExampleRetryOnConflict() {
	db, closeDB := openExams()
	defer closeDB()
	ctx := context.Background()
	id := createProject(db, "Go basics", 0).ProjectID

	attempts := 0
	err := access.RetryOnConflict(ctx, func() (retry bool, err error) {
		attempts++
		project, err := db.GetProject(ctx, admin, id) // every attempt reads the current version
		if err != nil {
			return false, err
		}
		if attempts == 1 { // another process renames it in between
			_ = rename(ctx, db, project, "Go")
		}
		return false, rename(ctx, db, project, project.Title+", revised")
	})
	project, _ := db.GetProject(ctx, admin, id)
	fmt.Println(attempts, "attempts:", project.Title, err)
	// Output: 2 attempts: Go, revised <nil>
}

func ExampleUnavailable() {
	err := fmt.Errorf("GetProject: %w", context.DeadlineExceeded)
	if access.Unavailable(err) {
		fmt.Println("try again later")
	}
	// Output: try again later
}

func ExampleRefused() {
	db, closeDB := openExams()
	defer closeDB()
	_, err := db.GetProject(context.Background(), admin, "unknown")
	fmt.Println(access.Refused(err), access.Unavailable(err))
	// Output: true false
}

func ExampleMeter() {
	var meter access.Meter
	db, closeDB := openExams(access.WithObserver(&meter))
	defer closeDB()
	project := createProject(db, "Go basics", 0)
	if _, err := db.GetProject(context.Background(), admin, project.ProjectID); err != nil {
		log.Fatal(err)
	}

	for _, r := range meter.Report() {
		fmt.Printf("%s: %d call, %d request\n", r.Pattern, r.Calls, r.Requests)
	}
	// Output:
	// CreateProject: 1 call, 1 request
	// GetProject: 1 call, 1 request
}

func ExampleObserverFunc() {
	observer := access.ObserverFunc(func(_ context.Context, call access.Call) {
		fmt.Println(call.Pattern, call.Operation, call.Table)
	})
	db, closeDB := openExams(access.WithObserver(observer), access.WithTablePrefix("dev-"))
	defer closeDB()
	createProject(db, "Go basics", 0)
	// Output: CreateProject PutItem dev-ExamBuddyTable
}

func ExampleNewSealer() {
	key := []byte(strings.Repeat("k", 32)) // from a secret store
	sealer, err := access.NewSealer(key)
	if err != nil {
		log.Fatal(err)
	}
	sealed, err := sealer.Seal([]byte("ann@example.com"), "User.email")
	if err != nil {
		log.Fatal(err)
	}
	plain, err := sealer.Open(sealed, "User.email")
	fmt.Println(string(plain), err)
	_, err = sealer.Open(sealed, "User.name")
	fmt.Println(errors.Is(err, access.ErrNotOpened))
	// Output:
	// ann@example.com <nil>
	// true
}

func ExampleDecimal() {
	price, _ := access.ParseDecimal("19.90")
	sum, err := price.Add(access.DecimalOf(10, 2))
	fmt.Println(price, sum, err, sum.Cmp(price))
	// Output: 19.9 20 <nil> 1
}

func ExampleDateOf() {
	date := access.DateOf(start)
	fmt.Println(date, date.Time().Weekday(), access.WeekOf(start))
	// Output: 2026-02-17 Tuesday 2026-W08
}

func ExampleNewULID() {
	id := access.NewULID(start)
	at, err := access.TimeOfID(id)
	fmt.Println(len(id), at, err)
	// Output: 26 2026-02-17 10:30:00 +0000 UTC <nil>
}

func ExampleMeter_Text() {
	var meter access.Meter
	meter.Observe(context.Background(), access.Call{
		Pattern: "GetProject", Table: "Exams", Estimated: 1, Units: 1, Requests: 1, Items: 1, Duration: 2 * time.Millisecond,
	})
	if err := meter.Text(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// Output:
	// pattern     path   calls  refused  errors  retries  estimated  actual  ratio  p50  p99
	// GetProject  Exams      1        0       0        0       1.00    1.00   1.00  2ms  2ms
}
