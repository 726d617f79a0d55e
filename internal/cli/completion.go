package cli

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

func completionCommand() command {
	return command{
		name:    "completion",
		summary: "print the completion script of a shell",
		args:    "bash|zsh|fish",
		about: `For bash, in ~/.bashrc:
  source <(sortkey completion bash)
For zsh, in ~/.zshrc, after compinit:
  source <(sortkey completion zsh)
For fish, once:
  sortkey completion fish > ~/.config/fish/completions/sortkey.fish`,
		setup: func(*flag.FlagSet) action {
			return func(s streams, args []string) error {
				if len(args) != 1 {
					return misuse("completion takes the name of a shell, got "+arguments(len(args)), "For example: source <(sortkey completion bash)")
				}
				print, ok := completions[args[0]]
				if !ok {
					return misuse(fmt.Sprintf("completion: unknown shell %q", args[0]), "There are scripts for bash, zsh and fish.")
				}
				_, err := io.WriteString(s.out, print(completed()))
				return err
			}
		},
	}
}

// completions maps shells to the functions that print their scripts.
var completions = map[string]func([]completedCommand) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}

// A completedCommand is a command as shells complete it.
type completedCommand struct {
	name, summary string
	flags         []completedFlag
	operands      []string // words that complete an operand; files if empty
}

// A completedFlag is a flag as shells complete it.
type completedFlag struct {
	name, doc string
	takes     bool     // a value follows
	values    []string // words that complete the value; files if empty
}

// completed returns all commands with their flags, from the definitions that parse the command line.
func completed() []completedCommand {
	var all []completedCommand
	for _, c := range commands() {
		flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
		c.setup(flags)
		one := completedCommand{name: c.name, summary: c.summary, operands: operandsOf(c.name)}
		flags.VisitAll(func(f *flag.Flag) {
			_, doc := flag.UnquoteUsage(f)
			boolean, _ := f.Value.(interface{ IsBoolFlag() bool })
			given := completedFlag{name: "--" + f.Name, doc: doc, takes: boolean == nil || !boolean.IsBoolFlag()}
			if some, ok := f.Value.(*choice); ok {
				given.values = some.allowed
			}
			one.flags = append(one.flags, given)
		})
		all = append(all, one)
	}
	return all
}

// operandsOf returns the words that complete an operand of a command.
func operandsOf(command string) []string {
	var words []string
	switch command {
	case "run":
		for _, kind := range systems() {
			words = append(words, kind.Name)
		}
	case "help", "man":
		for _, c := range commands() {
			words = append(words, c.name)
		}
	case "completion":
		words = []string{"bash", "fish", "zsh"}
	}
	return words
}

func bashCompletion(all []completedCommand) string {
	var b strings.Builder
	var names []string
	for _, c := range all {
		names = append(names, c.name)
	}
	b.WriteString("# bash completion of sortkey\n_sortkey() {\n  local word=${COMP_WORDS[COMP_CWORD]} flags= operands=\n  COMPREPLY=()\n")
	fmt.Fprintf(&b, "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '%s' -- \"$word\"))\n    return\n  fi\n", strings.Join(names, " "))
	b.WriteString("  case \"${COMP_WORDS[1]} ${COMP_WORDS[COMP_CWORD-1]}\" in\n")
	for _, c := range all {
		for _, f := range c.flags {
			if len(f.values) > 0 {
				fmt.Fprintf(&b, "  '%s %s') COMPREPLY=($(compgen -W '%s' -- \"$word\")); return ;;\n", c.name, f.name, strings.Join(f.values, " "))
			}
		}
	}
	b.WriteString("  esac\n  case \"${COMP_WORDS[1]}\" in\n")
	for _, c := range all {
		var flags []string
		for _, f := range c.flags {
			flags = append(flags, f.name)
		}
		fmt.Fprintf(&b, "  %s) flags='%s' operands='%s' ;;\n", c.name, strings.Join(flags, " "), strings.Join(c.operands, " "))
	}
	b.WriteString("  esac\n  case \"$word\" in\n  -*) COMPREPLY=($(compgen -W \"$flags\" -- \"$word\")) ;;\n")
	b.WriteString("  *) if [ -n \"$operands\" ]; then COMPREPLY=($(compgen -W \"$operands\" -- \"$word\")); fi ;;\n  esac\n}\n")
	b.WriteString("complete -o default -F _sortkey sortkey\n")
	return b.String()
}

// quoted returns a text in single quotes, for zsh and fish.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// zshText escapes a description inside a specification of _arguments.
var zshText = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, ":", `\:`)

func zshCompletion(all []completedCommand) string {
	var b strings.Builder
	b.WriteString("#compdef sortkey\n_sortkey() {\n  local -a commands\n  commands=(\n")
	for _, c := range all {
		fmt.Fprintf(&b, "    %s\n", quoted(c.name+":"+strings.ReplaceAll(c.summary, ":", `\:`)))
	}
	b.WriteString("  )\n  if (( CURRENT == 2 )); then\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n  case $command in\n")
	for _, c := range all {
		fmt.Fprintf(&b, "  %s)\n    _arguments", c.name)
		for _, f := range c.flags {
			spec := f.name + "[" + zshText.Replace(f.doc) + "]"
			switch {
			case len(f.values) > 0:
				spec += ":value:(" + strings.Join(f.values, " ") + ")"
			case f.takes:
				spec += ":value:_files"
			}
			b.WriteString(" \\\n      " + quoted(spec))
		}
		rest := "*:file:_files"
		if len(c.operands) > 0 {
			rest = "*:word:(" + strings.Join(c.operands, " ") + ")"
		}
		fmt.Fprintf(&b, " \\\n      %s\n    ;;\n", quoted(rest))
	}
	// zsh loads a file of $fpath when it completes the first word, and runs it as the function that it defines.
	b.WriteString("  esac\n}\nif [[ $funcstack[1] == _sortkey ]]; then\n  _sortkey \"$@\"\nelse\n  compdef _sortkey sortkey\nfi\n")
	return b.String()
}

func fishCompletion(all []completedCommand) string {
	var b strings.Builder
	b.WriteString("# fish completion of sortkey\n")
	for _, c := range all {
		fmt.Fprintf(&b, "complete -c sortkey -n __fish_use_subcommand -f -a %s -d %s\n", c.name, quoted(c.summary))
	}
	for _, c := range all {
		seen := quoted("__fish_seen_subcommand_from " + c.name)
		for _, f := range c.flags {
			fmt.Fprintf(&b, "complete -c sortkey -n %s -l %s -d %s", seen, strings.TrimPrefix(f.name, "--"), quoted(f.doc))
			switch {
			case len(f.values) > 0:
				fmt.Fprintf(&b, " -x -a %s", quoted(strings.Join(f.values, " ")))
			case f.takes:
				b.WriteString(" -r")
			}
			b.WriteString("\n")
		}
		if len(c.operands) > 0 {
			fmt.Fprintf(&b, "complete -c sortkey -n %s -f -a %s\n", seen, quoted(strings.Join(c.operands, " ")))
		}
	}
	return b.String()
}
