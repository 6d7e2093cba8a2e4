#compdef s2s
# Completion of s2s for zsh. In ~/.zshrc, after compinit:  source <(s2s completions zsh)
_s2s() {
    local -a lines whole begun
    local one value
    lines=("${(@f)$(command s2s __complete zsh $((CURRENT - 1)) -- "${(@Q)words[1,CURRENT]}" 2>/dev/null)}")
    for one in $lines; do
        # What is to be gone on with gets no blank after it.
        value=${one//\\:/;}
        case ${value%%:*} in
            *[/=]) begun+=("$one") ;;
            *) whole+=("$one") ;;
        esac
    done
    (( $#whole )) && _describe -V 's2s' whole
    (( $#begun )) && _describe -V 's2s' begun -S ''
    (( $#whole + $#begun ))
}
(( $+functions[compdef] )) && compdef _s2s s2s
