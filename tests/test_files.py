import os
import signal
import socket
import stat
import subprocess
import sys

import pandas as pd
import pytest

from exrpca import InputError, make_senses, report, save
from exrpca.files import (
    DECOMPRESSION_ERRORS,
    CompressedFile,
    atomic_path,
    check_output,
    check_output_folder,
    open_plain,
    together,
)
from tests.compression import COMPRESSORS


def test_a_failed_write_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    with pytest.raises(RuntimeError), atomic_path(target) as temporary:
        temporary.write_text("half")
        raise RuntimeError
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o755])
def test_a_file_keeps_its_mode(tmp_path, mode):
    target = tmp_path / "out.txt"
    target.touch(mode)
    with atomic_path(target) as temporary:
        assert temporary.stat().st_mode & 0o077 == 0
        temporary.write_text("new")
    assert stat.S_IMODE(target.stat().st_mode) == mode
    assert target.read_text() == "new"


@pytest.fixture
def closed_files_alone(monkeypatch):
    """Let only closed files be renamed, as Windows does."""
    replace = os.replace

    def checked(source, target):
        numbers = os.listdir("/proc/self/fd")
        opened = [
            os.readlink(f"/proc/self/fd/{n}")
            for n in numbers
            if os.path.exists(f"/proc/self/fd/{n}")
        ]
        assert source not in opened
        replace(source, target)

    monkeypatch.setattr(os, "replace", checked)


@pytest.mark.parametrize("name", ["a.parquet", "a.mssg", "a.vec", "a.bin", "a_local.vec"])
def test_vectors_are_closed_before_they_are_renamed(name, tmp_path, closed_files_alone):
    save(make_senses(n_words=20, dim=8, seed=0).senses, tmp_path / name)
    assert (tmp_path / name).exists()


@pytest.mark.parametrize("name", ["a.xlsx", "a.html", "a.json", "a.csv"])
def test_reports_are_closed_before_they_are_renamed(name, tmp_path, closed_files_alone):
    assigned = pd.DataFrame({"word": "bank", "sense": [0, 1], "target": "bank"})
    report(assigned, tmp_path / name)
    assert (tmp_path / name).exists()


def test_files_that_appear_together_are_closed(tmp_path, closed_files_alone):
    with together():
        for name in ("a", "b"):
            with atomic_path(tmp_path / name) as temporary:
                temporary.write_text(name)
    assert (tmp_path / "b").read_text() == "b"


def test_ctrl_c_leaves_the_old_file(tmp_path):
    target = tmp_path / "out.txt"
    target.write_text("old")
    program = (
        "import sys, time\nfrom exrpca.files import atomic_path\n"
        "with atomic_path(sys.argv[1]) as path:\n"
        "    path.write_text('half'); print('ready', flush=True); time.sleep(60)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, target], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    assert process.stdout.readline() == b"ready\n"
    process.send_signal(signal.SIGINT)
    process.wait(30)
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_leaves_the_old_file(tmp_path):
    resource = pytest.importorskip("resource")
    target = tmp_path / "out.txt"
    target.write_text("old")

    def limit_file_size():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    program = (
        "import sys\nfrom exrpca.files import atomic_path\n"
        "with atomic_path(sys.argv[1]) as path:\n    path.write_text('x' * 5000)\n"
    )
    process = subprocess.run(
        [sys.executable, "-c", program, target], preexec_fn=limit_file_size, capture_output=True
    )
    assert b"File too large: '" + bytes(target) in process.stderr
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_output_folder_must_exist(tmp_path):
    with pytest.raises(InputError, match="does not exist"), atomic_path(tmp_path / "no" / "x"):
        pass
    with pytest.raises(InputError, match="is a folder"), atomic_path(tmp_path):
        pass


def test_an_output_is_checked_without_a_trace(tmp_path):
    (tmp_path / "old").write_text("old")
    (tmp_path / "folder").mkdir()
    check_output(tmp_path / "new")
    check_output(tmp_path / "old", other_than=[tmp_path / "new"])
    check_output_folder(tmp_path / "a" / "b")
    check_output_folder(tmp_path / "folder")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "old"]
    assert (tmp_path / "old").read_text() == "old"


def test_an_output_may_not_be_another_file_of_the_command(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to("in.txt")
    for other in ("./in.txt", tmp_path / "in.txt", "link"):
        with pytest.raises(InputError, match=r"in\.txt: is another file of this command"):
            check_output("in.txt", other_than=[other])


def test_names_that_differ_in_case_may_be_one_file(tmp_path):
    """As on macOS and Windows; here a second link to the file plays their part."""
    (tmp_path / "in.txt").write_text("input")
    os.link(tmp_path / "in.txt", tmp_path / "IN.TXT")
    with pytest.raises(InputError, match="another file of this command"):
        check_output(tmp_path / "IN.TXT", other_than=[tmp_path / "in.txt"])
    (tmp_path / "other.txt").write_text("input")
    check_output(tmp_path / "other.txt", other_than=[tmp_path / "in.txt"])


def test_a_file_is_no_output_folder(tmp_path):
    (tmp_path / "old").write_text("old")
    for path in (tmp_path / "old", tmp_path / "old" / "x"):
        with pytest.raises(InputError, match="old is a file, expected a folder"):
            check_output_folder(path)


def test_a_folder_that_may_not_be_written_to(tmp_path, monkeypatch):
    # root may write everywhere: be somebody else for a moment
    tmp_path.chmod(0o755)
    (tmp_path / "closed").mkdir(mode=0o555)
    monkeypatch.chdir(tmp_path)
    user = os.geteuid()
    if user == 0:
        os.seteuid(65534)
    try:
        for check in (check_output, check_output_folder):
            with pytest.raises(InputError, match="cannot write to the folder closed: Permission"):
                check("closed/out" if check is check_output else "closed")
    finally:
        os.seteuid(user)


def test_a_symbolic_link_is_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    target = tmp_path / "elsewhere" / "real.txt"
    (tmp_path / "link").symlink_to("elsewhere/real.txt")
    for content in ("first", "second"):
        with atomic_path(tmp_path / "link") as temporary:
            temporary.write_text(content)
        assert target.read_text() == content
        assert (tmp_path / "link").is_symlink()
    assert list(target.parent.iterdir()) == [target]


def test_a_link_to_itself_and_a_link_to_nowhere(tmp_path):
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "lost").symlink_to("nowhere/real.txt")
    with pytest.raises(InputError, match="leads to itself"):
        check_output(tmp_path / "loop")
    with pytest.raises(InputError, match=r"the folder .*nowhere does not exist"):
        check_output(tmp_path / "lost")


def test_a_device_stays_a_device(tmp_path):
    with atomic_path("/dev/null") as temporary:
        temporary.write_text("away")
    assert os.path.exists("/dev/null")
    assert not os.path.isfile("/dev/null")
    with pytest.raises(OSError, match="/dev/full"), atomic_path("/dev/full") as temporary:
        temporary.write_text("no room")


def test_a_named_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    with atomic_path(pipe) as temporary:
        temporary.write_text("through the pipe")
    assert reader.communicate()[0] == b"through the pipe"
    assert pipe.is_fifo()


def test_a_socket_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # the name of a socket must be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("socket")
        with pytest.raises(InputError, match="is a disk or a socket"):
            check_output("socket")


def test_standard_output_keeps_its_place(tmp_path):
    log = tmp_path / "log"
    log.write_text("before\n")
    program = (
        "from exrpca.files import atomic_path\n"
        "with atomic_path('/dev/stdout') as path:\n    path.write_text('output\\n')\n"
    )
    with log.open("a") as file:
        subprocess.run([sys.executable, "-c", program], stdout=file, check=True)
    assert log.read_text() == "before\noutput\n"
    piped = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert piped.stdout == b"output\n"


@pytest.mark.parametrize("kind", COMPRESSORS)
def test_content_tells_the_compression(tmp_path, kind):
    path = tmp_path / "no_ending"
    text = b"one\ntwo\n" * 1000
    path.write_bytes(COMPRESSORS[kind](text))
    with CompressedFile(path) as file:
        assert file.stream.read() == text
        assert file.position() == file.size


@pytest.mark.parametrize("kind", ["gz", "bz2", "xz", "zst"])
def test_a_truncated_file_is_noticed(tmp_path, kind):
    path = tmp_path / "cut"
    path.write_bytes(COMPRESSORS[kind](bytes(range(256)) * 1000)[:-20])
    with pytest.raises(DECOMPRESSION_ERRORS), CompressedFile(path) as file:
        file.stream.read()


def test_missing_file_and_folder_are_named(tmp_path):
    with pytest.raises(InputError, match="nowhere: no such file"):
        CompressedFile(tmp_path / "nowhere")
    with pytest.raises(InputError, match="is a folder"):
        CompressedFile(tmp_path)


def test_names_that_no_file_can_have():
    for name in ("a\0b", "a" * 5000):
        with pytest.raises(InputError, match="cannot be read") as refused:
            open_plain(name)
        assert len(str(refused.value)) < 300
