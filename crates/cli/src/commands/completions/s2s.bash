# Completion of s2s for bash. In ~/.bashrc:  source <(s2s completions bash)
_s2s() {
    # Bash breaks words at = and :, so they are put together again: what no blank parts is one word.
    local line=${COMP_LINE:0:COMP_POINT} rest word at candidate prefix
    local -a words=()
    for ((at = 0; at <= COMP_CWORD; at++)); do
        rest=${line#"${line%%[![:space:]]*}"}
        if ((at == COMP_CWORD)); then word=$rest; else word=${COMP_WORDS[at]}; fi
        if ((at > 0)) && [[ $rest == "$line" ]]; then
            words[${#words[@]} - 1]+=$word
        else
            words+=("$word")
        fi
        line=${rest#"$word"}
    done
    local current=${words[${#words[@]} - 1]}
    # Only what follows the last break is replaced.
    prefix=${current%"${current##*[=:]}"}
    [[ $COMP_WORDBREAKS == *[=:]* ]] || prefix=
    COMPREPLY=()
    while IFS= read -r candidate; do
        COMPREPLY+=("${candidate#"$prefix"}")
        # What is to be gone on with gets no blank after it.
        [[ $candidate == *[=:/] ]] && compopt -o nospace 2>/dev/null
    done < <(command s2s __complete bash $((${#words[@]} - 1)) -- "${words[@]}" 2>/dev/null)
}
complete -o default -o nosort -F _s2s s2s 2>/dev/null || complete -o default -F _s2s s2s
