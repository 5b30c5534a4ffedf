"""Texts for property tests: what notes are full of, and what breaks tokenizers."""

from hypothesis import strategies as st

_IDENTIFIERS = "pve-01 2026.4.10 v1.0.21 C++ C# .NET foo_bar path/to/file.md crew:run don't a'b HTTPServer GPT4 user@host.org AT&T"
_RUSSIAN = "суббота Ёлка е\u0308лка за\u0301мок и\u0306 Wi-Fi-сеть Python-скрипт"
_SCRIPTS = "芯片设计 배포는 데이터 データベース ガ สวัสดี שָׁלוֹם مُحَمَّد हिन्दी"
_COMPATIBLE = "ﬁle ＡＢＣ １２ ﷺ ㍿ ½ ① ß İ ŉ ǅ 1️⃣ co\u00adop \u200bx \ufeff"
_SIGNS = "🗂️ 👍🏽 👨‍👩‍👧 🇷🇺 **bold** `code` [[Note#Head|alias]] #a/b-c --- ... '' ++ ## ::"
SNIPPETS = tuple(word for words in (_IDENTIFIERS, _RUSSIAN, _SCRIPTS, _COMPATIBLE, _SIGNS) for word in words.split(" "))

WORDS = st.one_of(st.sampled_from(SNIPPETS), st.text(max_size=8), st.text(alphabet="aA0я한芯\u0301'-.+#/_:@&", max_size=10))
TEXTS = st.lists(st.tuples(WORDS, st.sampled_from(["", " ", "\n", "\t", "\x00", "\u3000", "—", "-"])), max_size=12).map(
    lambda pairs: "".join(word + gap for word, gap in pairs)
)
