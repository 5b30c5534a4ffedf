"""What is known of common embedding models: the length of their vectors and the prefixes that they were trained with.

Owns the table only. Sources: the models' cards and their vendors' API references.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Known:
    """`dimension` without shortening; prefixes "" where the model has none."""

    dimension: int
    query_prefix: str = ""
    passage_prefix: str = ""


_E5 = ("query: ", "passage: ")
_SEARCH = "Represent this sentence for searching relevant passages: "
_MODELS = {
    "text-embedding-3-small": Known(1536),
    "text-embedding-3-large": Known(3072),
    "text-embedding-ada-002": Known(1536),
    "mistral-embed": Known(1024),
    "nomic-embed-text": Known(768, "search_query: ", "search_document: "),
    "nomic-embed-text-v1.5": Known(768, "search_query: ", "search_document: "),
    "mxbai-embed-large": Known(1024, _SEARCH),
    "mxbai-embed-large-v1": Known(1024, _SEARCH),
    "bge-m3": Known(1024),
    "bge-small-en-v1.5": Known(384, _SEARCH),
    "bge-base-en-v1.5": Known(768, _SEARCH),
    "bge-large-en-v1.5": Known(1024, _SEARCH),
    "multilingual-e5-small": Known(384, *_E5),
    "multilingual-e5-base": Known(768, *_E5),
    "multilingual-e5-large": Known(1024, *_E5),
    "all-minilm-l6-v2": Known(384),
    "paraphrase-multilingual-minilm-l12-v2": Known(384),
    "snowflake-arctic-embed2": Known(1024, "query: "),
    "snowflake-arctic-embed-l-v2.0": Known(1024, "query: "),
    "embeddinggemma": Known(768, "task: search result | query: ", "title: none | text: "),
}


def known(model: str) -> Known | None:
    """What is known of `owner/model:tag`; None for a model that is not in the table."""
    return _MODELS.get(model.rpartition("/")[2].partition(":")[0].lower())
