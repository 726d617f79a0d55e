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
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodbstreams"

	"sortkey.dev/access/stream"
	"sortkey.dev/apps"
	"sortkey.dev/engine"
)

// secretVariable names the variable with the secret of systems without a data directory.
const secretVariable = "SORTKEY_SECRET"

// secretTemporary begins the name of a secret that is being written.
const secretTemporary = ".secret-"

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
		return endpointStore(ctx, cfg, tell)
	}
	return embeddedStore(cfg, logger)
}

// embeddedStore returns an engine in memory or in a directory. The secret of a directory is stored in
// it, so that sessions survive a restart.
func embeddedStore(cfg runConfig, logger *slog.Logger) (store, error) {
	place := ""
	if cfg.data != "" {
		place = filepath.Join(cfg.data, databaseDir)
		if err := checkSystemDir(cfg.data); err != nil {
			return store{}, err
		}
		if err := os.MkdirAll(cfg.data, 0o700); err != nil {
			return store{}, cannotCreate(cfg.data, "--data", err)
		}
	}
	db, err := engine.Open(place, &engine.Options{Logger: logger, Region: cfg.region})
	if err != nil {
		return store{}, adviseOpen(place, err)
	}
	// Only now, when this process has locked the directory: otherwise two processes could create a
	// secret each, and one of them would be lost.
	secret := []byte(rand.Text())
	if cfg.data != "" {
		if secret, err = directorySecret(filepath.Join(cfg.data, secretFile)); err != nil {
			return store{}, errors.Join(err, db.Close())
		}
	}
	return store{dynamodb: db.API(), streams: db.Streams(), secret: secret, failed: db.Failed(), close: db.Close}, nil
}

// keepIn makes a system keep what is not in its database in the directory of its data, if it has one.
func keepIn(data, system string, config *apps.Config) {
	if data == "" {
		return
	}
	config.FilesDir = filepath.Join(data, system+filesSuffix)
	if config.Demo {
		config.DemoMemory = filepath.Join(data, system+demoSuffix)
	}
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
	err = writeSecret(path, secret+"\n")
	if errors.Is(err, fs.ErrExist) { // another process was faster
		return directorySecret(path)
	}
	if err != nil {
		return nil, cannotCreate(path, "--data", err)
	}
	return []byte(secret), nil
}

// writeSecret atomically writes a new file that only its owner can read.
func writeSecret(path, text string) error {
	temporary, err := os.CreateTemp(filepath.Dir(path), secretTemporary+"*") // made with mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.WriteString(text)
	if err := errors.Join(err, temporary.Sync(), temporary.Close()); err != nil {
		return err
	}
	return os.Link(temporary.Name(), path)
}

// endpointStore returns the DynamoDB at a URL.
func endpointStore(ctx context.Context, cfg runConfig, tell *progressLine) (store, error) {
	secret, err := endpointSecret(cfg.endpoint, tell)
	if err != nil {
		return store{}, err
	}
	client, err := endpointClient(ctx, cfg.endpoint, cfg.region, tell)
	if err != nil {
		return store{}, err
	}
	options := client.Options()
	streams := dynamodbstreams.New(dynamodbstreams.Options{
		Region: options.Region, BaseEndpoint: aws.String(cfg.endpoint), Credentials: options.Credentials,
	})
	return store{dynamodb: client, streams: streams, secret: secret, close: closeNothing}, nil
}

// awsStore returns DynamoDB in AWS.
func awsStore(ctx context.Context, cfg runConfig) (store, error) {
	secret, err := environmentSecret()
	if err != nil {
		return store{}, err
	}
	loaded, err := awsConfig(ctx, cfg.region)
	if err != nil {
		return store{}, err
	}
	return store{
		dynamodb: dynamodb.NewFromConfig(loaded), streams: dynamodbstreams.NewFromConfig(loaded),
		secret: secret, close: closeNothing,
	}, nil
}

func closeNothing() error { return nil }

// endpointSecret returns the secret for an endpoint: that of the environment, or for an endpoint on this
// machine one that is kept for development.
func endpointSecret(endpoint string, tell *progressLine) ([]byte, error) {
	configured, err := os.UserConfigDir()
	if os.Getenv(secretVariable) != "" || !onThisMachine(endpoint) || err != nil {
		return environmentSecret()
	}
	dir := filepath.Join(configured, "sortkey")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return environmentSecret()
	}
	path := filepath.Join(dir, "development-secret")
	secret, err := directorySecret(path)
	if err == nil {
		tell.say("%s is not set: the secret for development in %s is used", secretVariable, path)
	}
	return secret, err
}

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
