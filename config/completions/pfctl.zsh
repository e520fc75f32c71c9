#compdef pfctl poolflowctl
# zsh completion for pfctl; made by `pfctl completion zsh`.
_pfctl() {
  local -a lines candidates
  lines=("${(@f)$(${(Q)words[1]} completion words -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ ${lines[1]} == ':files' ]]; then
    _files
    return
  fi
  [[ -n ${lines[1]} ]] || return 1
  candidates=("${(@)lines//:/\\:}")
  candidates=("${(@)candidates/$'\t'/:}")
  if [[ ${lines[1]%%$'\t'*} == *= ]]; then
    _describe -t words pfctl candidates -S ''
  else
    _describe -t words pfctl candidates
  fi
}
if [[ ${funcstack[1]} == _pfctl ]]; then
  _pfctl "$@"
else
  compdef _pfctl pfctl poolflowctl
fi
