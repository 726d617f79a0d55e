package web

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"sortkey.dev/apps/ecobid/atlas"
	"sortkey.dev/apps/ecobid/geo"
	"sortkey.dev/apps/ecobid/nearby"
)

// mapSize is the width and height of the drawing of a map.
const mapSize = 600

// A cellMap is a map without tiles: the cells around a place, shaded by the number of items in
// them. It shows public points only, so it tells no more than a list.
type cellMap struct {
	Size   int
	Radius float64 // of the circle, in units of the drawing
	Cells  []mapCell
	Cities []mapCity
	Rings  []mapRing
	Total  int
}

// A mapCell is a cell with items.
type mapCell struct {
	X, Y, Width, Height float64
	Count               int
	Share               float64 // of the fullest cell, from 0 to 1
	Items               []nearby.Found
	Words               string // "7 items, about 2 km north-east"
	ID                  string
}

// A mapCity is the name of a city.
type mapCity struct {
	X, Y float64
	Name string
}

// A mapRing is a circle around the place.
type mapRing struct {
	R    float64
	Text string
}

// drawMap draws the items around a place within a radius in kilometres.
func drawMap(at place, radius int, items []nearby.Found) *cellMap {
	scale := mapSize / (2.2 * float64(radius)) // units for each kilometre
	m := &cellMap{Size: mapSize, Radius: scale * float64(radius), Total: len(items)}
	precision := 6
	if radius > 5 {
		precision = 5
	}
	groups := map[string][]nearby.Found{}
	for _, item := range items {
		cell := geo.Encode(geo.Point{Lat: item.Lat, Lon: item.Lon}, precision)
		groups[cell] = append(groups[cell], item)
	}
	most := 0
	for _, group := range groups {
		most = max(most, len(group))
	}
	for name, group := range groups {
		box := geo.BoxOf(name)
		x1, y1 := project(at.Point, geo.Point{Lat: box.North, Lon: box.West}, scale)
		x2, y2 := project(at.Point, geo.Point{Lat: box.South, Lon: box.East}, scale)
		m.Cells = append(m.Cells, mapCell{
			X: x1, Y: y1, Width: x2 - x1, Height: y2 - y1, Count: len(group), Share: float64(len(group)) / float64(most),
			Items: group, Words: words(at.Point, box.Center(), len(group)), ID: "cell-" + name,
		})
	}
	slices.SortFunc(m.Cells, func(a, b mapCell) int { return strings.Compare(a.ID, b.ID) })
	for _, city := range atlas.Around(at.Point, 1.1*float64(radius)) {
		x, y := project(at.Point, city.Center, scale)
		m.Cities = append(m.Cities, mapCity{X: x, Y: nameAt(x, y), Name: city.Name})
	}
	for _, share := range []float64{0.5, 1} {
		m.Rings = append(m.Rings, mapRing{R: scale * share * float64(radius), Text: fmt.Sprintf("%g km", share*float64(radius))})
	}
	return m
}

// nameAt returns where the name of a city is drawn: above its point, and below the mark of the visitor if
// both are at the same place.
func nameAt(x, y float64) float64 {
	if math.Hypot(x-mapSize/2, y-mapSize/2) < 40 {
		return mapSize/2 + 44
	}
	return y - 14
}

// kmPerDegree is the length of a degree of latitude.
const kmPerDegree = 111.195

// project returns where a point is drawn.
func project(center, p geo.Point, scale float64) (x, y float64) {
	lon := math.Mod(p.Lon-center.Lon+540, 360) - 180
	x = mapSize/2 + scale*kmPerDegree*lon*math.Cos(center.Lat*math.Pi/180)
	y = mapSize/2 - scale*kmPerDegree*(p.Lat-center.Lat)
	return math.Round(x*10) / 10, math.Round(y*10) / 10
}

// words describes a cell for people who do not see the map.
func words(center, cell geo.Point, count int) string {
	noun := "items"
	if count == 1 {
		noun = "item"
	}
	km := geo.Distance(center, cell)
	if km < 0.5 {
		return fmt.Sprintf("%d %s, under 0.5 km", count, noun)
	}
	return fmt.Sprintf("%d %s, about %.0f km %s", count, noun, math.Max(1, math.Round(km)), direction(center, cell))
}

// direction returns the direction from one point to another in words.
func direction(from, to geo.Point) string {
	north := to.Lat - from.Lat
	east := (math.Mod(to.Lon-from.Lon+540, 360) - 180) * math.Cos(from.Lat*math.Pi/180)
	turn := math.Atan2(east, north) / (2 * math.Pi) * 8
	names := []string{"north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"}
	return names[(int(math.Round(turn))+8)%8]
}
