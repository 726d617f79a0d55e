package conformance

import (
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
	"backups", "batch_execute_statement", "batch_get_item", "batch_write_item", "bulk_operations", "contributor_insights", "create_table", "delete_item",
	"delete_table", "describe_endpoints", "describe_limits", "describe_stream", "describe_table", "execute_statement", "execute_transaction", "exports", "get_item",
	"get_records", "get_shard_iterator", "global_tables", "kinesis_destinations", "list_streams", "list_tables", "put_item",
	"query", "resource_policies", "scan", "search_vectors", "tags", "time_to_live", "transact_get_items", "transact_write_items", "update_item",
	"update_table",

	"legacy_attribute_updates", "legacy_attributes_to_get", "legacy_expected", "legacy_filters", "legacy_key_conditions", "legacy_parameters",

	"capacity", "expressions", "indexes", "limits", "multi_key_index", "numbers", "online_indexes", "paging", "streams", "values", "wire",
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
		runDoor(t, name, files, func(t *testing.T, _ caseFile) stage { return openDoor(t, name) })
	}
	endpoint := os.Getenv("DYNAMODB_ENDPOINT")
	if endpoint == "" {
		return
	}
	files = slices.DeleteFunc(files, needsOwnEngine)
	for _, name := range remoteDoorNames {
		runDoor(t, name, files, func(t *testing.T, file caseFile) stage { return openRemote(t, name, endpoint, file) })
	}
}

// needsOwnEngine reports whether a case cannot run on an endpoint it shares.
func needsOwnEngine(file caseFile) bool {
	return file.local || slices.ContainsFunc(file.steps, func(s step) bool {
		return s.operation == "ListTables" || s.operation == moveClock || s.operation == "ListStreams" && !strings.Contains(s.request, `"TableName"`)
	})
}

func runDoor(t *testing.T, name string, files []caseFile, open func(*testing.T, caseFile) stage) {
	t.Run(name, func(t *testing.T) {
		for folder, files := range byFolder(files) {
			t.Run(folder, func(t *testing.T) {
				for _, file := range files {
					if file.doors != nil && !slices.Contains(file.doors, strings.TrimPrefix(name, "Remote")) {
						continue
					}
					t.Run(file.name, func(t *testing.T) {
						t.Parallel()
						open(t, file).play(t, file)
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
	// Of what these describe or delete there is nothing yet.
	nothing := []string{"DeleteBackup", "DescribeBackup", "DescribeExport", "DescribeGlobalTable", "DescribeGlobalTableSettings", "DescribeImport"}
	for _, operation := range append(slices.Clone(operations), overHTTP...) {
		if !succeed[operation] && !slices.Contains(nothing, operation) && operation != "CancelBulkOperation" {
			t.Errorf("no case shows %s succeeding", operation)
		}
		if !fail[operation] && operation != "DescribeLimits" && operation != "DescribeEndpoints" {
			t.Errorf("no case shows %s failing", operation)
		}
	}
}
