"""An idle model gives all of its memory back to the system: the whole process tree is weighed, with the real bundled model."""

import json
import subprocess
import sys

from tests.support.engines import ROOT

WEIGH = """
import gc, json, sys
import psutil
from holovault.config import EmbeddingConfig
from holovault.embed import make_embedding

def tree():
    gc.collect()
    me = psutil.Process()
    return sum(process.memory_info().rss for process in (me, *me.children(recursive=True))) / 1e6

model = make_embedding(EmbeddingConfig(idle_unload_s=1e-9), None)
before = tree()
rounds = []
for _ in range(3):
    model.embed_passages([f"lamp {number} stood in the room of the lighthouse" for number in range(64)])
    model.embed_query("where was the lamp?", None)
    loaded = tree()
    assert model.unload_if_idle()
    rounds.append((loaded, tree(), len(psutil.Process().children())))
model.close()
json.dump({"before": before, "rounds": rounds}, sys.stdout)
"""


def test_the_process_tree_weighs_the_same_before_a_model_is_loaded_and_after_it_is_unloaded() -> None:
    ran = subprocess.run([sys.executable, "-c", WEIGH], cwd=ROOT, capture_output=True, text=True, encoding="utf-8", timeout=120, check=True)
    weighed = json.loads(ran.stdout)
    for loaded, after, children in weighed["rounds"]:
        assert loaded > weighed["before"] + 80, weighed
        assert after <= 1.1 * weighed["before"], weighed
        assert children == 0
