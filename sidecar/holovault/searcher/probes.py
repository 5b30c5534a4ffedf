"""What a vault is measured with: questions about nearly everything, each in two languages, and letter salad.

Owns the texts only. Changing one, or how they are measured, changes every scale: raise VERSION, so that vaults are measured again.
"""

VERSION = 3

TOPICS: tuple[tuple[str, str], ...] = (
    ("how to prune apple trees in early spring", "как обрезать яблони ранней весной"),
    ("symptoms of vitamin D deficiency in adults", "признаки нехватки витамина D у взрослых"),
    ("best opening moves against the Sicilian defence", "лучшие дебютные ходы против сицилианской защиты"),
    ("replacing the brake pads of a motorcycle", "замена тормозных колодок мотоцикла"),
    ("which documents are needed for a divorce", "какие документы нужны для развода"),
    ("lyrics of an old sailor song", "слова старой матросской песни"),
    ("how deep do blue whales dive", "на какую глубину ныряют синие киты"),
    ("choosing a mattress for back pain", "как выбрать матрас при болях в спине"),
    ("knitting pattern for a baby blanket", "схема вязания детского пледа"),
    ("why is the sea salty", "почему море солёное"),
    ("why does sourdough bread not rise", "почему не поднимается хлеб на закваске"),
    ("training plan for a first marathon", "план тренировок к первому марафону"),
    ("eigenvalues of a symmetric matrix", "собственные значения симметричной матрицы"),
    ("hotel near the railway station in Lisbon", "гостиница у вокзала в Лиссабоне"),
    ("feeding a kitten without its mother", "чем кормить котёнка без матери"),
    ("how volcanoes change the climate", "как вулканы меняют климат"),
    ("guitar chords for beginners", "аккорды на гитаре для начинающих"),
    ("vaccinations for a puppy by age", "прививки щенку по возрасту"),
    ("meaning of a dream about falling", "к чему снится падение"),
    ("population of medieval cities", "население средневековых городов"),
)
"""No vault is about most of these, and one in a single language is not about half of them in the other."""

SALAD: tuple[tuple[str, ...], ...] = (
    (
        "qzxv wrtplk",
        "bnmgf dkzj",
        "xkcqw vvbhj pqlzt",
        "jhgt fdpx",
        "wqzr ttkmn",
        "plvkx zzgbq rhdw",
        "kjx",
        "vbnq dfkzpt",
        "mwrqx lcvb gthz jkpd",
        "zpqkt",
    ),
    (
        "щзкъ фвпл",
        "жгщр цкъыв",
        "вбнмщ гкжфы лдзц",
        "ъхжэ",
        "пшмт чкзгф",
        "цщгх ждлкъ йфпр",
        "бщзжк",
        "ыгкшщ хзцв",
        "тпрнщ фжкъ",
        "мкцжз гщвб",
    ),
)
"""Keys hit at random, by script: their middle is where a model puts whatever it does not know."""
