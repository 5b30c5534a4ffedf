"""A parent survives its child's death, a child does not survive its parent's."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from holovault.children import Child, WorkerDied, WorkerHung, WorkerOverMemory, WorkerRefused
from holovault.errors import WorkerError
from tests.support.processes import ENVIRONMENT, ROOT, ended, gone, wait_until

POSIX = sys.platform != "win32"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "logs" / "worker.log"


@pytest.fixture
def child(log: Path) -> Iterator[Child]:
    child = Child("tests.support.fake_worker", name="the worker", memory_mb=300, env=ENVIRONMENT, log=log)
    yield child
    child.close()


def pid_of(child: Child) -> int:
    return int(child.request(b"pid", 30))


def test_a_request_is_answered_by_another_process_and_the_next_one_by_the_same(child: Child) -> None:
    first = pid_of(child)
    assert first != os.getpid()
    assert [child.pid, pid_of(child)] == [first, first]
    assert child.rss_mb() > 1


@pytest.mark.parametrize("size", [0, 1, 5, 100_000, 5_000_000])
def test_payloads_of_any_size_arrive_whole(child: Child, size: int) -> None:
    payload = (b"0123456789abcdef" * (size // 16 + 1))[:size]
    assert child.request(b"echo " + payload, 30) == payload


def test_a_payload_above_the_limit_is_refused_before_anything_starts(child: Child) -> None:
    with pytest.raises(ValueError, match="above the limit"):
        child.request(bytes((1 << 28) + 1), 30)
    assert child.pid is None


def test_death_by_exit_says_the_code_and_the_next_request_finds_a_new_process(child: Child) -> None:
    before = pid_of(child)
    with pytest.raises(WorkerDied, match=r"^the worker ended with exit code 3$"):
        child.request(b"exit 3", 30)
    assert pid_of(child) != before
    assert gone(before)


@pytest.mark.skipif(not POSIX, reason="Windows has exit codes for what are signals elsewhere")
def test_death_by_signal_says_which_one(child: Child) -> None:
    with pytest.raises(WorkerDied, match=r"^the worker died with signal 9 \(SIGKILL\)$"):
        child.request(b"kill", 30)


def test_a_process_that_died_between_two_requests_is_replaced_without_a_word_to_the_caller(child: Child) -> None:
    before = pid_of(child)
    psutil.Process(before).kill()
    assert wait_until(lambda: child.pid is None)
    assert pid_of(child) != before


def test_a_hung_worker_is_killed_when_its_time_is_over(child: Child) -> None:
    before = pid_of(child)
    with pytest.raises(WorkerHung, match=r"^the worker gave no answer within 0\.3 s$"):
        child.request(b"hang", 0.3)
    assert gone(before)
    assert child.request(b"echo again", 30) == b"again"


def test_a_worker_over_its_memory_cap_is_killed_while_it_works(child: Child) -> None:
    before = pid_of(child)
    with pytest.raises(WorkerOverMemory, match=r"over its memory cap of 300 MB$"):
        child.request(b"grow 400", 30)
    assert gone(before)


def test_a_worker_that_keeps_too_much_after_a_quick_answer_is_replaced_as_well(child: Child) -> None:
    with pytest.raises(WorkerOverMemory, match="over its memory cap of 300 MB"):
        child.request(b"keep 400", 30)
    assert child.request(b"echo small", 30) == b"small"


def test_an_exception_in_the_handler_is_a_refusal_and_the_worker_lives(child: Child) -> None:
    before = pid_of(child)
    with pytest.raises(WorkerRefused, match=r"^the worker failed: LookupError: no such thing$"):
        child.request(b"raise no such thing", 30)
    assert pid_of(child) == before


def test_the_log_says_where_an_exception_came_from_but_not_its_words(child: Child, log: Path) -> None:
    with pytest.raises(WorkerRefused):
        child.request(b"raise a private sentence", 30)
    written = log.read_text(encoding="utf-8")
    assert "fake_worker.py" in written
    assert "private" not in written


def test_prints_go_to_the_log_and_never_between_the_frames(child: Child, log: Path) -> None:
    assert child.request(b"print hello there", 30) == b"printed"
    assert child.request(b"echo still in step", 30) == b"still in step"
    assert log.read_bytes().split() == [b"hello", b"there", b"from", b"below"]


def test_bytes_that_are_no_frame_end_the_worker_with_a_reason(log: Path) -> None:
    child = Child("tests.support.noisy_worker", name="the worker", memory_mb=300, env=ENVIRONMENT, log=log)
    with pytest.raises(WorkerDied, match="sent something that is no answer"):
        child.request(b"x", 30)
    child.close()


def test_a_module_that_does_not_exist_is_named_in_the_reason(log: Path) -> None:
    child = Child("tests.support.no_such_module", name="the worker", memory_mb=300, env=ENVIRONMENT, log=log)
    with pytest.raises(WorkerDied, match=r"exit code 1: .*no_such_module"):
        child.request(b"x", 30)
    child.close()


def test_a_log_above_five_megabytes_starts_anew(child: Child, log: Path) -> None:
    log.parent.mkdir()
    log.write_bytes(b"old\n" * 1_300_000)
    child.request(b"print new", 30)
    assert log.read_bytes().startswith(b"new")


def test_a_folder_of_somebody_else_cannot_bring_its_own_modules(child: Child, tmp_path: Path) -> None:
    for name in ("faulthandler", "traceback", "signal"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit(7)", encoding="utf-8")
    program = "from tests.support.orphan_parent import ask; ask()"
    environment = {**os.environ, **ENVIRONMENT}
    command = [sys.executable, "-P", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8", check=False)
    assert (done.stdout, done.returncode) == ("fine", 0), done.stderr


def test_the_environment_reaches_the_worker(tmp_path: Path) -> None:
    child = Child("tests.support.fake_worker", name="the worker", memory_mb=300, env={**ENVIRONMENT, "HOLOVAULT_TEST": "ё"})
    assert child.request(b"environment HOLOVAULT_TEST", 30).decode("utf-8") == "ё"
    child.close()


def test_stop_ends_the_process_and_the_next_request_starts_another(child: Child) -> None:
    before = pid_of(child)
    child.stop()
    assert gone(before)
    assert (child.pid, child.rss_mb()) == (None, 0.0)
    assert pid_of(child) != before


def test_close_is_final_and_may_be_called_again(child: Child) -> None:
    before = pid_of(child)
    child.close()
    child.close()
    assert gone(before)
    with pytest.raises(WorkerDied, match="was stopped"):
        child.request(b"pid", 30)


def test_close_from_many_threads_ends_a_request_in_flight(child: Child) -> None:
    pid = pid_of(child)
    failures: list[str] = []

    def ask() -> None:
        try:
            child.request(b"hang", 60)
        except WorkerError as error:
            failures.append(str(error))

    asking = threading.Thread(target=ask)
    asking.start()
    closing = [threading.Thread(target=child.close) for _ in range(4)]
    for thread in closing:
        thread.start()
    for thread in (*closing, asking):
        thread.join(10)
    assert failures == ["the worker was stopped"]
    assert gone(pid)


def test_requests_of_many_threads_each_get_their_own_answer(child: Child) -> None:
    answers: dict[int, bytes] = {}

    def ask(number: int) -> None:
        answers[number] = child.request(f"echo {number}".encode("ascii"), 30)

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == {number: str(number).encode("ascii") for number in range(20)}


def test_a_low_priority_worker_is_below_its_parent(log: Path) -> None:
    child = Child("tests.support.fake_worker", name="the worker", memory_mb=300, env=ENVIRONMENT, log=log, low_priority=True)
    theirs, ours = psutil.Process(pid_of(child)).nice(), psutil.Process().nice()
    child.close()
    assert theirs == min(19, ours + 10) if POSIX else theirs != ours


@pytest.mark.skipif(not POSIX, reason="a signal to one process is a thing of POSIX")
def test_ctrl_c_is_the_parents_business(child: Child) -> None:
    pid = pid_of(child)
    os.kill(pid, signal.SIGINT)
    assert child.request(b"echo still here", 30) == b"still here"
    assert os.getpgid(pid) != os.getpgid(0)


def test_a_grandchild_inherits_none_of_the_pipes(child: Child) -> None:
    # With a leak the grandchild keeps the pipe open, the end of the worker is not seen, and this request runs into its time limit.
    with pytest.raises(WorkerDied, match="exit code 4"):
        child.request(b"orphan 4", 10)


@pytest.mark.parametrize("state", ["idle", "busy"])
def test_a_worker_dies_with_a_parent_that_was_killed(state: str) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-m", "tests.support.orphan_parent", state], cwd=ROOT, stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert parent.stdout is not None
    worker = int(parent.stdout.readline())
    assert not ended(worker)
    parent.kill()
    parent.wait(10)
    parent.stdout.close()
    assert wait_until(lambda: ended(worker))
