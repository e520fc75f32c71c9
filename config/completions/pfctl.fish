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
