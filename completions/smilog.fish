# Completions of smilog for fish, from `smilog complete`. Made by: smilog help --complete fish
function __smilog
    set -l words (commandline -opc)[2..] (commandline -ct)
    set -l lines (smilog complete -- $words 2>/dev/null)
    set -l kind (string split ' ' -- $lines[1])
    set -l before (string sub -l $kind[2] -- $words[-1])
    switch $kind[1]
        case files
            printf "$before%s\n" (__fish_complete_path (string sub -s (math $kind[2] + 1) -- $words[-1]))
        case directories
            printf "$before%s\n" (__fish_complete_directories (string sub -s (math $kind[2] + 1) -- $words[-1]))
        case program
            __fish_complete_subcommand --fcs-skip=(math $kind[2] + 1)
        case '*'
            printf '%s\n' $lines[2..]
    end
end
complete -c smilog -f -a '(__smilog)'
