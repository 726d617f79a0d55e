package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"sortkey.dev/access"
	"sortkey.dev/access/migrate"
	"sortkey.dev/access/provision"
	"sortkey.dev/design"
	"sortkey.dev/engine"
	"sortkey.dev/internal/evolve"
)

// TestPhasesGuide follows the guide, then carries a message of the first phase along to the last.
func TestPhasesGuide(t *testing.T) {
	guide, err := os.ReadFile("../../docs/guide/phases.md")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, file := range []string{"homeops/homeops.design.yaml", "internal/platform/platform.design.yaml"} {
		text, err := os.ReadFile(filepath.Join("../../apps", file))
		if err != nil {
			t.Fatal(err)
		}
		at := filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "homeops"))
	for _, block := range tutorialBlock.FindAllStringSubmatch(string(guide), -1) {
		for _, command := range strings.Split(block[2], "$ sortkey ")[1:] {
			line, want, _ := strings.Cut(command, "\n")
			var out bytes.Buffer
			if status := Run(strings.Fields(line), strings.NewReader(""), &out, &out); status != 0 {
				t.Fatalf("sortkey %s: %d\n%s", line, status, &out)
			}
			expectPieces(t, line, want, out.String())
		}
	}
	h := homeopsHistory(t)
	if last, _ := h.Last(); last != 6 {
		t.Fatalf("the history has %d versions", last)
	}
	for i, want := range []int{1, 10, 17, 18, 20, 21} {
		tables, err := h.Tables(i + 1)
		if err != nil {
			t.Fatal(err)
		}
		entities := 0
		for _, table := range tables {
			if !strings.Contains(table.Name, "platform") {
				entities += len(table.Shape.Entities)
			}
		}
		if entities != want {
			t.Errorf("version %d has %d entities, not %d", i+1, entities, want)
		}
	}
	carryMessage(t, dir, h)
}

func homeopsHistory(t *testing.T) *design.History {
	t.Helper()
	d, err := design.Open("homeops.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	h, err := d.History()
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// carryMessage writes a message into the tables of the first phase, and opens them with a program of the last one.
func carryMessage(t *testing.T, dir string, h *design.History) {
	t.Helper()
	db, err := engine.Open("", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	first, err := h.Tables(1)
	if err == nil {
		_, err = provision.Apply(t.Context(), db.API(), first, provision.Options{})
	}
	if err != nil {
		t.Fatal(err)
	}
	of, err := h.State()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&migrate.Epochs{API: db.API(), Design: of}).Create(t.Context(), 1, access.LeaseInPeace); err != nil {
		t.Fatal(err)
	}
	text := func(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }
	number := func(s string) types.AttributeValue { return &types.AttributeValueMemberN{Value: s} }
	message := access.Item{
		"chatId": text("-7001"), "messageId": number("7"), "userId": number("701"), "userName": text("Anna"), "text": text("Jag har diskat"),
		"timestamp": number("1771324200"), "revision": number("0"), "raw": text("{}"), "createdAt": text("2026-02-17T10:30:00.000Z"), "expiresAt": number("4000000000"),
	}
	if _, err := db.API().PutItem(t.Context(), &dynamodb.PutItemInput{TableName: new("homeops-messages"), Item: message}); err != nil {
		t.Fatal(err)
	}
	tables, err := h.Tables(6)
	if err != nil {
		t.Fatal(err)
	}
	var passed []string
	k := evolve.New(evolve.Options{API: db.API(), Designs: os.DirFS(dir), Alone: true, Progress: func(p evolve.Progress) {
		if p.Done {
			passed = append(passed, p.Migration)
		}
	}})
	data, err := k.Keep(t.Context(), access.NewClient(db.API(), access.Design{Name: "HomeOps"}), tables)
	if err != nil {
		t.Fatal(err)
	}
	stand, err := data.Stand(t.Context())
	if err != nil || stand.Version != 6 || strings.Join(passed, " ") != "0002-events 0003-promises 0004-phase4 0005-phase5 0006-phase6" {
		t.Errorf("%+v, %v, %v", stand, passed, err)
	}
	out, err := db.API().Query(t.Context(), &dynamodb.QueryInput{
		TableName: new("homeops-messages"), IndexName: new("userId-timestamp-index"), KeyConditionExpression: new("userId = :u"),
		ExpressionAttributeValues: access.Item{":u": message["userId"]},
	})
	if err != nil || len(out.Items) != 1 {
		t.Errorf("the message in the new index: %v, %v", out, err)
	}
}
