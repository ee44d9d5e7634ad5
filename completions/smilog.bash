# Completions of smilog for bash, from `smilog complete`. Made by: smilog help --complete bash
_smilog() {
    local IFS=$'\n' words=() starts=() lines cur last=${COMP_WORDS[COMP_CWORD]} at i
    for ((i = 1; i <= COMP_CWORD; i++)); do # readline cuts words at = and :
        if ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; then
            words[-1]+=${COMP_WORDS[i]}
        else
            words+=("${COMP_WORDS[i]}") starts+=("$i")
        fi
    done
    cur=${words[-1]}
    [[ $last != [=:] ]] || last=''
    mapfile -t lines < <(smilog complete -- "${words[@]}" 2>/dev/null)
    at=${lines[0]#* }
    COMPREPLY=("${lines[@]:1}")
    COMPREPLY=("${COMPREPLY[@]%%$'\t'*}")
    case ${lines[0]} in
    parts*) compopt -o nospace ;;
    files*) COMPREPLY=($(compgen -f -P "${cur::at}" -- "${cur:at}")) && compopt -o filenames ;;
    directories*) COMPREPLY=($(compgen -d -P "${cur::at}" -- "${cur:at}")) && compopt -o filenames ;;
    program*)
        if ((at < ${#words[@]} - 1)) && declare -F _command_offset >/dev/null; then
            _command_offset "${starts[at]}"
        else
            COMPREPLY=($(compgen "$( ((at < ${#words[@]} - 1)) && echo -f || echo -c)" -- "$cur"))
        fi
        ;;
    esac 2>/dev/null
    cur=${cur%"$last"}
    COMPREPLY=("${COMPREPLY[@]#"$cur"}")
}
complete -F _smilog smilog
