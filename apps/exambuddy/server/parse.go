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
	"sortkey.dev/apps/exambuddy/images"
	"sortkey.dev/apps/exambuddy/question"
	"sortkey.dev/apps/exambuddy/worker"
	"sortkey.dev/apps/internal/files"
	"sortkey.dev/apps/internal/refusal"
)

// A parser reads the questions of uploaded files.
type parser struct {
	files  files.Store
	images *images.Service
}

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
		result, err = exchange.Import(ctx, exchange.Format(document.Format), data, draft.Limits{})
	}
	if result == nil {
		return worker.Parsed{}, err
	}
	if exchange.Format(document.Format) == exchange.QTI {
		if stored := p.storeImages(ctx, document.DocumentID, result); stored != nil {
			return worker.Parsed{}, stored
		}
	}
	return parsed(result), err
}

// forget deletes the file of a document.
func (p parser) forget(ctx context.Context, document exambuddydb.ProjectDocument) error {
	return p.files.Delete(ctx, document.ObjectKey)
}

// storeImages stores the images of a package, and makes the drafts name the stored files. An image
// that cannot be read is removed, and reported.
func (p parser) storeImages(ctx context.Context, documentID string, result *draft.Result) error {
	ids := map[string]string{}
	for name, content := range result.Files {
		id, err := p.images.AddImported(ctx, documentID, name, content)
		if refused, ok := refusal.As(err); ok {
			result.Problems = append(result.Problems, draft.Problem{Message: fmt.Sprintf("The image %s cannot be used.", name), Advice: refused.Message})
			continue
		}
		if err != nil {
			return fmt.Errorf("store the image %s of document %s: %w", name, documentID, err)
		}
		ids[name] = id
	}
	for i := range result.Drafts {
		d := &result.Drafts[i]
		renameImages(&d.Question, &d.Key, ids)
	}
	return nil
}

// renameImages gives images the ids of their files, and removes those without a file.
func renameImages(q *question.Question, k *question.Key, ids map[string]string) {
	list := func(images []question.Image) []question.Image {
		var kept []question.Image
		for _, image := range images {
			if id, ok := ids[image.File]; ok {
				kept = append(kept, question.Image{File: id, Alt: image.Alt})
			}
		}
		return kept
	}
	q.Images, k.ExplanationImages = list(q.Images), list(k.ExplanationImages)
	for _, options := range [][]question.Option{q.Options, q.Targets, q.Statements} {
		for i := range options {
			if image := options[i].Image; image != nil {
				options[i].Image = nil
				if id, ok := ids[image.File]; ok {
					options[i].Image = &question.Image{File: id, Alt: image.Alt}
				}
			}
		}
	}
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
