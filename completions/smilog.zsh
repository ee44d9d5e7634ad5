#compdef smilog
# Completions of smilog for zsh. Made by: smilog help --complete zsh

_smilog_list() { # words with commas between; the first may follow a -
  compset -P '*,' || compset -P '-'
  compadd -q -S , -- "$@"
}
_smilog_prefixes() { # sqlite: and the like: files behind them
  if compset -P '*:'; then
    _files
  else
    compadd -S '' -- "$@"
  fi
}

