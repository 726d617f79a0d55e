package bulk

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"sortkey.dev/engine/internal/dynamo"
	"sortkey.dev/engine/internal/wire"
)

// A report lists the failed lines of an operation. Its files are created when the first
// line fails.
type report struct {
	op  *operation
	dir string

	mu         sync.Mutex
	errors     *os.File
	conditions *os.File
}

// openReport checks that the bucket of the reports exists.
func openReport(dir string, op *operation) (*report, error) {
	bucket := filepath.Join(dir, *op.Output.S3Bucket)
	if err := os.MkdirAll(bucket, 0o755); err != nil {
		return nil, failed("S3WriteError", "The folder of the bucket %s cannot be made: %v", *op.Output.S3Bucket, err)
	}
	return &report{op: op, dir: bucket}, nil
}

// Close syncs and closes the files.
func (r *report) Close() (err error) {
	for _, file := range []*os.File{r.errors, r.conditions} {
		if file != nil {
			err = errors.Join(err, file.Sync(), file.Close())
		}
	}
	if err != nil {
		return failed("S3WriteError", "The reports cannot be written: %v", err)
	}
	return nil
}

// rejected reports a line that was not put because it is invalid.
func (r *report) rejected(l line, why *dynamo.Error) error {
	if !slices.Contains(r.op.Output.OutputType, dynamo.BulkReportErrors) {
		return nil
	}
	b := appendPlace(nil, l)
	b = wire.AppendString(append(b, `,"ErrorCode":`...), string(why.Code))
	b = wire.AppendString(append(b, `,"ErrorMessage":`...), why.Message)
	b = wire.AppendString(append(b, `,"Record":`...), strings.ToValidUTF8(string(l.raw), "\uFFFD"))
	return r.write(&r.errors, "errors.jsonl", append(b, "}\n"...))
}

// conditionFailed reports an item that was not put because of its condition.
func (r *report) conditionFailed(l line, existing dynamo.Item) error {
	if !slices.Contains(r.op.Output.OutputType, dynamo.BulkReportConditions) {
		return nil
	}
	b := appendPlace(nil, l)
	b = wire.AppendItem(append(b, `,"Item":`...), l.content.Item.Item)
	if existing != nil {
		b = wire.AppendItem(append(b, `,"ExistingItem":`...), existing)
	}
	return r.write(&r.conditions, "condition_check_failures.jsonl", append(b, "}\n"...))
}

func appendPlace(dst []byte, l line) []byte {
	dst = wire.AppendString(append(dst, `{"Object":`...), l.object)
	return strconv.AppendInt(append(dst, `,"Line":`...), int64(l.number), 10)
}

// write writes to one of the files: PREFIX/ID/NAME in the bucket.
func (r *report) write(file **os.File, name string, content []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.make(file, name)
	if err == nil {
		_, err = (*file).Write(content)
	}
	if err != nil {
		return failed("S3WriteError", "The report %s cannot be written: %v", name, err)
	}
	return nil
}

// make creates one of the files unless it exists. Symbolic links cannot leave the bucket.
func (r *report) make(file **os.File, name string) (err error) {
	if *file != nil {
		return nil
	}
	root, err := os.OpenRoot(r.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	name = path.Join(strings.TrimLeft(text(r.op.Output.S3KeyPrefix), "/"), r.op.ID, name)
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	*file, err = root.Create(name)
	return err
}
