package bulk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"sortkey.dev/engine/internal/dynamo"
)

// A failure ends an operation. Responses return its code and message.
type failure struct{ code, message string }

func (f *failure) Error() string { return f.code + ": " + f.message }

func failed(code, format string, args ...any) error {
	return &failure{code, fmt.Sprintf(format, args...)}
}

// run does the work of an operation and stores its outcome. If ctx ends the database is being
// closed: the next start records that.
func (s *Operations) run(ctx, cancelled context.Context, op *operation) error {
	work, stop := context.WithCancel(ctx)
	defer stop()
	defer context.AfterFunc(cancelled, stop)()
	defer op.cancel()
	err := s.work(work, op)
	if ctx.Err() != nil {
		return nil
	}
	op.mu.Lock()
	why, expected := errors.AsType[*failure](err)
	switch now := s.catalog.Now(); {
	case op.Status == dynamo.BulkCancelling:
		op.end(dynamo.BulkCancelled, now, "Cancelled", "The operation was cancelled.")
		err = nil
	case expected:
		op.end(dynamo.BulkFailed, now, why.code, why.message)
		err = nil
	case err != nil:
		op.end(dynamo.BulkFailed, now, "InternalServerError", "The operation failed because of an error of the engine.")
	case op.Failed > 0:
		op.end(dynamo.BulkCompletedWithErrors, now, "", "")
	default:
		op.end(dynamo.BulkCompleted, now, "", "")
	}
	rec := op.record
	op.mu.Unlock()
	return errors.Join(err, s.save(ctx, rec))
}

// writers is the number of items put concurrently. Items of one key are put one after the
// other, in the order of the input.
const writers = 16

// work reads the objects and puts their items.
func (s *Operations) work(ctx context.Context, op *operation) (err error) {
	in, err := openBucket(s.opts.Dir, *op.Input.S3Bucket)
	if err != nil {
		return err
	}
	defer in.Close()
	objects, size, err := in.objects(text(op.Input.S3KeyPrefix))
	if err != nil {
		return err
	}
	op.count(progress{TotalBytes: &size})
	report, err := openReport(s.opts.Dir, op)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, report.Close()) }()
	return s.putAll(ctx, op, in, objects, report)
}

// putAll distributes the lines of the objects to writers.
func (s *Operations) putAll(ctx context.Context, op *operation, in *bucket, objects []string, report *report) error {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	p := &putter{Operations: s, op: op, report: report, limiter: newLimiter(s.opts.Clock, op.MaxUnits)}
	var queues [writers]chan line
	var busy sync.WaitGroup
	for i := range queues {
		queues[i] = make(chan line, 16)
		busy.Go(func() {
			for l := range queues[i] {
				if ctx.Err() != nil {
					continue // drain the queue
				}
				if err := p.put(ctx, l); err != nil {
					fail(err)
				}
			}
		})
	}
	err := s.readAll(ctx, op, in, objects, func(l line) error {
		select {
		case queues[p.queueOf(l)%writers] <- l:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	for _, queue := range queues {
		close(queue)
	}
	busy.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// readAll calls fn with every line of the objects.
func (s *Operations) readAll(ctx context.Context, op *operation, in *bucket, objects []string, fn func(line) error) error {
	for _, object := range objects {
		if err := ctx.Err(); err != nil {
			return context.Cause(ctx)
		}
		lines, err := in.open(object, op.Input.InputCompressionType, func(n int) { op.count(progress{Bytes: int64(n)}) })
		if err != nil {
			return err
		}
		for {
			l, err := lines.next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				err = fn(l)
			}
			if err != nil {
				return errors.Join(err, lines.Close())
			}
		}
		if err := lines.Close(); err != nil {
			return err
		}
	}
	return nil
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
