package call_test

import (
	"context"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"sortkey.dev/access"
	"sortkey.dev/access/call"
)

// TestShadowReads sends reads twice once the new parts are verified, and answers with the old version.
func TestShadowReads(t *testing.T) {
	api := openNotes(t, append(numbered("A", 3), numbered("B", 2)...)...)
	makeState(t, api)
	var reports []access.Shadowed
	shadow := access.WithShadow(1, func(_ context.Context, s access.Shadowed) { reports = append(reports, s) })
	client := func(options ...access.Option) *access.Client {
		return access.NewClient(api, access.Design{Name: "Shop", Versions: []int{1, 2}, State: shopRow}, append(options, shadow)...)
	}
	read := func(c *access.Client, partition string) {
		t.Helper()
		reports = nil
		list := call.ListInPhase(call.List(c, notesOf("A"), decodeNote), call.List(c, notesOf(partition), decodeNote))
		want := 3
		if c.Phase() == access.PhaseRead && partition == "B" {
			want = 2
		}
		if got, err := list.Slice(t.Context()); err != nil || len(got) != want {
			t.Fatalf("%d items, %v", len(got), err)
		}
		if _, err := list.First(t.Context()); err != nil {
			t.Fatal(err)
		}
		if page, err := list.Limit(2).Page(t.Context(), ""); err != nil || len(page.Items) != 2 {
			t.Fatalf("%d items of a page, %v", len(page.Items), err)
		}
	}

	read(client(access.InPhase(access.PhaseWrite)), "A")
	if len(reports) != 3 || !reports[0].Same || reports[0] != (access.Shadowed{Pattern: notesByKey.Name, Old: 3, New: 3, Same: true}) || !reports[2].Same {
		t.Errorf("the same list: %+v", reports)
	}
	read(client(access.InPhase(access.PhaseWrite)), "B")
	if len(reports) != 3 || reports[0] != (access.Shadowed{Pattern: notesByKey.Name, Old: 3, New: 2}) || reports[1].Same {
		t.Errorf("another list: %+v", reports)
	}
	for _, phase := range []access.Phase{access.PhasePrepare, access.PhaseRead} {
		if read(client(access.InPhase(phase)), "B"); len(reports) != 0 {
			t.Errorf("phase %s: %+v", phase, reports)
		}
	}

	enter(t, api, 7, access.PhaseWrite)
	if read(client(), "B"); len(reports) != 0 {
		t.Errorf("nothing is verified: %+v", reports)
	}
	s := shopState
	s.Migration, s.Phase, s.Epoch = "0002-names", access.PhaseWrite, 7
	item := s.Item(shopRow.Key())
	item["verified"] = item["epoch"]
	if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("State"), Item: item}); err != nil {
		t.Fatal(err)
	}
	if read(client(), "B"); len(reports) != 3 {
		t.Errorf("verified: %+v", reports)
	}
	item["verified"] = item["least"]
	if _, err := api.PutItem(t.Context(), &dynamodb.PutItemInput{TableName: aws.String("State"), Item: item}); err != nil {
		t.Fatal(err)
	}
	if read(client(), "B"); len(reports) != 0 {
		t.Errorf("verified in an earlier epoch: %+v", reports)
	}
}
