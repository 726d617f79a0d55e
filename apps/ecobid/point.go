package ecobid

import (
	"fmt"
	"strconv"
	"strings"

	"sortkey.dev/apps/ecobid/geo"
)

// PointText returns a point as it is stored in private rows.
func PointText(p geo.Point) string {
	return strconv.FormatFloat(p.Lat, 'f', -1, 64) + "," + strconv.FormatFloat(p.Lon, 'f', -1, 64)
}

// ParsePoint parses a text of PointText.
func ParsePoint(text string) (geo.Point, error) {
	lat, lon, ok := strings.Cut(text, ",")
	a, err1 := strconv.ParseFloat(lat, 64)
	b, err2 := strconv.ParseFloat(lon, 64)
	if !ok || err1 != nil || err2 != nil {
		return geo.Point{}, fmt.Errorf("a stored point is %d characters of no point", len(text))
	}
	return geo.Point{Lat: a, Lon: b}, nil
}
