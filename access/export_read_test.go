package access

// MakeUpCursor is a readable cursor of a query with any places in it.
func MakeUpCursor(c *Client, q Query, places []byte) string {
	codec := cursorCodec{q: &q, design: &c.design}
	return cursorText.EncodeToString(append(append([]byte{cursorPlain}, codec.sum(places)...), places...))
}
