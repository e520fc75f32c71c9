/// The shells' part of completion: each script asks pfctl for candidates and passes them on in its shell's way.
enum CompletionScripts {
  static let all = ["bash": bash, "zsh": zsh, "fish": fish]

  // bash splits words at `=` and replaces only the part after the last one. It passes words as typed, with quotes and
  // backslashes, and expects replacements that are quoted again if they contain spaces.
  private static let bash = #"""
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

    """#

  private static let zsh = #"""
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

    """#

  private static let fish = #"""
    # fish completion for pfctl; made by `pfctl completion fish`.
    function __pfctl_complete
        set -l before (commandline -opc)
        set -l current (commandline -ct | string unescape)
        test -n "$current"; or set current ''
        set -l lines ($before[1] completion words -- $before[2..] $current 2>/dev/null)
        if test "$lines[1]" = ':files'
            __fish_complete_path $current
        else
            printf '%s\n' $lines
        end
    end
    complete -c pfctl -f -a '(__pfctl_complete)'
    complete -c poolflowctl -f -a '(__pfctl_complete)'

    """#
}
