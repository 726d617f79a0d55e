package demo

import (
	"bytes"
	"image/jpeg"
	"testing"
)

func TestThingsAreDifferentAndCanBePosted(t *testing.T) {
	seen := map[string]bool{}
	auctions := 0
	for i, what := range things {
		if seen[what.title] {
			t.Errorf("%s is there twice", what.title)
		}
		seen[what.title] = true
		if what.minBid > 0 {
			auctions++
		} else if what.allocation == "" {
			t.Errorf("%s is given away in no way", what.title)
		}
		picture, err := draw(what, uint64(i))
		if err != nil {
			t.Fatal(err)
		}
		if config, err := jpeg.DecodeConfig(bytes.NewReader(picture)); err != nil || config.Width != 640 || config.Height != 480 {
			t.Errorf("the picture of %s: %v %v", what.title, config, err)
		}
	}
	if auctions < 3 || opening > len(things) {
		t.Errorf("%d auctions, %d of %d things at the start", auctions, opening, len(things))
	}
}
