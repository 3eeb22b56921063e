"""Nothing but the output can be written: no home, no package folder, perhaps no /tmp."""

import re
import subprocess
import sys
from pathlib import Path

import exrpca
from exrpca import make_senses, save
from tests.limits import ENVIRONMENT, PROGRAM, needs_mounts, run_with_mounts, small_disk

READ_ONLY = "mount -o remount,bind,ro /"


@needs_mounts
def test_a_command_runs_where_nothing_is_writable(tmp_path):
    senses = make_senses(n_words=20, dim=5, n_components=1, seed=0).senses
    save(senses, tmp_path / "in.vec")
    (tmp_path / "out").mkdir()
    disk = small_disk(tmp_path / "out", "9m")
    clean = [*PROGRAM, "clean", tmp_path / "in.vec", "-o", tmp_path / "out" / "a.parquet"]
    environment = ENVIRONMENT | {"HOME": "/nowhere", "XDG_CACHE_HOME": "/nowhere"}
    environment.pop("NUMBA_CACHE_DIR", None)
    result = run_with_mounts(
        [disk, READ_ONLY], ["sh", "-c", '"$@" && ls -A "$TMPDIR"', "sh", *clean],
        env=environment | {"TMPDIR": str(tmp_path / "out")},
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    assert f"{len(senses.vectors)} senses" in result.stderr
    # the compiled code is kept in a private folder among the temporary files
    assert re.fullmatch(r"a\.parquet\nexrpca-cache-0\n", result.stdout)


@needs_mounts
def test_without_any_cache_functions_are_compiled_all_the_same(tmp_path):
    (tmp_path / "doubling.py").write_text(
        "from exrpca.compiling import cached_njit\n\n"
        "@cached_njit()\ndef double(x):\n    return 2 * x\n\nprint(double(21))\n"
    )
    environment = ENVIRONMENT | {"HOME": "/nowhere", "TMPDIR": "/nowhere"}
    command = [sys.executable, tmp_path / "doubling.py"]
    result = run_with_mounts([READ_ONLY], command, env=environment)
    assert (result.stdout, result.stderr) == ("42\n", "")


def test_commands_without_figures_load_no_matplotlib(tmp_path):
    """Where it cannot write to the user's folders, it says so on standard error."""
    save(make_senses(n_words=20, dim=5, n_components=1, seed=0).senses, tmp_path / "in.parquet")
    path, output = str(tmp_path / "in.parquet"), str(tmp_path / "out.parquet")
    program = "import sys\nfrom exrpca.cli.main import app\n"
    for arguments in (["detect", path], ["components", path], ["merge", path, "-o", output]):
        program += f"app({[*arguments, '--quiet']!r}, standalone_mode=False)\n"
    program += "sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True, env=ENVIRONMENT)


def test_all_compiled_functions_share_this():
    sources = Path(exrpca.__file__).parent.rglob("*.py")
    assert [
        path.name
        for path in sources
        if path.name != "compiling.py" and "cache=True" in path.read_text(encoding="utf-8")
    ] == []
