package cli

import (
	"bytes"
	"context"
	"strings"
	"testing"
)

// Interrupted before there is a table, verify does not mention any.
func TestVerifyInterruptedBeforeTables(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	server := hanging(t, 0, interrupt)
	c := &verifyConfig{endpoint: server.URL}
	var out, errs bytes.Buffer
	err := c.run(ctx, streams{strings.NewReader(""), &out, &errs}, []string{smallDesign})
	printError(&errs, err)
	if want := "sortkey: stopped\n"; errs.String() != want || out.Len() > 0 {
		t.Errorf("said %q and %q, want %q", &errs, &out, want)
	}
}
