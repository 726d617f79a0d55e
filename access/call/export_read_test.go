package call

import "sortkey.dev/access"

// MakeUpCursor returns a readable cursor of a query with any places in it.
func MakeUpCursor(c *access.Client, q Query, places []byte) string {
	codec := cursorCodec{q: &q, design: c.Design()}
	return cursorText.EncodeToString(append(append([]byte{cursorPlain}, codec.sum(places)...), places...))
}
