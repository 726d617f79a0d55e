package cli

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps"
	"sortkey.dev/engine"
)

// secretVariable names the variable with the secret of systems without a data directory.
const secretVariable = "SORTKEY_SECRET"

// minSecret is the minimum length of a secret, in characters.
const minSecret = 32

// A store holds the data of a system, and its secret.
type store struct {
	dynamodb apps.DynamoDB
	streams  stream.StreamsAPI
	secret   []byte
	failed   <-chan struct{} // closed when it accepts no more writes; nil if that cannot happen
	close    func() error
}

// untilFailed returns a context that also ends when a store accepts no more writes. The process
// should then end, so that a supervisor restarts it.
func untilFailed(ctx context.Context, failed <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-failed:
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

// explainFailure adds the next step to the error with which a failed store was closed.
func explainFailure(failed <-chan struct{}, err error) error {
	select {
	case <-failed:
		return advise(err, "The disk is full or broken, or this process may not open more files.",
			"When that is mended start it again: everything that was answered is there.")
	default:
		return err
	}
}

// openStore opens the store that the flags of run select.
func openStore(ctx context.Context, cfg runConfig, logger *slog.Logger, tell *progressLine) (store, error) {
	switch {
	case cfg.aws:
		return awsStore(ctx, cfg)
	case cfg.endpoint != "":
		return endpointStore(cfg, tell)
	}
	return embeddedStore(cfg, logger)
}

// embeddedStore returns an engine in memory or in a directory. The secret of a directory is stored in
// it, so that sessions survive a restart.
func embeddedStore(cfg runConfig, logger *slog.Logger) (store, error) {
	place := ""
	if cfg.data != "" {
		place = filepath.Join(cfg.data, "db")
		if err := os.MkdirAll(cfg.data, 0o700); err != nil {
			return store{}, advise(fmt.Errorf("create the directory of --data: %w", err), "--data must be a directory that can be created or written.")
		}
	}
	db, err := engine.Open(place, &engine.Options{Logger: logger, Region: cfg.region})
	if err != nil {
		return store{}, adviseOpen(err)
	}
	// Only now, when this process has locked the directory: otherwise two processes could create a
	// secret each, and one of them would be lost.
	secret := []byte(rand.Text())
	if cfg.data != "" {
		if secret, err = directorySecret(filepath.Join(cfg.data, "secret")); err != nil {
			return store{}, errors.Join(err, db.Close())
		}
	}
	return store{dynamodb: db.API(), streams: db.Streams(), secret: secret, failed: db.Failed(), close: db.Close}, nil
}

// directorySecret reads the secret of a directory, and creates it the first time.
func directorySecret(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	switch {
	case err == nil && len(strings.TrimSpace(string(text))) >= minSecret:
		return []byte(strings.TrimSpace(string(text))), nil
	case err == nil:
		return nil, advise(fmt.Errorf("the secret in %s is too short", path), "It was changed; restore the old one from a backup.",
			"With another secret all identities are lost.")
	case !errors.Is(err, fs.ErrNotExist):
		return nil, advise(fmt.Errorf("read the secret of the directory: %w", err), "The current user must be able to read it.")
	}
	var random [32]byte
	_, _ = rand.Read(random[:]) // never fails
	secret := hex.EncodeToString(random[:])
	if err := writeSecret(path, secret+"\n"); err != nil {
		return nil, fmt.Errorf("keep the secret of the directory: %w", err)
	}
	return []byte(secret), nil
}

// writeSecret atomically writes a file that only its owner can read.
func writeSecret(path, text string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), ".secret-*") // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name()) // does nothing after the rename
	_, err = temporary.WriteString(text)
	if err := errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Rename(temporary.Name(), path)
}

// endpointStore returns the DynamoDB at a URL.
func endpointStore(cfg runConfig, tell *progressLine) (store, error) {
	secret, err := environmentSecret()
	if err != nil {
		return store{}, err
	}
	client, err := endpointClient(cfg.endpoint, cfg.region, tell)
	if err != nil {
		return store{}, err
	}
	options := client.Options()
	streams := dynamodbstreams.New(dynamodbstreams.Options{
		Region: options.Region, BaseEndpoint: aws.String(cfg.endpoint), Credentials: options.Credentials,
	})
	return store{dynamodb: client, streams: streams, secret: secret, close: closeNothing}, nil
}

// awsStore returns DynamoDB in AWS, with the credentials that the SDK finds on this machine: environment,
// profile, single sign-on, the role of a container or a virtual machine.
func awsStore(ctx context.Context, cfg runConfig) (store, error) {
	secret, err := environmentSecret()
	if err != nil {
		return store{}, err
	}
	loaded, err := config.LoadDefaultConfig(ctx, config.WithRegion(cfg.region))
	if err != nil {
		return store{}, advise(fmt.Errorf("read the configuration of AWS: %w", err), "Check AWS_PROFILE and the files in ~/.aws.")
	}
	if loaded.Region == "" {
		return store{}, misuse("no region set", "Give --region, such as --region eu-central-1, or set AWS_REGION.")
	}
	if _, err := loaded.Credentials.Retrieve(ctx); err != nil {
		return store{}, advise(fmt.Errorf("no credentials for AWS: %w", err), "Set AWS_PROFILE, or sign in with: aws configure, or: aws sso login",
			"Whether they are found says: aws sts get-caller-identity")
	}
	return store{
		dynamodb: dynamodb.NewFromConfig(loaded), streams: dynamodbstreams.NewFromConfig(loaded),
		secret: secret, close: closeNothing,
	}, nil
}

func closeNothing() error { return nil }

// environmentSecret returns the secret from the environment: every process on the
// same tables needs the same one.
func environmentSecret() ([]byte, error) {
	secret := os.Getenv(secretVariable)
	if len(secret) >= minSecret {
		return []byte(secret), nil
	}
	what := "is not set"
	if secret != "" {
		what = fmt.Sprintf("has %d characters, at least %d are needed", len(secret), minSecret)
	}
	return nil, misuse(secretVariable+" "+what,
		"Identities, signatures and sealed values are derived from it. Make one and keep it:",
		"  export "+secretVariable+"=$(openssl rand -hex 32)")
}
