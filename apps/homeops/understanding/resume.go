package understanding

import "regexp"

// ResumeWords matches a whole message, in lower case and without marks, that asks to record its
// author again. It is apart from the classifiers because nothing else of a paused member is read.
var ResumeWords = regexp.MustCompile(`^(börja (spara|logga)( mig)? igen|fortsätt( spara| logga)?( mig)?|återuppta|sluta pausa|resume|resume me|unpause|unpause me|start recording me again|continue)$`)
