"""knowledge.toml, the rules in it, and the folder outside the vault. See `values` for every key."""

from holovault.config.addresses import Confirmed, distrust, is_loopback, is_trusted, normal_address, trust, trusted
from holovault.config.agents import AgentPlaces
from holovault.config.credentials import Key, is_set, read_key
from holovault.config.device import device_name
from holovault.config.file import read_config
from holovault.config.home import Home, find_vault, private_folder, vault_key, write_private
from holovault.config.load import load_config
from holovault.config.proxies import ProxySetting, proxies_for, proxy_in_use
from holovault.config.rules import Rules, Verdict
from holovault.config.session import ServicePlaces, Supervisor
from holovault.config.tokenlines import Token, TokenLines
from holovault.config.tokens import add_token, read_tokens, remove_token
from holovault.config.values import (
    Config,
    DaemonConfig,
    EmbeddingConfig,
    MemoryConfig,
    PathRule,
    ProjectAlias,
    ProjectRule,
    SearchConfig,
    Setting,
    TimeConfig,
    Topic,
    VaultConfig,
    Weights,
    reference,
)

__all__ = [
    "AgentPlaces",
    "Config",
    "Confirmed",
    "DaemonConfig",
    "EmbeddingConfig",
    "Home",
    "Key",
    "MemoryConfig",
    "PathRule",
    "ProjectAlias",
    "ProjectRule",
    "ProxySetting",
    "Rules",
    "SearchConfig",
    "ServicePlaces",
    "Setting",
    "Supervisor",
    "TimeConfig",
    "Token",
    "TokenLines",
    "Topic",
    "VaultConfig",
    "Verdict",
    "Weights",
    "add_token",
    "device_name",
    "distrust",
    "find_vault",
    "is_loopback",
    "is_set",
    "is_trusted",
    "load_config",
    "normal_address",
    "private_folder",
    "proxies_for",
    "proxy_in_use",
    "read_config",
    "read_key",
    "read_tokens",
    "reference",
    "remove_token",
    "trust",
    "trusted",
    "vault_key",
    "write_private",
]
