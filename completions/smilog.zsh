#compdef smilog
# Completions of smilog for zsh, from `smilog complete`. Made by: smilog help --complete zsh
local -a lines=("${(@f)$(smilog complete -- "${(@Q)words[2,CURRENT - 1]}" "$PREFIX" 2>/dev/null)}") options
local kind=${lines[1]% *} word
local -i at=${lines[1]#* }
[[ $kind != parts ]] || options=(-S '')
case $kind in
files) compset -p $at; _files ;;
directories) compset -p $at; _files -/ ;;
program)
  if ((CURRENT == at + 2)); then _command_names -e; else shift $((at + 1)) words; ((CURRENT -= at + 1)); _normal; fi ;;
*)
  local -a choices=()
  for word in "${(@)lines[2,-1]}"; do
    choices+=("${${word%%$'\t'*}//:/\\:}:${word#*$'\t'}")
  done
  _describe -t words word choices "${(@)options}" ;;
esac
