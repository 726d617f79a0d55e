package gogen

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// shop is a package that is committed, so that tests can call its methods.
const shop = "internal/shop/shopdb"

// shopFiles returns the files that the package of the shop should have.
func shopFiles(t *testing.T) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile("internal/shop/shop.design.yaml")
	if err != nil {
		t.Fatal(err)
	}
	files, err := Generate(layoutOf(t, "shop.design.yaml", text), Options{
		Package:    "shopdb",
		ImportPath: "sortkey.dev/design/internal/gogen/" + shop,
		Command:    "sortkey generate shop.design.yaml",
	})
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]byte{}
	for _, f := range files {
		all[f.Name] = f.Text
	}
	return all
}

// TestShopIsFresh compares the committed package of the shop with what its design gives.
// UPDATE=1 writes it anew.
func TestShopIsFresh(t *testing.T) {
	want := shopFiles(t)
	if os.Getenv("UPDATE") != "" {
		if err := os.RemoveAll(shop); err != nil {
			t.Fatal(err)
		}
		for name, text := range want {
			write(t, filepath.Join(shop, filepath.FromSlash(name)), text)
		}
	}
	err := filepath.WalkDir(shop, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(shop, path)
		if err != nil {
			return err
		}
		have, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		text, known := want[filepath.ToSlash(name)]
		switch {
		case !known:
			t.Errorf("%s is not generated any more", path)
		case !bytes.Equal(have, text):
			t.Errorf("%s is not what the design gives; run with UPDATE=1", path)
		}
		delete(want, filepath.ToSlash(name))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range want {
		t.Errorf("%s is missing; run with UPDATE=1", name)
	}
}
