package demo

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/jpeg"
	"math/rand/v2"
	"net/http"

	"sortkey.dev/apps/ecobid/client"
)

// The place of the demo.
const (
	city     = "Warsaw"
	country  = "PL"
	currency = "PLN"
)

var center = struct{ lat, lon float64 }{52.23, 21.01}

var neighbours = []string{"ania", "bartek", "celina", "darek", "ewa", "filip", "gosia", "hubert", "iga", "janek", "kasia", "leon"}

var streets = []string{"Marszałkowska", "Nowy Świat", "Mokotowska", "Puławska", "Grochowska", "Żelazna", "Hoża", "Solec"}

// A thing is something that a neighbour gives away or sells.
type thing struct {
	title, words, category, allocation string
	grams                              int64
	minBid                             int64 // above 0 for an auction
}

var things = []thing{
	{"Oak table for six", "A few marks of family dinners. It comes apart.", "furniture", "first_come", 32_000, 0},
	{"Blue city bicycle", "Three gears, new tyres last spring.", "sports", "", 15_000, 2_000},
	{"Box of picture books", "For ages two to five, about thirty.", "kids", "queue", 8_000, 0},
	{"Standing lamp", "Works. The shade has a dent on one side.", "home", "first_come", 4_000, 0},
	{"Espresso machine", "Descaled, with a tamper. Makes good crema.", "electronics", "lottery", 7_000, 0},
	{"Winter coat, size M", "Wool, worn for two winters.", "clothing", "first_come", 1_500, 0},
	{"Six garden chairs", "They fold. One needs a screw.", "furniture", "first_come", 18_000, 0},
	{"Old camera with two lenses", "From my grandfather. The shutter clicks.", "electronics", "", 1_200, 4_500},
	{"Crime novels", "Two shelves, mostly Nordic.", "books", "first_come", 12_000, 0},
	{"Child seat for a bicycle", "With belt and rain cover.", "kids", "queue", 3_500, 0},
	{"Sewing machine", "Runs well, manual included.", "home", "", 9_000, 3_000},
	{"Yoga mats", "Three of them, cleaned.", "sports", "first_come", 3_000, 0},
	{"Bookshelf, white", "80 wide, 200 high.", "furniture", "first_come", 30_000, 0},
	{"Desk lamp", "Warm light, small foot.", "electronics", "first_come", 900, 0},
	{"Moving boxes", "Twenty, folded flat.", "other", "first_come", 10_000, 0},
	{"Toddler bed", "With mattress, 70 by 140.", "kids", "lottery", 22_000, 0},
	{"Record player", "Needs a new needle.", "electronics", "", 6_000, 1_500},
	{"House plants", "Monstera and two ferns, too large for us now.", "home", "queue", 9_000, 0},
	{"Running shoes, 42", "Wrong size, worn twice.", "clothing", "first_come", 700, 0},
	{"Cookbooks", "Italian and vegetarian.", "books", "first_come", 7_000, 0},
	{"Kitchen scales", "Digital, with battery.", "home", "first_come", 600, 0},
	{"Table tennis bats", "Four bats and a net.", "sports", "first_come", 1_100, 0},
	{"Armchair, green", "Comfortable. A cat lived here.", "furniture", "lottery", 25_000, 0},
	{"Puzzle, 2000 pieces", "All pieces are there. We counted.", "other", "first_come", 1_400, 0},
	{"Electric piano", "88 keys, one sticks a little.", "electronics", "", 14_000, 5_000},
	{"Glass jars", "Forty with lids, for jam.", "home", "first_come", 9_000, 0},
	{"Ski boots, 41", "Used for one week.", "sports", "first_come", 4_000, 0},
	{"Dictionary, Polish and German", "Two volumes.", "books", "first_come", 3_000, 0},
	{"Baby carrier", "Up to 15 kg.", "kids", "queue", 1_000, 0},
	{"Tool box", "Hammer, pliers, many screws.", "other", "first_come", 6_000, 0},
}

var questions = []string{"Could I come tonight after six?", "Tomorrow at noon would suit me.", "I would love it, and I live around the corner.", "Is it still there? I can come at once.", "Saturday morning?"}

var replies = []string{"Ring twice, second floor.", "See you then.", "I am home from five.", "Please bring a bag."}

var praise = []string{"On time and kind.", "Exactly as described.", "Lovely neighbour.", "Easy, thank you."}

func pick(chance *rand.Rand, texts []string) string { return texts[chance.IntN(len(texts))] }

// ordinary returns nil for refusals that belong to ordinary life, such as another person having
// been faster.
func ordinary(err error) error {
	if refused, ok := errors.AsType[*client.Error](err); ok && refused.Status < http.StatusInternalServerError {
		return nil
	}
	return err
}

// draw draws a picture of a thing: there are no photos of what does not exist. The shapes and
// colours depend on the category and the number.
func draw(what thing, number uint64) ([]byte, error) {
	const width, height = 640, 480
	chance := rand.New(rand.NewPCG(number, 3))
	hue := map[string]float64{"furniture": 30, "electronics": 220, "clothing": 330, "books": 10, "home": 90, "kids": 50, "sports": 170, "other": 270}[what.category]
	picture := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			light := 0.86 - 0.18*float64(y)/height
			if y > height*2/3 {
				light -= 0.12 // the floor
			}
			picture.Set(x, y, shade(hue+20*float64(x)/width, 0.25, light))
		}
	}
	for range 3 + chance.IntN(3) {
		w, h := 80+chance.IntN(170), 80+chance.IntN(160)
		x, y := 50+chance.IntN(width-w-100), height*2/3+30-h-chance.IntN(40)
		round := chance.IntN(2) == 0
		fill := shade(hue+float64(chance.IntN(50))-25, 0.5, 0.35+0.3*chance.Float64())
		for dy := range h {
			for dx := range w {
				u, v := 2*float64(dx)/float64(w)-1, 2*float64(dy)/float64(h)-1
				if !round || u*u+v*v <= 1 {
					picture.Set(x+dx, y+dy, fill)
				}
			}
		}
	}
	var out bytes.Buffer
	err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: 80})
	return out.Bytes(), err
}

// shade returns a colour by hue in degrees, saturation and lightness.
func shade(hue, saturation, light float64) color.RGBA {
	channel := func(n float64) uint8 {
		k := n + hue/30
		for k >= 12 {
			k -= 12
		}
		for k < 0 {
			k += 12
		}
		a := saturation * min(light, 1-light)
		return uint8(255 * (light - a*max(-1, min(k-3, 9-k, 1))))
	}
	return color.RGBA{channel(0), channel(8), channel(4), 255}
}
