#!/usr/bin/env bash
# Install a wheel into a new environment outside the repository, import it, run the demo and encode a text there.
# Usage: scripts/check_wheel.sh WHEEL
set -euo pipefail
wheel=$(realpath "$1")
constraints=$(realpath "$(dirname "$0")/../constraints.txt")
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"${PYTHON:-python3}" -m venv env
env/bin/python -m pip install --quiet --constraint "$constraints" "$wheel"
env/bin/exrpca --version
env/bin/exrpca demo -o pictures
test -s pictures/senses.html
env/bin/python - <<'PYTHON'
import pathlib
import exrpca

assert pathlib.Path.cwd() in pathlib.Path(exrpca.__file__).parents, exrpca.__file__
assert pathlib.Path(exrpca.__file__).with_name("py.typed").exists()
print(exrpca.bundled())
PYTHON
printf 'We sat on the bank.\nThe bank lends money.\n' > text.txt
HF_HUB_OFFLINE=1 env/bin/exrpca encode text.txt --words bank -o bank.parquet
test -s bank.parquet
