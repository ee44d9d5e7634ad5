# Completions of smilog for fish. Made by: smilog help --complete fish

function __smilog_at # COMMAND [WORD]: do the words before the cursor begin with these?
    set -l words (commandline -opc)
    set -e words[1]
    for word in $argv
        test "$words[1]" = $word; or return 1
        set -e words[1]
    end
end
function __smilog_count # N: are there so many words before the cursor?
    set -l words (commandline -opc)
    test (count $words) -eq $argv[1]
end
function __smilog_list # words with commas between; the first may follow a -
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^.*,|^-')
    for word in $argv
        echo "$before$word"
    end
end
function __smilog_prefixes # sqlite: and the like, and a file behind it
    set -l before (commandline -ct | string replace -r '^--[^=]*=' '' | string match -r '^[^:]*:')
    if test -n "$before"
        for file in (__fish_complete_path (commandline -ct | string replace -r '^(--[^=]*=)?[^:]*:' ''))
            echo "$before$file"
        end
    else
        printf '%s\n' $argv
    end
end
complete -c smilog -f
