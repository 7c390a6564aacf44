# Private servers for one command: sourced by the with-… scripts.
#
#   private_folder NAME          makes $folder, removed at the end together with every server started here
#   serve NAME COMMAND…          starts a server; its words go to $folder/NAME.log
#   wait_until NAME COMMAND…     waits (at most 60 s, or SERVER_SECONDS) until COMMAND succeeds; else prints every log and exits 99
#   give_up WORDS…               prints the words and every log, exits 99
#   run_command COMMAND…         runs the command, passes signals on to it, returns its exit status
#
# No server outlives the script, even where the script itself dies by SIGKILL (--pdeathsig).

server_pids=()
command_pid=

private_folder() {
    folder=$(mktemp -d "${TMPDIR:-/tmp}/rushes-$1.XXXXXX")
    chmod 700 "$folder"
    # A signal before the command runs ends the script; while it runs, run_command passes it on instead.
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap clean_up EXIT
}

# Also called by scripts that are stopped half-way: last server first, as a later one uses an earlier one.
clean_up() {
    trap '' HUP INT TERM
    local index pid
    for ((index = ${#server_pids[@]} - 1; index >= 0; index--)); do
        pid=${server_pids[index]}
        kill "$pid" 2>/dev/null || continue
        timeout 3 tail --pid="$pid" -s 0.02 -f /dev/null || kill -KILL "$pid" 2>/dev/null || true
        wait "$pid" 2>/dev/null || true
    done
    rm -rf "$folder"
}

# A session of its own (setsid), so that Ctrl-C in the terminal reaches the command and not its servers. Ahead of other
# programs where that is allowed (else nice says so in the log and goes on): sound must not wait for a compiler.
serve() {
    local name=$1
    shift
    setsid setpriv --pdeathsig KILL nice -n -11 "$@" </dev/null >"$folder/$name.log" 2>&1 &
    server_pids+=($!)
}

wait_until() {
    local name=$1 seconds=${SERVER_SECONDS:-60} deadline pid
    deadline=$((SECONDS + seconds))
    shift
    until "$@" >/dev/null 2>&1; do
        ((SECONDS < deadline)) || give_up "$name did not start within $seconds seconds"
        for pid in "${server_pids[@]}"; do
            kill -0 "$pid" 2>/dev/null || give_up "a server ended while $name was starting"
        done
        sleep 0.02
    done
}

give_up() {
    echo "${0##*/}: $*" >&2
    local log
    for log in "$folder"/*.log; do
        [ ! -s "$log" ] || { echo "--- ${log##*/}" >&2 && tail -n 30 "$log" >&2; }
    done
    exit 99
}

need() {
    local tool=$1 package=$2
    command -v "$tool" >/dev/null ||
        { echo "${0##*/}: $tool is missing; install $package, or run scripts/setup tests" >&2 && exit 99; }
}

# The command runs in the background, as a shell acts on a signal only once its foreground command has ended.
# It gets back the shell's own SIGINT handling, which a background command would otherwise ignore.
run_command() {
    (
        trap - HUP INT TERM
        exec setpriv --pdeathsig TERM "$@"
    ) <&0 &
    command_pid=$!
    trap 'kill -HUP $command_pid 2>/dev/null || true' HUP
    trap 'kill -TERM $command_pid 2>/dev/null || true' TERM
    # Ctrl-C in a terminal reaches the command by itself; a second SIGINT would mean "at once".
    trap '[ -t 0 ] || kill -INT $command_pid 2>/dev/null || true' INT
    local status=0
    while :; do
        wait "$command_pid" && status=0 || status=$?
        # A signal interrupts the wait; the command is waited for again until it is gone.
        kill -0 "$command_pid" 2>/dev/null || break
    done
    return "$status"
}
