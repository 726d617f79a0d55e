package question

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"sortkey.dev/internal/lazyregexp"
)

// lists validates that the question has the lists of its type and no others.
func (c *checker) lists(q Question) {
	has := map[string]bool{
		"options": len(q.Options) > 0, "targets": len(q.Targets) > 0, "blanks": len(q.Blanks) > 0,
		"regions": len(q.Regions) > 0, "statements": len(q.Statements) > 0, "passage": q.Passage != "",
	}
	for _, name := range wanted[q.Type] {
		delete(has, name)
	}
	for _, name := range []string{"options", "targets", "blanks", "regions", "statements", "passage"} {
		if has[name] {
			c.add(name, "allowed", "A question of the type %s has no %s.", q.Type, name)
		}
	}
}

// wanted lists what questions of a type can have.
var wanted = map[Type][]string{
	SingleChoice: {"options"}, TrueFalse: {"options"}, MultipleResponse: {"options"}, Ordering: {"options"},
	FillInBlank: {"blanks"}, Matching: {"options", "targets"}, Hotspot: {"regions"},
	Scenario: {"passage", "options", "statements"},
}

// ofType validates the parts of a question by its type.
func (c *checker) ofType(q Question) {
	switch q.Type {
	case SingleChoice, MultipleResponse:
		c.options("options", q.Options, MinOptions, MaxOptions)
	case TrueFalse:
		c.options("options", q.Options, 2, 2)
		if !subset([]string{"true", "false"}, ids(q.Options)) {
			c.add("options", "allowed", "A true-or-false question has the options true and false.")
		}
	case Ordering:
		c.options("options", q.Options, MinOptions, MaxItems)
	case Matching:
		c.options("options", q.Options, MinOptions, MaxItems)
		c.options("targets", q.Targets, MinOptions, MaxItems)
	case FillInBlank:
		c.blanks(q)
	case Hotspot:
		c.regions(q)
	case Scenario:
		c.text("passage", q.Passage, 1, MaxPassage, "The passage")
		switch {
		case len(q.Options) > 0 && len(q.Statements) > 0:
			c.add("statements", "allowed", "A scenario has either options or statements.")
		case len(q.Statements) > 0:
			c.options("statements", q.Statements, 1, MaxItems)
		default:
			c.options("options", q.Options, MinOptions, MaxOptions)
		}
	}
}

// options validates a list of options: their number, ids and texts.
func (c *checker) options(name string, options []Option, least, most int) {
	c.between(name, "count", len(options), least, most, "There must be %d to %d "+name+".")
	c.ids(name, ids(options))
	seen := map[string]bool{}
	for i, o := range options {
		field := fmt.Sprintf("%s[%d]", name, i)
		if o.Image == nil || o.Text != "" {
			c.text(field, o.Text, 1, MaxOption, "An option")
		}
		if o.Image != nil {
			c.images(field, []Image{*o.Image})
		}
		text := o.Text
		if o.Image != nil {
			text += "\n" + o.Image.File
		}
		if text = Canonical(text); text != "" && seen[text] {
			c.add(field, "unique", "Two %s are the same.", name)
		}
		seen[text] = true
	}
}

// idPattern matches the ids of options, blanks and regions.
var idPattern = lazyregexp.New(`^[A-Za-z0-9_-]+$`)

func (c *checker) ids(name string, all []string) {
	for _, id := range all {
		if len(id) > maxID || !idPattern.MatchString(id) {
			c.add(name, "format", "The id %q is not made of letters, digits, - and _.", id)
		}
	}
	if !subset(all, all) {
		c.add(name, "unique", "Two %s have the same id.", name)
	}
}

func (c *checker) blanks(q Question) {
	c.between("blanks", "count", len(q.Blanks), 1, MaxItems, "There must be %d to %d blanks.")
	var all []string
	for i, b := range q.Blanks {
		all = append(all, b.ID)
		if len(b.Choices) > 0 {
			name := fmt.Sprintf("blanks[%d].choices", i)
			c.options(name, b.Choices, MinOptions, MaxOptions)
			if slices.ContainsFunc(b.Choices, func(o Option) bool { return o.Image != nil }) {
				c.add(name, "allowed", "The choices of a drop-down have no images.")
			}
		}
	}
	c.ids("blanks", all)
	if gaps := len(Gaps(q.Text)) - 1; gaps != len(q.Blanks) && (gaps != 0 || len(q.Blanks) != 1) {
		c.add("blanks", "count", "The text has %d gaps (__) and the question has %d blanks.", gaps, len(q.Blanks))
	}
}

func (c *checker) regions(q Question) {
	c.between("regions", "count", len(q.Regions), MinOptions, MaxRegions, "There must be %d to %d regions.")
	c.ids("regions", regionIDs(q.Regions))
	if len(q.Images) == 0 {
		c.add("images", "required", "A hotspot needs an image.")
	}
	for i, r := range q.Regions {
		name := fmt.Sprintf("regions[%d]", i)
		c.text(name, r.Label, 1, MaxOption, "A description of a region")
		if r.X < 0 || r.Y < 0 || r.Width < 1 || r.Height < 1 || r.X > Whole-r.Width || r.Y > Whole-r.Height {
			c.add(name, "range", "A region lies inside the image.")
		}
	}
}

// Whole is the width and the height of an image in the unit of regions.
const Whole = 1000

func (c *checker) tags(tags []string) {
	c.between("tags", "count", len(tags), 0, MaxTags, "There can be %d to %d tags.")
	seen := map[string]bool{}
	for i, tag := range tags {
		c.text(fmt.Sprintf("tags[%d]", i), tag, 1, MaxTag, "A tag")
		if key := Canonical(tag); seen[key] {
			c.add("tags", "unique", "The tag %q occurs twice.", tag)
		} else {
			seen[key] = true
		}
	}
}

func (c *checker) images(name string, images []Image) {
	c.between(name, "count", len(images), 0, MaxImages, "There can be %d to %d images.")
	for _, image := range images {
		if image.File == "" {
			c.add(name, "required", "An image needs a file.")
		}
		if utf8.RuneCountInString(image.Alt) > MaxAlt {
			c.between(name, "length", utf8.RuneCountInString(image.Alt), 0, MaxAlt, "The description of an image has %d to %d characters.")
		}
	}
}
