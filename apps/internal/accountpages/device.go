package accountpages

import "strings"

// device returns a name of a browser that its owner recognises, such as "Firefox on Windows".
func device(agent string) string {
	browser := first(agent, "Edg", "Edge", "OPR", "Opera", "Firefox", "Firefox", "FxiOS", "Firefox", "Chrome", "Chrome", "CriOS", "Chrome", "Safari", "Safari")
	system := first(agent, "iPhone", "iPhone", "iPad", "iPad", "Android", "Android", "Windows", "Windows", "Mac OS", "Mac", "CrOS", "Chromebook", "Linux", "Linux")
	switch {
	case browser != "" && system != "":
		return browser + " on " + system
	case browser+system != "":
		return browser + system
	}
	return "Another browser"
}

// first returns the name of the first mark that a text contains. Marks and names alternate.
func first(text string, marks ...string) string {
	for i := 0; i+1 < len(marks); i += 2 {
		if strings.Contains(text, marks[i]) {
			return marks[i+1]
		}
	}
	return ""
}
