package sdk

// A parameter is one parameter of the API before expressions, and whether an
// input has it.
type parameter struct {
	name string
	sent bool
}

// legacy names the parameters that were sent. They are listed by name, as the
// client would write them.
func legacy(parameters ...parameter) (sent []string) {
	for _, p := range parameters {
		if p.sent {
			sent = append(sent, p.name)
		}
	}
	return sent
}
