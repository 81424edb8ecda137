# Sourced by tests/run and samples/demo: gets a Debian machine ready to build and test.
# shellcheck shell=bash

# What the product is built with, and what only its tests need.
build_packages=(gcc libc6-dev cmake ninja-build pkg-config libzip-dev libjansson-dev uthash-dev libbdd-dev
    libroaring-dev)
test_packages=(libcmocka-dev clang libclang-rt-dev clang-format binutils jq libxml2-utils groff-base chromium
    junit4 junit5 testng)
# Large programs that the longer suites read and run.
real_packages=(libderby-java libh2-java liblucene4.10-java libcommons-pool2-java libjetty9-java maven
    gradle npm)

have_package() {
    [[ $(dpkg-query -W -f '${Status}' "$1" 2>/dev/null) == *' installed' ]]
}

# install_packages PACKAGE...: installs those that are missing, asking for root only if there are any.
install_packages() {
    local missing=() p sudo=
    # A command that no package brought is as good.
    for p in "$@"; do have_package "$p" || command -v "$p" >/dev/null || missing+=("$p"); done
    # Any JDK will do, also one that no package brought.
    if ! command -v javac >/dev/null; then missing+=(default-jdk-headless); fi
    ((${#missing[@]})) || return 0
    if ! command -v apt-get >/dev/null; then
        echo "no apt-get here; install by hand what corresponds to: ${missing[*]}" >&2
        return 1
    fi
    if ((EUID != 0)); then
        command -v sudo >/dev/null || { echo "run as root or install sudo; missing: ${missing[*]}" >&2; return 1; }
        sudo=sudo
    fi
    echo "installing ${missing[*]}"
    # The package lists of a fresh machine are empty or old, so they are brought up to date first.
    $sudo apt-get update -qq
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}
