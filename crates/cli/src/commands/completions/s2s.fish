# Completion of s2s for fish. In ~/.config/fish/config.fish:  s2s completions fish | source
function __s2s_candidates
    set -l words (commandline --cut-at-cursor --current-process --tokenize) (commandline --cut-at-cursor --current-token)
    command s2s __complete fish (math (count $words) - 1) -- $words 2>/dev/null
end
complete --command s2s --no-files --keep-order --arguments '(__s2s_candidates)'
