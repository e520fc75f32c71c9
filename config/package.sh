#!/usr/bin/env bash
# Builds the Debian package with poolflowd, pfctl, poolflow-post (the Swift runtime is linked in), units, manual pages,
# completions, journal catalog, settings, schemas and examples. Prints the package's path, .build/poolflow_VERSION_ARCH.deb.
# Also builds the package poolflow-dbgsym with the debug symbols, from which gdb and coredumpctl read function names.
#
#   config/package.sh [--version VERSION]     uses VERSION instead of the product's version, to test an upgrade
#
# The same commit gives the same bytes. The script installs only the packages of the README's set-up command.
set -euo pipefail
cd "$(dirname "$0")/.."

product="$(sed -n 's/.*text = "\(.*\)"/\1/p' Sources/Engine/FlowControl/ProductVersion.swift)"
version="$product"
if [ "${1:-}" = --version ]; then version="${2:?--version needs a version}"; fi
architecture="$(dpkg --print-architecture)"

config/packages.sh
# The build id links a stripped program to its debug symbols.
release=(-c release --static-swift-stdlib --scratch-path .build-release -Xlinker --build-id=sha1)
config/build.sh "${release[@]}" --product poolflowd >&2
config/build.sh "${release[@]}" --product pfctl >&2

root=.build/package
symbols=.build/package-dbgsym
rm -rf "$root" "$symbols"
built="$(config/build.sh "${release[@]}" --show-bin-path)"
place() { install -D -m "$1" "$2" "$root/$3"; }
zipped() { install -d "$root/$(dirname "$2")" && gzip -9nc "$1" >"$root/$2.gz" && chmod 644 "$root/$2.gz"; }

build_ids=()
for program in poolflowd pfctl; do
  place 755 "$built/$program" "usr/bin/$program"
  id="$(readelf -n "$built/$program" | sed -n 's/.*Build ID: //p')"
  [ -n "$id" ] || { echo "$built/$program has no build id" >&2; exit 70; }
  build_ids+=("$id")
  file="$symbols/usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"
  mkdir -p "$(dirname "$file")"
  objcopy --only-keep-debug --compress-debug-sections=zlib "$built/$program" "$file"
  chmod 644 "$file"
  strip --strip-unneeded --remove-section=.comment "$root/usr/bin/$program"
done
# On BSD and macOS `pfctl` is the packet filter's command; poolflowctl is a second name for people who expect that one.
ln -s pfctl "$root/usr/bin/poolflowctl"
# poolflow-post has its own name, unit and user, but is the same file: both programs share most modules and the Swift runtime.
ln -s pfctl "$root/usr/bin/poolflow-post"

for unit in poolflowd.service poolflowd.socket poolflowd@.service poolflowd@.socket poolflow.target poolflow-post.service; do
  place 644 "units/$unit" "lib/systemd/system/$unit"
done
place 644 units/poolflow.sysusers.conf usr/lib/sysusers.d/poolflow.conf
place 644 units/poolflow.tmpfiles.conf usr/lib/tmpfiles.d/poolflow.conf
if [ -e units/poolflow.catalog ]; then place 644 units/poolflow.catalog usr/lib/systemd/catalog/poolflow.catalog; fi
place 644 config/poolflow.conf etc/poolflow/poolflow.conf
# Folders for the operator's own settings files.
install -d "$root/etc/poolflow/poolflow.conf.d" "$root/etc/poolflow/post.conf.d"
place 644 config/post.conf etc/poolflow/post.conf
for page in config/man/*; do
  name="${page##*/}"
  folder="usr/share/man/man${name##*.}"
  zipped "$page" "$folder/$name"
  # The manual pages of pfctl are also available as poolflowctl.
  if [[ $name = pfctl* ]]; then ln -s "$name.gz" "$root/$folder/poolflowctl${name#pfctl}.gz"; fi
done
place 644 config/completions/pfctl.bash usr/share/bash-completion/completions/pfctl
place 644 config/completions/pfctl.zsh usr/share/zsh/vendor-completions/_pfctl
place 644 config/completions/pfctl.fish usr/share/fish/vendor_completions.d/pfctl.fish
# bash and fish look up completions by the typed name; the zsh file covers both names.
ln -s pfctl "$root/usr/share/bash-completion/completions/poolflowctl"
ln -s pfctl.fish "$root/usr/share/fish/vendor_completions.d/poolflowctl.fish"
for example in units/examples/*; do place 644 "$example" "usr/share/doc/poolflow/examples/${example##*/}"; done
# The JSON Schemas, printed by the pfctl of this package.
"$built/pfctl" help schema --plain --no-legend | while IFS="$(printf '\t')" read -r schema _; do
  file="$root/usr/share/poolflow/schemas/${schema%/*}.${schema##*/}.json"
  install -D -m 644 /dev/null "$file"
  "$built/pfctl" help schema "$schema" >"$file"
done
place 644 config/demo/demo-backup.zip usr/share/doc/poolflow/examples/demo-backup.zip
place 644 config/debian/copyright usr/share/doc/poolflow/copyright
install -d "$root/usr/share/lintian/overrides"
place 644 config/debian/lintian-overrides usr/share/lintian/overrides/poolflow

# Every file gets the commit's date, so that the same commit gives the same package.
SOURCE_DATE_EPOCH="$(git log -1 --format=%ct 2>/dev/null || echo 1763683200)"
export SOURCE_DATE_EPOCH
[[ "$(head -n 1 config/debian/changelog)" == "poolflow ($product) "* ]] || {
  echo "config/debian/changelog does not begin with version $product" >&2
  exit 65
}
zipped config/debian/changelog usr/share/doc/poolflow/changelog

install -d "$root/DEBIAN"
for script in preinst postinst prerm postrm; do
  if [ -e "config/debian/$script" ]; then install -m 755 "config/debian/$script" "$root/DEBIAN/$script"; fi
done
printf "%s\n" /etc/poolflow/poolflow.conf /etc/poolflow/post.conf >"$root/DEBIAN/conffiles"
size="$(du -sk --exclude=DEBIAN "$root" | cut -f1)"
sed -e "s/@VERSION@/$version/; s/@ARCHITECTURE@/$architecture/; s/@SIZE@/$size/" config/debian/control >"$root/DEBIAN/control"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod 644 "$root"/DEBIAN/{control,conffiles,md5sums}

# Debian's convention for debug symbols: https://wiki.debian.org/AutomaticDebugPackages
install -d "$symbols/DEBIAN" "$symbols/usr/share/doc"
ln -s poolflow "$symbols/usr/share/doc/poolflow-dbgsym"
cat >"$symbols/DEBIAN/control" <<EOF
Package: poolflow-dbgsym
Source: poolflow
Version: $version
Auto-Built-Package: debug-symbols
Architecture: $architecture
$(grep '^Maintainer:' config/debian/control)
Installed-Size: $(du -sk --exclude=DEBIAN "$symbols" | cut -f1)
Depends: poolflow (= $version)
Section: debug
Priority: optional
Description: debug symbols for poolflow
Build-Ids: ${build_ids[*]}
EOF
(cd "$symbols" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
chmod 644 "$symbols"/DEBIAN/*

for tree in "$root" "$symbols"; do
  find "$tree" -type d -exec chmod 755 {} +
  find "$tree" -newermt "@$SOURCE_DATE_EPOCH" -print0 | xargs -0r touch --no-dereference --date="@$SOURCE_DATE_EPOCH"
done

package=".build/poolflow_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Zxz --build "$root" "$package" >&2
# Its files are already compressed.
dpkg-deb --root-owner-group -Zxz -z0 --build "$symbols" ".build/poolflow-dbgsym_${version}_$architecture.deb" >&2
echo "$package"
