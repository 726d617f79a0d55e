package photo

// TakeSlots takes all slots of pictures that are decoded, and returns a function that frees them.
func TakeSlots() (release func()) {
	for range cap(slots) {
		slots <- struct{}{}
	}
	return func() {
		for range cap(slots) {
			<-slots
		}
	}
}
