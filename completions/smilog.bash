# Completions of smilog for bash. Made by: smilog help --complete bash

_smilog_offer() {
    local IFS=$'\n'
    COMPREPLY=($(compgen "$@" -- "$cur"))
}
_smilog_words() {
    COMPREPLY=($(compgen -W "$1" -- "$cur"))
}
_smilog_prefixes() { # sqlite: and the like, and a file behind it
    case $cur in
    *:*) local IFS=$'\n'; COMPREPLY=($(compgen -f -P "${cur%%:*}:" -- "${cur#*:}")) ;;
    *) _smilog_words "$1"; compopt -o nospace 2>/dev/null ;;
    esac
}
_smilog_list() { # words with commas between; the first may follow a -
    local before=''
    case $cur in *,*) before=${cur%,*}, ;; -*) before=- ;; esac
    COMPREPLY=($(compgen -P "$before" -W "$1" -- "${cur#"$before"}"))
    compopt -o nospace 2>/dev/null
}
_smilog_files() {
    _smilog_offer -f
    compopt -o filenames 2>/dev/null
}
_smilog_directories() {
    _smilog_offer -d
    compopt -o filenames 2>/dev/null
}
_smilog_program() { # the first word is $1: a program, with words of its own
    if [[ $COMP_CWORD -eq $1 ]]; then
        _smilog_offer -c
    elif declare -F _command_offset >/dev/null; then
        _command_offset "$1"
    else
        _smilog_files
    fi
}
# Readline cuts words at = and : ; joins what belongs to cur, and finds the option that cur is the value of.
_smilog_join() {
    local i=$COMP_CWORD
    cur=${COMP_WORDS[i]} prev=${COMP_WORDS[i - 1]} cut=''
    while ((i > 1)) && [[ ${COMP_WORDS[i]} == [=:]* || ${COMP_WORDS[i - 1]} == [=:] ]]; do
        ((i--))
        if [[ ${COMP_WORDS[i]} == -* ]]; then
            prev=${COMP_WORDS[i]} cur=${cur#=} cut=${cut#=}
            return
        fi
        cur=${COMP_WORDS[i]}$cur cut=${COMP_WORDS[i]}$cut prev=${COMP_WORDS[i - 1]}
    done
    [[ ${COMP_WORDS[COMP_CWORD]} == [=:] ]] && cut=$cur
}

_smilog() {
    local cur prev cut command=${COMP_WORDS[1]} options='' i
    COMPREPLY=()
    _smilog_join
    _smilog_choose
    [[ -z $cut ]] || for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$cut"}; done
}

