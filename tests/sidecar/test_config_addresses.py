"""Confirmed addresses: nothing of a vault goes to a service that this person never agreed to."""

import os
from pathlib import Path

import pytest

from holovault.config import Confirmed, Home, distrust, is_loopback, is_trusted, normal_address, trust, trusted
from holovault.errors import DiskError, UsageError

API = "https://api.example.com/v1"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def test_an_address_counts_from_its_confirmation_until_it_is_taken_back(home: Home) -> None:
    assert not is_trusted(home, API)
    trust(home, API)
    trust(home, API)
    assert is_trusted(home, API)
    assert trusted(home) == (Confirmed(API),)
    distrust(home, API)
    distrust(home, API)
    assert not is_trusted(home, API)


@pytest.mark.parametrize(
    "other", ["https://api.example.com/v2", "http://api.example.com/v1", "https://api.example.com:8443/v1", "https://x.api.example.com/v1"]
)
def test_a_confirmation_is_for_one_address_only(home: Home, other: str) -> None:
    trust(home, API)
    assert not is_trusted(home, other)


def test_a_confirmed_address_gets_the_key_that_it_was_confirmed_with_and_no_other(home: Home) -> None:
    trust(home, API, "MY_KEY")
    assert is_trusted(home, API, "MY_KEY")
    assert is_trusted(home, API)
    assert not is_trusted(home, API, "ANOTHER_SECRET")
    trust(home, API, "ANOTHER_SECRET")
    assert is_trusted(home, API, "ANOTHER_SECRET")
    assert trusted(home) == (Confirmed(API, "MY_KEY"), Confirmed(API, "ANOTHER_SECRET"))
    distrust(home, API)
    assert trusted(home) == ()


def test_an_address_that_was_confirmed_without_a_key_gets_none(home: Home) -> None:
    trust(home, API)
    assert not is_trusted(home, API, "MY_KEY")


@pytest.mark.parametrize("spelling", ["HTTPS://API.Example.com/v1/", "https://api.example.com:443/v1", "https://api.example.com./v1"])
def test_one_address_in_another_spelling_is_the_same(home: Home, spelling: str) -> None:
    trust(home, spelling)
    assert is_trusted(home, API)


@pytest.mark.parametrize("address", ["http://127.0.0.1:8080/v1", "http://localhost:11434/v1", "http://[::1]:1234/v1", "http://127.8.9.1"])
def test_this_machine_needs_no_confirmation(home: Home, address: str) -> None:
    assert is_trusted(home, address)
    assert is_trusted(None, address)


@pytest.mark.parametrize(
    "address", ["http://localhost.example.com/v1", "http://127.0.0.1.example.com/v1", "http://10.0.0.1/v1", "http://[::2]/v1"]
)
def test_what_only_looks_like_this_machine_is_another_one(address: str) -> None:
    assert not is_loopback(address)
    assert not is_trusted(None, address)


@pytest.mark.parametrize(
    "address",
    [
        "api.example.com",
        "ftp://x/v1",
        "https://user:pw@x/v1",
        "https://x/v1?key=1",
        "https://x/v1#a",
        "https://:99999/",
        "https://x:99999/v1",
    ],
)
def test_what_is_no_address_cannot_be_confirmed(home: Home, address: str) -> None:
    with pytest.raises(UsageError, match="looks like https://host/v1"):
        trust(home, address)
    assert trusted(home) == ()


def test_a_bare_host_and_its_root_are_one_address() -> None:
    assert normal_address("https://[2001:DB8::1]/") == normal_address("https://[2001:db8::1]:443") == "https://[2001:db8::1]"


@pytest.mark.parametrize("content", ["", "[", "[]", '{"addresses": [1]}', '{"addresses": "https://api.example.com/v1"}'])
def test_a_damaged_list_confirms_nothing_and_says_what_to_do(home: Home, content: str) -> None:
    home.trusted.write_text(content, encoding="utf-8")
    with pytest.raises(DiskError, match="delete it and confirm your addresses again"):
        is_trusted(home, API)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")
def test_a_list_that_others_can_write_confirms_nothing(home: Home) -> None:
    trust(home, API)
    home.trusted.chmod(0o620)
    with pytest.raises(DiskError, match=r"can be written by other users, .*chmod 600"):
        is_trusted(home, API)


@pytest.mark.skipif(os.name != "posix", reason="modes of files are POSIX")
def test_the_list_is_private(home: Home) -> None:
    trust(home, API)
    assert home.trusted.stat().st_mode & 0o777 == 0o600
