package server

import (
	"context"
	"errors"
	"fmt"
	"io"

	"sortkey.dev/apps/exambuddy/bank"
	"sortkey.dev/apps/exambuddy/exambuddydb"
	"sortkey.dev/apps/exambuddy/exchange"
	"sortkey.dev/apps/exambuddy/exchange/draft"
	"sortkey.dev/apps/exambuddy/exchange/pdfimport"
	"sortkey.dev/apps/exambuddy/worker"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
)

// A parser reads the questions of uploaded files.
type parser struct{ files files.Store }

// parse reads a document. With a refusal there may be problems, too.
func (p parser) parse(ctx context.Context, document exambuddydb.ProjectDocument) (worker.Parsed, error) {
	object, err := p.files.Get(ctx, document.ObjectKey)
	if errors.Is(err, files.ErrNotFound) {
		return worker.Parsed{}, refusal.New(refusal.Gone, "", "The file is no longer here. Upload it again.")
	}
	if err != nil {
		return worker.Parsed{}, err
	}
	data, err := io.ReadAll(io.LimitReader(object, bank.MaxDocument+1))
	if err := errors.Join(err, object.Close()); err != nil {
		return worker.Parsed{}, fmt.Errorf("read the file of document %s: %w", document.DocumentID, err)
	}
	var result *draft.Result
	if exchange.Format(document.Format) == exchange.PDF {
		result, err = pdfimport.Import(ctx, data, pdfimport.Options{})
	} else {
		result, err = exchange.Import(exchange.Format(document.Format), data, draft.Limits{})
	}
	if result == nil {
		return worker.Parsed{}, err
	}
	return parsed(result), err
}

// parsed returns the result of an import for the bank.
func parsed(result *draft.Result) worker.Parsed {
	var out worker.Parsed
	for _, d := range result.Drafts {
		out.Found = append(out.Found, bank.Found{
			Question: d.Question, Key: d.Key, Page: d.Place.Page, Line: d.Place.Line, Reason: d.Reason, Confidence: d.Confidence, Problems: words(d.Problems),
		})
	}
	out.Problems = words(result.Problems)
	return out
}

func words(problems []draft.Problem) []string {
	var all []string
	for _, p := range problems {
		all = append(all, p.String())
	}
	return all
}
