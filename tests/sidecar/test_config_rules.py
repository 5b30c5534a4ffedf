"""Tiers and projects: the first rule that matches wins, and says which it was."""

import pytest

from holovault.config import Config, PathRule, ProjectAlias, ProjectRule, Rules


@pytest.mark.parametrize(
    ("path", "source", "tier"),
    [
        ("note.md", None, 1),
        ("Notes/Chats/a.md", None, 1),
        ("Projects/x/Notes/a.md", None, 1),
        ("Chats/2024/a.md", None, 2),
        ("Code/repo/a.md", None, 2),
        ("Artifacts/a.md", None, 2),
        ("a.md", "claude.ai", 2),
        ("a.md", " ChatGPT ", 2),
        ("a.md", "a book", 1),
    ],
)
def test_tiers_are_what_they_are_without_rules(path: str, source: str | None, tier: int) -> None:
    assert Rules(Config()).tier_of(path, source).value == tier


def test_a_rule_of_ones_own_goes_before_the_defaults_and_in_its_order() -> None:
    rules = Rules(Config(tiers=(PathRule("Chats/Own/**", 1), PathRule("Own/**", 2), PathRule("*.md", 1))))
    assert rules.tier_of("Chats/Own/a.md").value == 1
    assert rules.tier_of("Own/a.md").value == 2
    assert rules.tier_of("Chats/a.md", "chatgpt").value == 1
    assert rules.tier_of("Chats/Own/a.md").rule == "knowledge.toml [[tiers]]: Chats/Own/** is tier 1"


def test_a_project_is_the_folder_below_projects() -> None:
    rules = Rules(Config())
    found = rules.project_of("Projects/Дом/deep/a.md")
    assert found is not None and found.value == "Дом"
    assert found.rule == "default: Projects/*/** is the project of that folder's name"
    assert rules.project_of("Projects/a.md") is None
    assert rules.project_of("Old/Projects/x/a.md") is None


def test_rules_name_projects_by_folder_or_by_name() -> None:
    rules = Rules(Config(projects=(ProjectRule("Work/*/**", "*"), ProjectRule("Lab/**", "science"))))
    assert [found.value for path in ("Work/x/a.md", "Lab/deep/a.md", "Projects/y/a.md") if (found := rules.project_of(path))] == [
        "x",
        "science",
        "y",
    ]


def test_an_alias_is_the_project_itself_whatever_its_case() -> None:
    rules = Rules(Config(project_aliases=(ProjectAlias("HV", "holovault"),)))
    found = rules.project_of("Projects/hv/a.md")
    assert found is not None and found.value == "holovault"
    assert "hv is an alias of holovault" in found.rule


@pytest.mark.parametrize("front", ["X", "[[X]]", "[[Projects/X/CONTEXT]]", "[[Projects/x (9ad4)/CONTEXT|X]]", ' "X" '])
def test_front_matter_names_the_project_before_any_path_does(front: str) -> None:
    found = Rules(Config()).project_of("Projects/y/a.md", front)
    assert found is not None and found.value == "X"


def test_blank_front_matter_names_nothing() -> None:
    assert Rules(Config()).project_of("a.md", "  ") is None


def test_facts_are_where_the_configuration_says() -> None:
    rules = Rules(Config())
    assert rules.is_facts("Memory/Facts/people.md")
    assert not rules.is_facts("Memory/profile.md")
    assert not rules.is_facts("Memory/Facts/people.md", " ChatGPT ")
    assert rules.is_facts("Memory/Facts/people.md", "my own head")
