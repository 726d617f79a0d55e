package engine_test

import (
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/engine/internal/oracle"
	"sortkey.dev/internal/effort"
)

// TestOracleCases replays sequences that [TestOracle] found, or that are worth replaying
// in every run.
func TestOracleCases(t *testing.T) {
	effort.SkipUnderRace(t)
	for name, steps := range map[string][]oracle.Step{
		"an item with long attributes of one partition key is in the index": {
			oracle.CreateTable{Table: "tab0", Hash: "p", Types: map[string]string{"a": "S", "b": "N", "p": "S"},
				Indexes: []oracle.Index{{Name: "ix0", Hash: []string{"a", "b"}, Project: "KEYS_ONLY"}}},
			oracle.PutItem{Table: "tab0", Item: oracle.Item{"a": oracle.S(strings.Repeat("x", 2048)), "b": oracle.N("1"), "p": oracle.S("a")}},
			oracle.Scan{Table: "tab0", Index: "ix0"},
		},
		"a sort attribute of the greatest length beside one that is missing": {
			oracle.CreateTable{Table: "tab0", Hash: "p", Types: map[string]string{"a": "S", "b": "N", "c": "B", "p": "S"},
				Indexes: []oracle.Index{{Name: "ix0", Hash: []string{"b"}, Sort: []string{"c", "a"}, Project: "KEYS_ONLY"}}},
			oracle.PutItem{Table: "tab0", Item: oracle.Item{"a": oracle.S(strings.Repeat("x", 1024)), "p": oracle.S("a")}},
			oracle.Compare{},
		},
		"positions are those before the update, beyond the end of a list too": {
			oracle.CreateTable{Table: "tab0", Hash: "p", Types: map[string]string{"p": "S"}},
			oracle.PutItem{Table: "tab0", Item: oracle.Item{"l": oracle.L(), "p": oracle.S("a")}},
			oracle.UpdateItem{Table: "tab0", Key: oracle.Item{"p": oracle.S("a")}, Return: types.ReturnValueAllNew, Update: oracle.Update{
				{Do: "SET", Path: oracle.Path{"l", 3}, To: oracle.Term{Value: oracle.S("new")}},
				{Do: "REMOVE", Path: oracle.Path{"l", 0}},
			}},
		},
		"an index is added to items that do not suit it": {
			oracle.CreateTable{Table: "tab0", Hash: "p", Types: map[string]string{"p": "S"}, View: types.StreamViewTypeNewAndOldImages},
			oracle.PutItem{Table: "tab0", Item: oracle.Item{"b": oracle.Null(), "p": oracle.S("a")}},
			oracle.PutItem{Table: "tab0", Item: oracle.Item{"b": oracle.N("1"), "p": oracle.S("b")}},
			oracle.AddIndex{Table: "tab0", Index: oracle.Index{Name: "ix0", Hash: []string{"b"}, Project: "ALL"}, Types: map[string]string{"b": "N"}},
			oracle.UpdateItem{Table: "tab0", Key: oracle.Item{"p": oracle.S("a")}},
			oracle.UpdateItem{Table: "tab0", Key: oracle.Item{"p": oracle.S("a")}, Update: oracle.Update{{Do: "SET", Path: oracle.Path{"n"}, To: oracle.Term{Value: oracle.N("1")}}}},
			oracle.UpdateItem{Table: "tab0", Key: oracle.Item{"p": oracle.S("a")}, Update: oracle.Update{{Do: "SET", Path: oracle.Path{"b"}, To: oracle.Term{Value: oracle.N("1")}}}},
			oracle.Compare{},
			oracle.ReadStreams{},
		},
		"many items expire and leave their records": {
			oracle.CreateTable{Table: "tab0", Hash: "p", Sort: "s", Types: map[string]string{"p": "S", "s": "N"}, View: types.StreamViewTypeNewAndOldImages},
			oracle.Bulk{Table: "tab0", Items: 260, Seconds: 50},
			oracle.SetExpiry{Table: "tab0", Attribute: "t", On: true},
			oracle.Advance{Seconds: 51},
			oracle.Restart{},
			oracle.Compare{},
			oracle.ReadStreams{Limit: 7},
		},
	} {
		for _, way := range []oracleWay{{door: "API"}, {disk: true, door: "Client"}, {door: "JSON"}} {
			t.Run(name+"/"+way.String(), func(t *testing.T) {
				if wrong := way.play(t, steps); wrong != nil {
					t.Errorf("step %d: %s:\n%s", wrong.Step, wrong.Kind, wrong.Text)
				}
			})
		}
	}
}
