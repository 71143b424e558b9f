# shellcheck shell=bash disable=SC2154
# Sourced by ./knead and ./test: packages, configuration and build of the release preset, each only when needed.
# Needs $root, the folder of the clone.

build=$root/build/release
sources=("$root"/{src,apps,cmake,CMakeLists.txt,CMakePresets.json})

say() { printf 'knead: %s\n' "$*" >&2; }

# The names listed in packages.txt under one of the given sections.
packages_of() {
  local line section="" wanted=" $* "
  while IFS= read -r line || [[ -n $line ]]; do
    if [[ $line =~ ^#\ ([a-z]+)$ ]]; then section=${BASH_REMATCH[1]}; fi
    line=${line%%#*}
    line=${line%"${line##*[![:space:]]}"}
    if [[ -n $line && $wanted == *" $section "* ]]; then printf '%s\n' "$line"; fi
  done < "$root/packages.txt"
}

# Those of the given packages that dpkg does not know as installed.
missing_of() {
  local known
  known=$(dpkg-query -W -f '${db:Status-Abbrev}${Package}\n' "$@" 2>/dev/null || true)
  local name
  for name in "$@"; do
    if [[ $'\n'$known$'\n' != *$'\nii '"$name"$'\n'* ]]; then printf '%s\n' "$name"; fi
  done
}

# Ends with the list of what has to be installed by hand.
ask_to_install() {
  say "$1"
  say "install these (Debian's names; packages.txt says what each is for), then run this command again:"
  say "  ${*:2}"
  exit 7
}

# Installs the missing packages of the given sections. A stamp remembers that this packages.txt was seen satisfied.
install_packages() {
  local stamp="$root/build/.packages-${*: -1}" sum
  mkdir -p -- "$root/build"
  sum=$(cksum < "$root/packages.txt")
  if [[ -f $stamp && $(< "$stamp") == "$sum" ]]; then return; fi
  local wanted missing
  mapfile -t wanted < <(packages_of "$@")
  if ! command -v apt-get > /dev/null || ! command -v dpkg-query > /dev/null; then
    # Not Debian: whether the libraries are there shows when cmake looks for them.
    local tool
    for tool in c++ cmake ninja; do
      command -v "$tool" > /dev/null || ask_to_install "there is no apt-get here, and no '$tool'" "${wanted[@]}"
    done
    return
  fi
  mapfile -t missing < <(missing_of "${wanted[@]}")
  if ((${#missing[@]})); then
    local as_root=()
    if ((EUID != 0)); then
      command -v sudo > /dev/null || ask_to_install "packages are missing, and there is no sudo to install them" "${missing[@]}"
      as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    local log="$root/build/packages.log"
    if ! { "${as_root[@]}" apt-get update -q &&
      "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"; } \
      > "$log" 2>&1 < /dev/null; then
      tail -n 15 "$log" >&2
      ask_to_install "apt-get could not install them (all it said: $log)" "${missing[@]}"
    fi
  fi
  printf '%s\n' "$sum" > "$stamp"
}

# The best level of instructions that this processor has, as in src/base/processor.h.
level_here() {
  local flags
  flags=" $(grep -m1 '^flags' /proc/cpuinfo 2> /dev/null) "
  has() { local f; for f in "$@"; do [[ $flags == *" $f "* ]] || return 1; done; }
  if has avx512f avx512bw avx512cd avx512dq avx512vl avx2 fma bmi2; then
    echo avx512
  elif has avx2 fma bmi2 f16c movbe; then
    echo avx2
  else
    echo plain
  fi
}

# What is built for: this processor, because that compiles in a third of the time. KNEAD_LEVELS="plain;avx2;avx512" asks for
# a program for all of them, which then stays for every machine.
all_levels='plain;avx2;avx512'
levels() {
  if [[ -n ${KNEAD_LEVELS:-} ]]; then
    echo "$KNEAD_LEVELS"
  elif [[ -f $build/.built && $(< "$build/.built") == "$root $all_levels" ]]; then
    echo "$all_levels"
  else
    level_here
  fi
}
built_for_here() { [[ -f $build/.built && $(< "$build/.built") == "$root $(levels)" ]]; }

# True when the program was built here from the present sources. Folders count too: theirs is the time of the last
# file added or removed.
up_to_date() {
  [[ -x $build/apps/knead ]] && built_for_here && [[
    $build/.built -nt $root/packages.txt &&
    -z $(find "${sources[@]}" -newer "$build/.built" -print -quit) ]]
}

# Compilers of large C++ files want about 1.5 GB each.
jobs_that_fit() {
  local cores kilobytes
  cores=$(nproc 2> /dev/null || echo 2)
  kilobytes=$(awk '/^MemAvailable/ {print $2}' /proc/meminfo 2> /dev/null || true)
  local fit=$((${kilobytes:-3000000} / 1500000))
  ((fit < 1)) && fit=1
  echo $((fit < cores ? fit : cores))
}

# Compiles faster the second time where ccache is at hand.
use_ccache() {
  if [[ -z ${CCACHE_DISABLE:-} ]] && command -v ccache > /dev/null; then export CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
}

# cmake, silent unless it fails. Arguments are passed on.
configure() {
  local log="$root/build/configure.log"
  use_ccache
  if ! (cd -- "$root" && cmake --preset release -DKNEAD_LEVELS="$(levels)" -DKNEAD_TEST_SLOW="${KNEAD_TEST_SLOW:-OFF}" \
    -DKNEAD_WERROR="${KNEAD_WERROR:-OFF}" "$@") > "$log" 2>&1; then
    cat "$log" >&2
    rm -f -- "$root"/build/.packages-*
    local wanted
    mapfile -t wanted < <(packages_of run package test)
    if ! command -v apt-get > /dev/null; then ask_to_install "cmake did not find all it needs" "${wanted[@]}"; fi
    say "cmake failed with $(compiler_here) (above; also in $log)"
    return 1
  fi
}

# The compiler that cmake chose, or would: its path and what it says of itself.
compiler_here() {
  local path
  path=$(sed -n 's/^CMAKE_CXX_COMPILER:[^=]*=//p' "$build/CMakeCache.txt" 2> /dev/null || true)
  path=${path:-${CXX:-c++}}
  echo "$("$path" --version 2> /dev/null | head -n 1 || true) ($path)"
}

# Says which file could not be compiled, by what, and what to try. The file that the first error names, since what failed to be made
# may hold many; otherwise what could not be made.
explain_failure() {
  local log=$1 file
  file=$(sed -nE 's/^([^ :]+):[0-9]+(:[0-9]+)?: (fatal )?error: .*/\1/p' "$log" | head -n 1)
  file=${file#"$root/"}
  [[ -n $file ]] || file=$(sed -n 's/^FAILED: *\(\[[^]]*\] *\)\?\([^ ]*\).*/\2/p' "$log" | head -n 1)
  say "the build failed at ${file:-an unknown file} with $(compiler_here) (above; all of it is in $log)"
  if grep -qE 'Killed|cc1plus.*(out of memory|terminated)|virtual memory exhausted' "$log"; then
    say "the compiler ran out of memory: close other programs, then run this command again; it goes on where it stopped"
  elif grep -q 'No space left on device' "$log"; then
    say "the disk is full: a build needs 2 GB in $root/build"
  else
    say "Knead is built with g++ 12 and 13; with another compiler try CXX=g++-12 in front of this command, after rm -r $build"
  fi
}

# Runs ninja for the given targets: one progress line, and the whole log only when it fails.
compile() {
  local log="$root/build/build.log" line count shown=-10
  : > "$log"
  set +e
  NINJA_STATUS='[%f/%t] ' ninja -C "$build" -j "$(jobs_that_fit)" "$@" 2>&1 | while IFS= read -r line; do
    printf '%s\n' "$line" >> "$log"
    if [[ $line =~ ^\[([0-9]+/[0-9]+)\]\ [^R] ]]; then  # not "Re-checking globbed directories..."
      count=${BASH_REMATCH[1]}
      if [[ -t 2 ]]; then
        printf '\rknead: building %s \033[K' "$count" >&2
      elif ((SECONDS - shown >= 10)); then
        say "building $count"
        shown=$SECONDS
      fi
    fi
  done
  local result=${PIPESTATUS[0]}
  set -e
  if [[ -t 2 ]]; then printf '\r\033[K' >&2; fi
  if ((result)); then
    grep -vE '^\[[0-9]+/[0-9]+\] (Building|Linking|Generating)|^ninja: Entering' "$log" >&2 || true
    rm -f -- "$root"/build/.packages-*
    explain_failure "$log"
    return 1
  fi
}

# Configures when there is nothing configured for this folder, then builds. `with_tests` is ON or OFF.
build_release() {
  local with_tests=$1
  shift
  mkdir -p -- "$build"
  printf '%s' "$root $(levels)" > "$build/.building"  # its time is that of the start, so that later edits count as newer
  if [[ -f $build/.built ]] && ! built_for_here; then
    configure --fresh -DKNEAD_TESTS="$with_tests" && ninja -C "$build" -t clean > /dev/null || return 1
  elif [[ $with_tests == ON || ! -f $build/build.ninja ]]; then
    configure -DKNEAD_TESTS="$with_tests" || return 1
  fi
  compile "$@" || return 1
  mv -- "$build/.building" "$build/.built"
}

# One build at a time in a clone: waits for another one to end. The lock is held until the script ends or unlocks.
lock() {
  mkdir -p -- "$root/build"
  exec {lock_file}> "$root/build/.lock"
  if command -v flock > /dev/null && ! flock -n "$lock_file"; then
    say "waiting for another build in this folder"
    flock "$lock_file"
  fi
}
unlock() { exec {lock_file}>&-; }
