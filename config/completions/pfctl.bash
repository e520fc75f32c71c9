# bash completion for pfctl; made by `pfctl completion bash`.
_pfctl() {
  local words=() glued='' word line prefix last quote i
  for ((i = 1; i <= COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    quote=''
    case $word in
      \"* | \'*)
        quote="${word:0:1}"
        word="${word:1}"
        word="${word%"$quote"}"
        ;;
      *) word="${word//\\/}" ;;
    esac
    if [[ $word == '=' && ${#words[@]} -gt 0 ]]; then
      words[-1]+='='
      glued=1
    elif [[ -n $glued ]]; then
      words[-1]+="$word"
      glued=''
    else
      words+=("$word")
    fi
  done
  last="${words[-1]}"
  prefix="${last%"${last##*=}"}"
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ $line == ':files' ]]; then
      compopt -o default
      return
    fi
    word="${line%%$'\t'*}"
    [[ $word == *= ]] && compopt -o nospace
    word="${word#"$prefix"}"
    [[ -n $quote || $word != *[[:space:]\'\"\\\$\&\;\(\)\<\>\|\*\?\`]* ]] || printf -v word '%q' "$word"
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]}" completion words -- "${words[@]}" 2>/dev/null)
}
complete -F _pfctl pfctl poolflowctl
