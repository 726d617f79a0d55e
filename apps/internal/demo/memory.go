package demo

import (
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
)

// A memory holds what a demo must know when it is started again.
type memory struct {
	Starts int                        `json:"starts"`
	Opened map[string]bool            `json:"opened"` // actions of the opening that succeeded
	Used   map[string]int             `json:"used"`   // things of each list that were used
	Values map[string]json.RawMessage `json:"values"`

	file  string
	saved string // what the file contains
}

// openMemory reads a memory from its file; "" for one without a file.
func openMemory(file string) (*memory, error) {
	m := &memory{file: file}
	if file != "" {
		text, err := os.ReadFile(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, fmt.Errorf("demo: read the memory: %w", err)
		default:
			if err := json.Unmarshal(text, m); err != nil {
				return nil, fmt.Errorf("demo: the memory %s is damaged; remove it to start anew: %w", file, err)
			}
		}
	}
	if m.Opened == nil {
		m.Opened = map[string]bool{}
	}
	if m.Used == nil {
		m.Used = map[string]int{}
	}
	if m.Values == nil {
		m.Values = map[string]json.RawMessage{}
	}
	return m, nil
}

// save writes the memory if it has changed. The file is replaced as a whole.
func (m *memory) save() error {
	if m.file == "" {
		return nil
	}
	text, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("demo: encode the memory: %w", err)
	}
	if string(text) == m.saved {
		return nil
	}
	if err := replace(m.file, text); err != nil {
		return fmt.Errorf("demo: save the memory: %w", err)
	}
	m.saved = string(text)
	return nil
}

// replace writes a file so that a crash leaves the old one or the new one.
func replace(name string, text []byte) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name()) // the first error matters
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		err = f.Sync()
	}
	if err := errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

func (m *memory) recall(name string, value any) bool {
	text, ok := m.Values[name]
	return ok && json.Unmarshal(text, value) == nil
}

func (m *memory) remember(name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("demo: encode %s: %w", name, err)
	}
	m.Values[name] = text
	return m.save()
}

// hash returns a number for a list of texts, which is the same in every process.
func hash(parts ...string) uint64 {
	h := fnv.New64a()
	for _, part := range parts {
		fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return h.Sum64()
}
