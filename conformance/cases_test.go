package conformance

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

const casesRoot = "testdata"

// folders are the folders of the suite: one per operation, and those for what
// several operations share. A folder that is not here, or is empty, is a mistake.
var folders = []string{
	"batch_get_item", "batch_write_item", "create_table", "delete_item", "delete_table", "describe_endpoints",
	"describe_limits", "describe_table", "get_item", "list_tables", "put_item", "query", "scan", "tags",
	"update_item", "update_table",

	"capacity", "expressions", "indexes", "limits", "multi_key_index", "numbers", "paging", "values", "wire",
}

func loadCases(t *testing.T) []caseFile {
	t.Helper()
	files, err := readCases(casesRoot)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestCases runs every case file through every door.
func TestCases(t *testing.T) {
	files := loadCases(t)
	for _, name := range doorNames {
		runDoor(t, name, files, func(t *testing.T, _ caseFile) door { return openDoor(t, name) })
	}
	endpoint := os.Getenv("DYNAMODB_ENDPOINT")
	if endpoint == "" {
		return
	}
	files = slices.DeleteFunc(files, listsAllTables)
	for _, name := range remoteDoorNames {
		runDoor(t, name, files, func(t *testing.T, file caseFile) door { return openRemote(t, name, endpoint, file) })
	}
}

// listsAllTables reports whether a case needs an endpoint for itself.
func listsAllTables(file caseFile) bool {
	return slices.ContainsFunc(file.steps, func(s step) bool { return s.operation == "ListTables" })
}

func runDoor(t *testing.T, name string, files []caseFile, open func(*testing.T, caseFile) door) {
	t.Run(name, func(t *testing.T) {
		for folder, files := range byFolder(files) {
			t.Run(folder, func(t *testing.T) {
				for _, file := range files {
					if file.doors != nil && !slices.Contains(file.doors, strings.TrimPrefix(name, "Remote")) {
						continue
					}
					t.Run(file.name, func(t *testing.T) {
						t.Parallel()
						runCase(t, open(t, file), file)
					})
				}
			})
		}
	})
}

// byFolder groups files, which are sorted, by their folder.
func byFolder(files []caseFile) func(yield func(string, []caseFile) bool) {
	return func(yield func(string, []caseFile) bool) {
		for start, end := 0, 0; start < len(files); start = end {
			for end < len(files) && files[end].folder == files[start].folder {
				end++
			}
			if !yield(files[start].folder, files[start:end]) {
				return
			}
		}
	}
}

func runCase(t *testing.T, d door, file caseFile) {
	var previous map[string]any
	for _, s := range file.steps {
		for i := range s.times {
			request, err := withPrevious(withArns(counted(s.request, i), d.arn), previous)
			if err != nil {
				t.Fatalf("%s: %v", s.place, err)
			}
			got, err := d.call(t.Context(), s.operation, request)
			if err != nil {
				t.Fatalf("%s: %s: %v", s.place, s.operation, err)
			}
			if problem := s.want.check(s.operation, got, d); problem != "" {
				t.Errorf("%s: %s: %s", s.place, s.operation, problem)
				if got.failure != nil && s.want.kind != wantError {
					return // the steps after it would only repeat that
				}
			}
			previous = got.output
		}
	}
}

// check says how an answer is not what was expected, or nothing.
func (want expectation) check(operation string, got answer, d door) string {
	if want.kind == wantError {
		return want.checkFailure(operation, got, d)
	}
	if f := got.failure; f != nil {
		return fmt.Sprintf("failed:\n\tgot  %s\n\t     %s", f.code, shorten(f.message, 2000))
	}
	if want.kind == wantSuccess {
		return ""
	}
	tree, err := parseObject(withArns(want.answer, d.arn))
	if err != nil {
		return err.Error()
	}
	return report(compare(operation, got.output, tree, want.kind == wantMembers), got.output)
}

func (want expectation) checkFailure(operation string, got answer, d door) string {
	message := withArns(want.message, d.arn)
	f := got.failure
	switch {
	case f == nil:
		return fmt.Sprintf("succeeded with %s\n\twant %s\n\t     %s", inJSON(got.output), want.code, shorten(message, 2000))
	case f.byClient:
		return ""
	case f.code == want.code && (f.message == message || want.partial && strings.Contains(f.message, message)):
		return want.checkMembers(operation, f, d)
	}
	return fmt.Sprintf("another error:\n\tgot  %s\n\t     %s\n\twant %s\n\t     %s", f.code, shorten(f.message, 2000), want.code, shorten(message, 2000))
}

// checkMembers compares what an error carries besides its message.
func (want expectation) checkMembers(operation string, f *failure, d door) string {
	members := map[string]any{}
	if want.with != "" {
		var err error
		if members, err = parseObject(withArns(want.with, d.arn)); err != nil {
			return err.Error()
		}
	}
	if f.members == nil {
		f.members = map[string]any{}
	}
	return report(compare(operation, f.members, members, false), f.members)
}

func report(differences []string, got map[string]any) string {
	if len(differences) == 0 {
		return ""
	}
	return strings.Join(differences, "\n\t") + "\n\twhole answer: " + inJSON(got)
}

// TestSuiteIsWhole makes sure that TestCases cannot pass by running nothing.
func TestSuiteIsWhole(t *testing.T) {
	count := map[string]int{}
	succeed, fail := map[string]bool{}, map[string]bool{}
	for _, file := range loadCases(t) {
		count[file.folder]++
		for _, s := range file.steps {
			if s.want.kind == wantError {
				fail[s.operation] = true
			} else {
				succeed[s.operation] = true
			}
		}
	}
	for _, folder := range folders {
		if count[folder] == 0 {
			t.Errorf("%s/%s has no case files", casesRoot, folder)
		}
		delete(count, folder)
	}
	for _, folder := range slices.Sorted(maps.Keys(count)) {
		t.Errorf("%s/%s is not a folder of the suite; see folders in this file", casesRoot, folder)
	}
	for _, operation := range operations {
		if !succeed[operation] {
			t.Errorf("no case shows %s succeeding", operation)
		}
		if !fail[operation] && operation != "DescribeLimits" && operation != "DescribeEndpoints" {
			t.Errorf("no case shows %s failing", operation)
		}
	}
}

// operations are those the engine has.
var operations = []string{
	"BatchGetItem", "BatchWriteItem", "CreateTable", "DeleteItem", "DeleteTable", "DescribeEndpoints", "DescribeLimits",
	"DescribeTable", "GetItem", "ListTables", "ListTagsOfResource", "PutItem", "Query", "Scan", "TagResource",
	"UntagResource", "UpdateItem", "UpdateTable",
}
