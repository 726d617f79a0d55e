package webkit

import (
	"fmt"
	"html/template"
)

// glyphs maps names to small pictures: paths on a square of 24, drawn as lines.
var glyphs = map[string]template.HTML{
	"system":   `<rect x="3" y="4" width="18" height="12" rx="2"/><path d="M8 20h8M12 16v4"/>`,
	"sun":      `<circle cx="12" cy="12" r="4"/><path d="M12 2v2M12 20v2M2 12h2M20 12h2M4.9 4.9l1.4 1.4M17.7 17.7l1.4 1.4M4.9 19.1l1.4-1.4M17.7 6.3l1.4-1.4"/>`,
	"moon":     `<path d="M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z"/>`,
	"check":    `<path d="M4.5 12.5l5 5 10-11"/>`,
	"close":    `<path d="M6 6l12 12M18 6L6 18"/>`,
	"error":    `<circle cx="12" cy="12" r="9"/><path d="M12 7.5v5.5M12 16.3v.2"/>`,
	"warn":     `<path d="M12 4L2.8 19.5h18.4zM12 10v4.5M12 17v.2"/>`,
	"info":     `<circle cx="12" cy="12" r="9"/><path d="M12 11v5.5M12 7.6v.2"/>`,
	"clock":    `<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3.5 2"/>`,
	"copy":     `<rect x="9" y="9" width="11" height="11" rx="2"/><path d="M5 15H4.5A1.5 1.5 0 0 1 3 13.500V4.500A1.5 1.5 0 0 1 4.500 3h9A1.500 1.500 0 0 1 15 4.500V5"/>`,
	"left":     `<path d="M14.500 5.500L8 12l6.500 6.500"/>`,
	"right":    `<path d="M9.500 5.500L16 12l-6.500 6.500"/>`,
	"up":       `<path d="M5.500 14.500L12 8l6.500 6.500"/>`,
	"down":     `<path d="M5.500 9.500L12 16l6.500-6.500"/>`,
	"offline":  `<path d="M3 3l18 18M5 12.500a10 10 0 0 1 4-2.400M2 9a15 15 0 0 1 4.500-2.800M11 5a15 15 0 0 1 11 4M15 10.300a10 10 0 0 1 4 2.200M8.500 16a5 5 0 0 1 7 0M12 19.500v.1"/>`,
	"inbox":    `<path d="M3 13l3-8h12l3 8v6H3zM3 13h5l1.500 3h5L16 13h5"/>`,
	"search":   `<circle cx="11" cy="11" r="6.500"/><path d="M16 16l5 5"/>`,
	"plus":     `<path d="M12 5v14M5 12h14"/>`,
	"star":     `<path d="M12 3.500l2.600 5.400 5.900.8-4.300 4.100 1 5.900-5.200-2.800-5.200 2.800 1-5.900L3.500 9.700l5.900-.8z"/>`,
	"flame":    `<path d="M12 3c1 3.500 5 5.500 5 10.500a5 5 0 0 1-10 0c0-2 1-3.500 2-4.500 0 2 1 3 2 3 1.500-2 .5-6 1-9z"/>`,
	"trophy":   `<path d="M8 4h8v6a4 4 0 0 1-8 0zM8 6H4.500c0 3 1 4.500 3.500 5M16 6h3.500c0 3-1 4.500-3.500 5M12 14v4M8.500 20h7"/>`,
	"bell":     `<path d="M6 16V11a6 6 0 0 1 12 0v5l1.500 2h-15zM10 20.500h4"/>`,
	"person":   `<circle cx="12" cy="8" r="4"/><path d="M4.500 20.500c1-4 4-6 7.500-6s6.500 2 7.500 6"/>`,
	"people":   `<circle cx="9" cy="8.500" r="3.500"/><path d="M2.500 20c.8-3.500 3.300-5.500 6.500-5.500s5.700 2 6.500 5.500M16 5.300a3.500 3.500 0 0 1 0 6.400M18 14.900c1.800.8 3 2.600 3.500 5.100"/>`,
	"question": `<path d="M4 5h16v11h-7l-4.500 4V16H4zM10 9.200c0-2.700 4-2.700 4 0 0 1.600-2 1.600-2 3M12 13.900v.1"/>`,
	"list":     `<path d="M9 6h11M9 12h11M9 18h11M4.500 6h.1M4.500 12h.1M4.500 18h.1"/>`,
	"grid":     `<rect x="4" y="4" width="6.500" height="6.500" rx="1.500"/><rect x="13.500" y="4" width="6.500" height="6.500" rx="1.500"/><rect x="4" y="13.500" width="6.500" height="6.500" rx="1.500"/><rect x="13.500" y="13.500" width="6.500" height="6.500" rx="1.500"/>`,
	"map":      `<path d="M9 4L3.500 6.500v13L9 17l6 3 5.500-2.500v-13L15 7zM9 4v13M15 7v13"/>`,
	"pin":      `<path d="M12 21c-4-4.500-6.500-7.600-6.500-11a6.500 6.500 0 0 1 13 0c0 3.400-2.500 6.500-6.500 11z"/><circle cx="12" cy="10" r="2.300"/>`,
	"flag":     `<path d="M5 21V4h12l-2.500 4.500L17 13H5"/>`,
	"edit":     `<path d="M4 20l1-4.500L16.500 4 20 7.500 8.500 19zM14 6.500l3.500 3.500"/>`,
	"trash":    `<path d="M4.500 6.500h15M9 6V4h6v2M6.500 6.500l1 13.500h9l1-13.500M10 10.500v6M14 10.500v6"/>`,
	"download": `<path d="M12 4v11M7 11l5 5 5-5M4.500 20h15"/>`,
	"settings": `<path d="M4 7h9M17 7h3M4 12h3M11 12h9M4 17h9M17 17h3"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="12" r="2"/><circle cx="15" cy="17" r="2"/>`,
	"key":      `<circle cx="8" cy="15.500" r="4.500"/><path d="M11.200 12.300L20 3.500M16.500 7l3 3"/>`,
	"share":    `<path d="M12 15V4M8 7.500L12 3.500l4 4M6 11H4.500v9.500h15V11H18"/>`,
	"chart":    `<path d="M4 4v16h16M8 16v-4M12 16V8M16 16v-6"/>`,
	"code":     `<path d="M8 7l-5 5 5 5M16 7l5 5-5 5M13.500 5l-3 14"/>`,
	"leaf":     `<path d="M5 19C4 10 10 4 20 4c0 10-5 16-13 14M5 20.500c2-5 5-8 9-10"/>`,
	"home":     `<path d="M4 11l8-7 8 7v9h-5.500v-6h-5v6H4z"/>`,
	"book":     `<path d="M12 6c-2-1.500-5-2-8-2v14c3 0 6 .5 8 2 2-1.500 5-2 8-2V4c-3 0-6 .5-8 2zM12 6v14"/>`,
	"refresh":  `<path d="M20 12a8 8 0 1 1-2.300-5.600M20 3.500V8h-4.500"/>`,
	"out":      `<path d="M14 4.500h5.500V10M19.500 4.500L11 13M9 5H4.500v14.500H19V15"/>`,
}

// glyph returns the picture of a name.
func glyph(name string) (template.HTML, error) {
	g, ok := glyphs[name]
	if !ok {
		return "", fmt.Errorf("webkit: there is no icon %q", name)
	}
	return g, nil
}
