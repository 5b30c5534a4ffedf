"""What is known of fastembed's models without loading fastembed.

Owns one line for each: sizes as fastembed lists them, the length in tokens that a model was trained on, and the words that its authors
put in front of questions and passages; fastembed itself adds none. Must not import anything heavy: `model list` and the daemon read it.

Where fastembed's own label and the model's authors differ, the authors count: paraphrase-multilingual-mpnet-base-v2 reads 512 tokens
but was trained on 128 (https://github.com/UKPLab/sentence-transformers/issues/1266).
"""

from dataclasses import dataclass

DEFAULT = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
SHORTEST_WINDOW = 16

_BGE = "Represent this sentence for searching relevant passages: "
_WEB = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"
_STELLA = "Instruct: Given a web search query, retrieve relevant passages that answer the query.\nQuery: "


@dataclass(frozen=True, slots=True)
class Known:
    """`trained` is in tokens, `megabytes` what a download takes; `remark` is what a person should know before choosing it."""

    name: str
    dimension: int
    trained: int
    megabytes: int
    licence: str
    languages: str
    query_prefix: str = ""
    passage_prefix: str = ""
    remark: str = ""


CATALOGUE: tuple[Known, ...] = (
    Known(DEFAULT, 384, 128, 220, "apache-2.0", "about 50 languages"),
    Known("sentence-transformers/paraphrase-multilingual-mpnet-base-v2", 768, 128, 1000, "apache-2.0", "about 50 languages"),
    Known("intfloat/multilingual-e5-large", 1024, 512, 2240, "mit", "about 100 languages", "query: ", "passage: "),
    Known(
        "google/embeddinggemma-300m",
        768,
        2048,
        1240,
        "gemma",
        "about 100 languages",
        "task: search result | query: ",
        "title: none | text: ",
        "terms of use of its own",
    ),
    Known("Qwen/Qwen3-Embedding-0.6B", 1024, 32768, 2380, "apache-2.0", "about 100 languages", _WEB),
    Known("Qwen/Qwen3-Embedding-0.6B-Q", 1024, 32768, 1120, "apache-2.0", "about 100 languages", _WEB),
    Known(
        "jinaai/jina-embeddings-v3",
        1024,
        8192,
        2290,
        "cc-by-nc-4.0",
        "about 90 languages",
        "Represent the query for retrieving evidence documents: ",
        "Represent the document for retrieval: ",
        "not for commercial use",
    ),
    Known("minishlab/potion-multilingual-128M", 256, 512, 512, "mit", "about 100 languages", remark="word vectors only: quick and coarse"),
    Known("sentence-transformers/all-MiniLM-L6-v2", 384, 256, 90, "apache-2.0", "English"),
    Known("BAAI/bge-small-en-v1.5", 384, 512, 67, "mit", "English", _BGE),
    Known("BAAI/bge-base-en-v1.5", 768, 512, 210, "mit", "English", _BGE),
    Known("BAAI/bge-large-en-v1.5", 1024, 512, 1200, "mit", "English", _BGE),
    Known("BAAI/bge-small-en", 384, 512, 130, "mit", "English", _BGE),
    Known("BAAI/bge-base-en", 768, 512, 420, "mit", "English", _BGE),
    Known("BAAI/bge-small-zh-v1.5", 512, 512, 90, "mit", "Chinese", "为这个句子生成表示以用于检索相关文章："),
    Known("mixedbread-ai/mxbai-embed-large-v1", 1024, 512, 640, "apache-2.0", "English", _BGE),
    Known("snowflake/snowflake-arctic-embed-xs", 384, 512, 90, "apache-2.0", "English", _BGE),
    Known("snowflake/snowflake-arctic-embed-s", 384, 512, 130, "apache-2.0", "English", _BGE),
    Known("snowflake/snowflake-arctic-embed-m", 768, 512, 430, "apache-2.0", "English", _BGE),
    Known("snowflake/snowflake-arctic-embed-m-long", 768, 2048, 540, "apache-2.0", "English", _BGE),
    Known("snowflake/snowflake-arctic-embed-l", 1024, 512, 1020, "apache-2.0", "English", _BGE),
    Known("ibm-granite/granite-embedding-small-english-r2", 384, 8192, 180, "apache-2.0", "English"),
    Known("nomic-ai/nomic-embed-text-v1.5", 768, 8192, 520, "apache-2.0", "English", "search_query: ", "search_document: "),
    Known("nomic-ai/nomic-embed-text-v1.5-Q", 768, 8192, 130, "apache-2.0", "English", "search_query: ", "search_document: "),
    Known("nomic-ai/nomic-embed-text-v1", 768, 8192, 520, "apache-2.0", "English", "search_query: ", "search_document: "),
    Known("jinaai/jina-embeddings-v2-small-en", 512, 8192, 120, "apache-2.0", "English"),
    Known("jinaai/jina-embeddings-v2-base-en", 768, 8192, 520, "apache-2.0", "English"),
    Known("jinaai/jina-embeddings-v2-base-de", 768, 8192, 640, "apache-2.0", "German, English"),
    Known("jinaai/jina-embeddings-v2-base-es", 768, 8192, 640, "apache-2.0", "Spanish, English"),
    Known("jinaai/jina-embeddings-v2-base-zh", 768, 8192, 640, "apache-2.0", "Chinese, English"),
    Known("jinaai/jina-embeddings-v2-base-code", 768, 8192, 640, "apache-2.0", "English, program code"),
    Known("thenlper/gte-base", 768, 512, 440, "mit", "English"),
    Known("thenlper/gte-large", 1024, 512, 1200, "mit", "English"),
    Known("minishlab/potion-base-8M", 256, 512, 30, "mit", "English", remark="word vectors only: quick and coarse"),
    Known("minishlab/potion-retrieval-32M", 512, 512, 129, "mit", "English", remark="word vectors only: quick and coarse"),
    Known("Qdrant/constella-zero", 1024, 512, 30, "mit", "English", remark="made for questions to stella-en-400M-v5"),
    Known("Qdrant/constella-nano", 1024, 512, 140, "mit", "English", remark="made for questions to stella-en-400M-v5"),
    Known("Qdrant/stella-en-400M-v5-doc-onnx", 1024, 512, 1750, "mit", "English", _STELLA, remark="made for passages"),
    Known("jinaai/jina-clip-v1", 768, 512, 550, "apache-2.0", "English", remark="made for pictures and their captions"),
    Known("Qdrant/clip-ViT-B-32-text", 512, 77, 250, "mit", "English", remark="made for pictures and their captions"),
    Known("google/siglip2-base-patch16-224", 768, 64, 1130, "apache-2.0", "many languages", remark="made for pictures and their captions"),
)
"""Every text model of fastembed 0.9, those for many languages first."""

_SORTING = "multilingual-e5"
_BY_NAME = {known.name.casefold(): known for known in CATALOGUE}


def known(name: str) -> Known | None:
    """The line of a model by its name, upper and lower case alike."""
    return _BY_NAME.get(name.casefold())


def sorts_by_language(name: str) -> bool:
    """Whether a model of this name, on whatever server or in whatever folder, puts texts of one language together (`ModelSpec.centring`).

    True for all sizes of multilingual-e5: cosines of unrelated texts lie between .7 and .8, by the temperature they were trained with
    (https://huggingface.co/intfloat/multilingual-e5-large, FAQ 3).
    """
    return name.rpartition("/")[2].casefold().startswith(_SORTING)


def window_of(asked: int, trained: int) -> int:
    """Tokens of text in one window: what was asked for, but at most three quarters of the trained length.

    The rest is room for the heading path in front (a quarter of a window), the model's own marks, and tokenizers that cut finer than
    the estimate; what is too long even so is read in pieces (`fitting`). Measured on manuals in five languages with the default
    model's vocabulary: of windows of 96 tokens 0.1–1.3 % are longer than 128, of windows of 128 it is 12–38 %.
    """
    return max(SHORTEST_WINDOW, min(asked, trained * 3 // 4))
