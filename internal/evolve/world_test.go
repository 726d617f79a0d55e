package evolve_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/provision"
	"sortkey.dev/access/stream"
	"sortkey.dev/apps"
	"sortkey.dev/design"
	"sortkey.dev/engine"
	"sortkey.dev/internal/evolve"
)

// The notes of version 1 are found by their id; those of version 2 by their owner, too, whose stored name is another.
const (
	notes1 = `design: Notes
entities:
  Note: { id: note_id, attributes: { note_id: string, owner: string, text: string } }
tables:
  notes: { pk: PK, items: { Note: { PK: "NOTE#{note_id}" } } }
patterns:
  GetNote: { get: Note, where: { note_id: $ }, rate: 1/day }
  AddNote: { create: Note, rate: 1/day }
`
	notes2 = `design: Notes
entities:
  Note: { id: note_id, attributes: { note_id: string, owner: { type: string, name: held_by }, text: string } }
tables:
  notes:
    pk: PK
    indexes: { by_owner: { pk: OWNER, sk: ID } }
    items: { Note: { PK: "NOTE#{note_id}", OWNER: "OWNER#{owner|lower}", ID: "{note_id}" } }
patterns:
  GetNote: { get: Note, where: { note_id: $ }, rate: 1/day }
  AddNote: { create: Note, rate: 1/day }
  ListByOwner: { list: Note, where: { owner: $ }, limit: 10, rate: 1/day }
`
	// The text of notes is gone in version 3.
	notes3 = `design: Notes
entities:
  Note: { id: note_id, attributes: { note_id: string, owner: { type: string, name: held_by } } }
tables:
  notes:
    pk: PK
    indexes: { by_owner: { pk: OWNER, sk: ID } }
    items: { Note: { PK: "NOTE#{note_id}", OWNER: "OWNER#{owner|lower}", ID: "{note_id}" } }
patterns:
  GetNote: { get: Note, where: { note_id: $ }, rate: 1/day }
  AddNote: { create: Note, rate: 1/day }
  ListByOwner: { list: Note, where: { owner: $ }, limit: 10, rate: 1/day }
`
)

// histories returns the design as it is in each version, with its history up to there.
func histories(t *testing.T, versions ...string) []fs.FS {
	t.Helper()
	var all []fs.FS
	last := ""
	for i, text := range versions {
		dir := t.TempDir()
		if last != "" {
			if err := os.CopyFS(dir, os.DirFS(last)); err != nil {
				t.Fatal(err)
			}
		}
		path := filepath.Join(dir, "notes", "notes.design.yaml")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		plan(t, path, i+1)
		all, last = append(all, os.DirFS(dir)), dir
	}
	return all
}

// plan adds the design to its history, as sortkey plan does.
func plan(t *testing.T, path string, version int) {
	t.Helper()
	d, err := design.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var files []design.HistoryFile
	if version == 1 {
		files, err = d.Baseline("baseline", nil)
	} else {
		var p *design.Plan
		if p, err = d.Plan(design.PlanOptions{Name: "next"}); err == nil {
			files = p.Files()
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if err := errors.Join(os.MkdirAll(filepath.Dir(f.Path), 0o700), os.WriteFile(f.Path, f.Text, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
}

// tables returns the tables of the design as it is.
func tables(t *testing.T, designs fs.FS) []provision.Table {
	t.Helper()
	d, err := design.OpenFS(designs, "notes/notes.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	h, err := d.History()
	if err != nil {
		t.Fatal(err)
	}
	number, _ := h.Last()
	all, err := h.Tables(number)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// keep opens the data with a program.
func keep(t *testing.T, designs fs.FS, o evolve.Options, versions ...int) (apps.Data, *access.Client, error) {
	t.Helper()
	o.Designs = designs
	of := access.Design{Name: "Notes", Versions: versions}
	if len(versions) > 0 {
		of.State = access.StateRow{Table: "notes", Partition: access.KeyValue{Name: "PK", Text: "Notes#state"}}
	}
	client := access.NewClient(o.API, of, access.WithTablePrefix("p-"))
	data, err := evolve.New(o).Keep(t.Context(), client, tables(t, designs))
	return data, client, err
}

// open opens a store in a directory; "" in memory.
func open(t *testing.T, dir string) *engine.DB {
	t.Helper()
	db, err := engine.Open(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// write writes notes of version 1.
func write(t *testing.T, api access.API, n int) {
	t.Helper()
	for i := range n {
		item := access.Item{"PK": s(fmt.Sprint("NOTE#", i)), "note_id": s(fmt.Sprint(i)), "owner": s("Ann"), "text": s(strings.Repeat("x", i%100))}
		if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("p-notes"), Item: item}); err != nil {
			t.Fatal(err)
		}
	}
}

func s(text string) types.AttributeValue { return &types.AttributeValueMemberS{Value: text} }

// read returns the notes by their keys, each as what it holds of the two versions.
func read(t *testing.T, api access.API) map[string]string {
	t.Helper()
	found := map[string]string{}
	in := &dynamodb.ScanInput{TableName: new("p-notes"), ConsistentRead: new(true)}
	for {
		out, err := api.Scan(context.Background(), in)
		if err != nil {
			t.Fatal(err)
		}
		for _, item := range out.Items {
			if access.IsStateRow(item) {
				continue
			}
			text := func(name string) string {
				if v, ok := item[name].(*types.AttributeValueMemberS); ok {
					return v.Value
				}
				return "-"
			}
			found[text("PK")] = fmt.Sprint(text("owner"), " ", text("held_by"), " ", text("OWNER"), " ", text("ID"))
		}
		if in.ExclusiveStartKey = out.LastEvaluatedKey; in.ExclusiveStartKey == nil {
			return found
		}
	}
}

// are checks that all notes have a version.
func are(t *testing.T, api access.API, version, n int) {
	t.Helper()
	notes := read(t, api)
	if len(notes) != n {
		t.Errorf("%d notes, not %d", len(notes), n)
	}
	for key, has := range notes {
		want := "Ann - - -"
		if version > 1 {
			want = "- Ann OWNER#ann " + strings.TrimPrefix(key, "NOTE#")
		}
		if has != want {
			t.Fatalf("%s: %q, not %q", key, has, want)
		}
	}
}

var typesN = types.AttributeValueMemberN{Value: "7"}

func ensureControl(t *testing.T, api stream.TableMaker) {
	t.Helper()
	if err := stream.EnsureTable(t.Context(), api, "p-"+evolve.Control); err != nil {
		t.Fatal(err)
	}
}
