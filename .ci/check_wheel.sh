#!/bin/bash
# What `pip install .` gives: a wheel of the stable ABI, which an empty environment installs and
# which answers the README's lines of Python, away from the source tree.
set -euo pipefail
cd "$(dirname "$0")/.."

python=$(scripts/python_env.sh) || exit $?
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
start=$SECONDS
"$python" -m pip wheel -q . --no-deps -w "$work/wheel"
echo "wheel built in $((SECONDS - start)) s: $(cd "$work/wheel" && ls)"
compgen -G "$work/wheel/sightline-*-cp310-abi3-*.whl"

python3 -m venv "$work/empty"
"$work/empty/bin/pip" install -q --disable-pip-version-check "$work"/wheel/*.whl
cd "$work"
empty/bin/python - <<'PYTHON'
import pathlib, subprocess, sys
import sightline as sl
assert pathlib.Path(sl.__file__).is_relative_to(sys.prefix), sl.__file__
scene = sl.Scene()
scene.add_spheres([[5, 0, 0]], 1)
assert sl.Caster(scene).closest_hit([0, 0, 0], [1, 0, 0]).t[0] == 4
assert (pathlib.Path(sl.__file__).parent / "_core.pyi").exists()
subprocess.run([sys.executable, "-m", "sightline", "--version"], check=True)
PYTHON

# The lines of Python in the README print what its comment says.
"$work/empty/bin/pip" install -q --disable-pip-version-check abi3audit mypy
sed -n '/^```python$/,/^```$/p' "$OLDPWD/README.md" | grep -v '^```' >readme.py
[ -s readme.py ]
empty/bin/python readme.py | tee readme.out
grep -qxF "$(sed -n 's/.*# \(Visibility(.*\)/\1/p' readme.py)" readme.out
empty/bin/abi3audit --strict wheel/*.whl

# Its types, as a user's checker reads them.
cat >typed.py <<'PYTHON'
import numpy as np
import numpy.typing as npt
import sightline as sl

scene = sl.Scene()
first: int = scene.add_spheres(np.zeros((2, 3)), 1.0, mask=[1, 2])
caster = sl.Caster(scene, device="cpu")
t: npt.NDArray[np.float32] = caster.closest_hit([0, 0, 0], [1, 0, 0], inside="ignore").t
level = sl.from_3dmap("voxel 4 4 4\n0 0 0\n")  # of a module that is loaded when it is used
boxes: sl.Scene = level.scene
draw = sl.plot.scene
PYTHON
empty/bin/mypy --strict typed.py
for wrong in 'sl.Scene().add_spheres(0)' 'sl.from_nothing' \
  'sl.Caster(sl.Scene()).closest_hit(0, 0, inside="outside")'; do
  if empty/bin/mypy --strict -c "import sightline as sl; $wrong"; then
    echo "the types take $wrong"
    exit 1
  fi
done
