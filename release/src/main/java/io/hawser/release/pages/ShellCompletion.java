package io.hawser.release.pages;

import picocli.AutoComplete;
import picocli.CommandLine;

/** Shell completion, as picocli makes it for Bash; zsh runs the same script. Pure. */
final class ShellCompletion {
    private ShellCompletion() {}

    static String bash(CommandLine hawser) {
        // It is sourced, not run: without picocli's first line, which names an interpreter.
        return AutoComplete.bash("hawser", hawser).replaceFirst("^#!.*\\R", "");
    }

    /** An autoloaded function, which takes the place of itself at the first completion. */
    static String zsh() {
        return """
                #compdef hawser
                autoload -U +X bashcompinit && bashcompinit
                for file in /usr/share /usr/local/share; do
                    [ ! -r "$file/bash-completion/completions/hawser" ] || source "$file/bash-completion/completions/hawser"
                done
                _bash_complete -o default -F _complete_hawser
                """;
    }
}
