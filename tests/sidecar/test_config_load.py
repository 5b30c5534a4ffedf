"""knowledge.toml: every problem at once, each with its line; nothing in it can reach out of the vault."""

import dataclasses
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holovault.config import Config, ProjectAlias, ProjectRule, Topic, Weights, load_config, reference
from holovault.config.lines import Lines
from holovault.errors import ConfigError


def problems(text: str) -> tuple[str, ...]:
    with pytest.raises(ConfigError) as caught:
        load_config(text, "/vault/knowledge.toml")
    return caught.value.problems


def test_a_vault_without_a_file_has_the_defaults() -> None:
    assert load_config(None, "knowledge.toml") == Config() == load_config("", "knowledge.toml")
    assert Config().search.weights == Weights(0.3, 0.2, 0.2, 0.3)
    assert Config().search.languages == ("en", "ru")


def test_every_kind_of_value_arrives() -> None:
    config = load_config(
        """
[vault]
exclude = ["Archive/", "!Archive/keep.md"]
[search]
languages = ["de"]
profile = "weighted"
semantic_weight = 1
trust_range = [0.5, 1]
[search.weights]
fts = 0.5
[embedding]
provider = "openai"
model = "text-embedding-3-small"
base_url = "https://api.example.org/v1/"
api_key_env = "MY_KEY"
[[tiers]]
path = "Reference/**"
tier = 2
[[projects.rules]]
path = "Work/*/**"
name = "*"
[projects.aliases]
hv = "holovault"
[topics]
search = ["BM25", "vector*"]
[time]
zone = "UTC"
[daemon]
port = 8765
allowed_hosts = ["Notes.Example.org", "::1"]
[memory]
facts = "Facts/**"
""",
        "knowledge.toml",
    )
    assert config.vault.exclude == ("Archive/", "!Archive/keep.md")
    assert config.search.semantic_weight == 1.0 and isinstance(config.search.semantic_weight, float)
    assert config.search.trust_range == (0.5, 1.0)
    assert config.search.weights == Weights(fts=0.5)
    assert config.embedding.base_url == "https://api.example.org/v1"
    assert [(rule.pattern, rule.tier) for rule in config.tiers] == [("Reference/**", 2)]
    assert config.projects == (ProjectRule("Work/*/**", "*"),)
    assert config.project_aliases == (ProjectAlias("hv", "holovault"),)
    assert config.topics == (Topic("search", ("BM25", "vector*")),)
    assert config.daemon.allowed_hosts == ("notes.example.org", "::1")
    assert config.memory.facts == "Facts/**"


def test_all_problems_come_at_once_in_the_order_of_their_lines() -> None:
    found = problems('[vault]\nexlude = []\n[serch]\nx = 1\n[search]\nlimit = 0\nprofile = "best"\n[daemon]\nport = true\n')
    assert found == (
        "knowledge.toml line 2: unknown key `exlude` in [vault]; did you mean `exclude`?",
        "knowledge.toml line 3: unknown table [serch]; did you mean [search]?",
        "knowledge.toml line 6: `limit` must be a whole number from 1 to 100, not 0",
        'knowledge.toml line 7: `profile` must be one of "coverage", "rrf", "weighted", not "best"',
        "knowledge.toml line 9: `port` must be 0 or a whole number from 1024 to 65535, not true or false",
    )


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[vault]\nexclude = 'a'", 2, "must be a list"),
        ("[vault]\nexclude = [\n  'a',\n  '../b',\n]", 4, "must stay inside the vault"),
        ("[vault]\nexclude = ['C:/x']", 2, "must stay inside the vault"),
        ("[vault]\nexclude = ['a\\b']", 2, "not a backslash"),
        ("[vault]\nexclude = ['# x']", 2, "would match nothing"),
        ("[vault]\nexclude = [3]", 2, "(number 1)"),
        ("[vault]\nexclude = ['']", 2, "empty text"),
        ("vault = 1", 1, "[vault] must be a table"),
        ("exclude = ['a']", 1, "`exclude` must stand below [vault]"),
        ("[search]\nsemantic_weight = 1.5", 2, "from 0 to 1"),
        ("[search]\nsemantic_weight = nan", 2, "from 0 to 1"),
        ("[search]\nhalf_life_days = inf", 2, "from 0 to 36500"),
        ("[search]\nlimit = 1979-05-27", 2, "not a date or time"),
        ("[search]\nlanguages = ['english']", 2, "two-letter"),
        ("[search]\nlanguages = ['xx']", 2, "two-letter"),
        ("[search]\ntrust_range = [1.2, 0.7]", 2, "1.2 is above 0.7"),
        ("[search]\ntrust_range = [1]", 2, "two numbers"),
        ("[search.weights]\nfts=0\njaccard=0\nhrr=0\nsemantic=0", 1, "no lane a weight"),
        ("[search]\nweights = 1", 2, "[search.weights] must be a table"),
        ("[search]\nweights = {fts = 2}", 2, "`fts` must be a number from 0 to 1"),
        ("search.limit = 0", 1, "`limit` must be"),
        ("[embedding]\nprovider = 'openai'\nmodel='m'", 2, "needs `base_url`"),
        ("[embedding]\nprovider = 'openai'\nbase_url='https://h/v1'", 2, "needs `model`"),
        ("[embedding]\nprovider = 'e5'\nrefine='e5'", 3, "`refine` works behind"),
        ("[embedding]\nmodel = '/etc/passwd'", 2, "never a path"),
        ("[embedding]\nmodel = '../up'", 2, "never a path"),
        ("[embedding]\nmodel = 'C:/model'", 2, "never a path"),
        ("[embedding]\nbase_url = 'http://example.org/v1'", 2, "must begin with https://"),
        ("[embedding]\nbase_url = 'https://me:pw@example.org'", 2, "no user, password"),
        ("[embedding]\nbase_url = 'file:///etc/passwd'", 2, "must be an address"),
        ("[embedding]\nbase_url = 'https://h:99999'", 2, "is no address"),
        ("[time]\nzone = 'Mars/Olympus'", 2, "is not known here"),
        ("[time]\nzone = '../../etc/passwd'", 2, "is not known here"),
        ("[time]\nport = 1", 2, "it belongs in [daemon]"),
        ("[daemon]\nport = 80", 2, "0 or a whole number from 1024"),
        ("[daemon]\nallowed_hosts = ['*']", 2, "without scheme, port"),
        ("[daemon]\nallowed_hosts = ['https://x']", 2, "without scheme, port"),
        ("[memory]\nfacts = '../Facts/**'", 2, "inside the vault"),
        ("[memory]\nprofile = '/etc/passwd'", 2, "must be a note of this vault"),
        ("[memory]\nprofile = 'a/../../x.md'", 2, "inside the vault"),
        ("[[tiers]]\npath = 'a'", 1, "[[tiers]] needs `tier`"),
        ("[[tiers]]\npath = 'a'\ntier = 3", 3, "from 1 to 2"),
        ("[[tiers]]\npath = '!a'\ntier = 1", 2, 'cannot begin with "!"'),
        ("[[tiers]]\npath = 'a'\ntier = 1\n[[tiers]]\npath = 'b'\nteir = 1\ntier = 1", 6, "did you mean `tier`"),
        ("[tiers]\n'Chats/**' = 2", 1, "rules are written as [[tiers]]"),
        ("[[projects]]\npath = 'a'", 1, "rules of projects are written as [[projects.rules]]"),
        ("[[projects.rules]]\npath = 'Work/**'\nname = '*'", 3, 'needs one folder written "*"'),
        ("[projects.aliases]\na = 'b'\nb = 'c'", 2, "which is an alias itself"),
        ("[projects.aliases]\na = 'x'\nA = 'y'", 3, "case does not count"),
        ("[projects.aliases]\na = 1", 2, "must be a name"),
        ('[topics]\nsearch = "BM25"', 2, "must be a list, each entry a name"),
        ("[topics]\nsearch = []", 2, "needs at least one word"),
        ('[topics]\n" " = ["x"]', 2, "cannot be without a name"),
        ("topics = 1", 1, "[topics] must be a table"),
    ],
)
def test_a_bad_value_is_named_with_its_line(text: str, line: int, words: str) -> None:
    (found,) = problems(text)
    assert found.startswith(f"knowledge.toml line {line}: ")
    assert words in found


@pytest.mark.parametrize("key", ["api_key", "apikey", "token", "password", "client_secret", "api-key"])
def test_a_secret_is_refused_without_being_repeated(key: str) -> None:
    (found,) = problems(f'[embedding]\n{key} = "sk-very-secret"')
    assert "api_key_env" in found
    assert "very-secret" not in found


def test_a_key_where_its_variable_is_asked_for_is_refused_without_being_repeated() -> None:
    (found,) = problems('[embedding]\napi_key_env = "sk-very-secret"')
    assert "the name of an environment variable" in found
    assert "very-secret" not in found


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[vault\n", 1),
        ("\n\na = \n", 3),
        ("[a]\n\n[a]\n", 3),
        ("x = [\n1,\n2", 3),
        ("x = " + "[" * 9000, 1),
        ("x = " + "9" * 9000, 1),
        ("\x00", 1),
    ],
)
def test_a_text_that_is_no_toml_is_one_problem_with_its_line(text: str, line: int) -> None:
    (found,) = problems(text)
    assert found.startswith(f"knowledge.toml line {line}: ")


def test_a_byte_order_mark_and_windows_line_ends_change_nothing() -> None:
    assert load_config("\ufeff[vault]\r\nexclude = ['a']\r\n", "C:\\v\\knowledge.toml").vault.exclude == ("a",)
    assert problems("\ufeff[vault]\r\n\r\nx = 1\r\n")[0].startswith("knowledge.toml line 3: ")


def test_decomposed_patterns_are_composed_as_paths_are() -> None:
    assert load_config("[vault]\nexclude = ['\u0438\u0306/']", "k").vault.exclude == ("\u0439/",)


@given(st.text(alphabet=st.sampled_from("[]{}=.\"'\\#\n\r\t ,ab1_-\u00e9e"), max_size=80))
def test_any_text_is_a_configuration_or_a_config_error(text: str) -> None:
    try:
        load_config(text, "k")
    except ConfigError as error:
        assert error.problems


def test_lines_are_found_past_strings_comments_and_nested_values() -> None:
    text = '''# [vault]
a = """
b = 1
"""
"c d".e = { f = [1, # x = 2
  { g = 3 } ], h = 'x#"' }
[t."u.v"]  # t
w = "\\"=\\u0041"
[[l]]
m = 1
[[l]]
m = 2
[l.n]
o = 1
[[q.r]]
s = 2
'''
    tomllib.loads(text)
    lines = Lines(text)
    places: dict[tuple[str | int, ...], int] = {
        ("a",): 2,
        ("b",): 1,
        ("c d", "e"): 5,
        ("c d", "e", "f", 1, "g"): 6,
        ("c d", "e", "h"): 6,
        ("t", "u.v"): 7,
        ("t", "u.v", "w"): 8,
        ("l", 0, "m"): 10,
        ("l", 1, "m"): 12,
        ("l", 1, "n", "o"): 14,
        ("q", "r", 0, "s"): 16,
        ("q", "r", 0, "unknown"): 15,
    }
    assert {place: lines.of(place) for place in places} == places


def test_the_manual_can_be_written_from_the_declarations() -> None:
    settings = list(reference())
    assert all(setting.doc and setting.allowed for setting in settings)
    listed = {(setting.table, setting.key) for setting in settings}
    config = Config()
    for table, values in (("vault", config.vault), ("search", config.search), ("embedding", config.embedding), ("daemon", config.daemon)):
        for item in dataclasses.fields(values):
            assert item.name == "weights" or (f"[{table}]", item.name) in listed


def test_every_default_in_the_manual_is_a_value_that_may_be_written() -> None:
    for setting in reference():
        if setting.default and not setting.table.startswith("[["):
            assert load_config(f"{setting.table}\n{setting.key} = {setting.default}", "k") == Config()
