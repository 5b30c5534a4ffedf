"""Passages in several languages, with the marks that notes have, to measure estimates against a tokenizer."""

ENGLISH = """## Moving the workshop

We moved the bench to the **north wall** on Saturday, because the old window let the rain in. The lathe stays
where it is until the floor has dried; see [[Workshop plan#Floor|the floor plan]] for the measurements.

- [ ] Ask Margaret about the spare shelves
- [x] Order 24 screws (M6 × 40) and two hinges
- Paint: white for the ceiling, grey for the door

> [!note] The power company needs ten days' notice. Their number is in the *blue folder*, behind the invoices from 2024.
"""
RUSSIAN = """## Переезд мастерской

В субботу мы перенесли верстак к **северной стене**, потому что старое окно пропускало дождь. Токарный станок
останется на месте, пока не высохнет пол; размеры смотри в заметке [[План мастерской#Пол|план пола]].

- [ ] Спросить Маргариту про запасные полки
- [x] Заказать 24 винта (М6 × 40) и две петли
- Краска: белая для потолка, серая для двери

> [!note] Электросеть нужно предупредить за десять дней. Номер телефона лежит в *синей папке*, за счетами 2024 года.
"""
GERMAN = """## Umzug der Werkstatt

Am Samstag haben wir die Werkbank an die **Nordwand** gestellt, weil das alte Fenster den Regen hereinließ. Die Drehbank
bleibt, wo sie ist, bis der Boden getrocknet ist; die Maße stehen im [[Werkstattplan#Boden|Plan des Bodens]].

- [ ] Margarete nach den übrigen Regalen fragen
- [x] 24 Schrauben (M6 × 40) und zwei Scharniere bestellen
- Farbe: weiß für die Decke, grau für die Tür

> [!note] Der Stromversorger braucht zehn Tage Vorlauf. Die Nummer liegt im *blauen Ordner*, hinter den Rechnungen von 2024.
"""
JAPANESE = """## 作業場の引っ越し

土曜日に、古い窓から雨が入ってくるので、作業台を**北側の壁**に移しました。床が乾くまで旋盤はそのままにしておきます。
寸法については[[作業場の計画#床|床の図面]]を見てください。

- [ ] 余っている棚についてマルガレーテに聞く
- [x] ねじを24本と蝶番を二つ注文する
- 塗装：天井は白、ドアは灰色

> [!note] 電力会社には十日前までに連絡が必要です。電話番号は2024年の請求書の後ろにある*青いフォルダー*に入っています。
"""
CHINESE = """## 工作室搬迁

星期六我们把工作台搬到了**北墙**旁边，因为旧窗户会漏雨。在地板干透之前，车床留在原来的地方。
尺寸请参阅[[工作室计划#地板|地板平面图]]。

- [ ] 问一下玛格丽特有没有多余的架子
- [x] 订购24颗螺丝和两个铰链
- 油漆：天花板用白色，门用灰色

> [!note] 需要提前十天通知电力公司。电话号码在*蓝色文件夹*里，放在2024年的发票后面。
"""
CODE = '''```python
def read_settings(path: Path, defaults: dict[str, str]) -> dict[str, str]:
    """Read key=value pairs; later lines win."""
    found = dict(defaults)
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip() or line.startswith("#"):
            continue
        key, _, value = line.partition("=")
        if not key.isidentifier():
            raise ValueError(f"line {number}: {key!r} is no name")
        found[key.strip()] = value.strip()
    return found
```

```bash
for file in "$HOME"/backups/*.tar.gz; do
  if [ "$(stat -c %s "$file")" -lt 1024 ]; then echo "too small: $file" >&2; fi
done
```
'''
SAMPLES = {"en": ENGLISH, "ru": RUSSIAN, "de": GERMAN, "ja": JAPANESE, "zh": CHINESE, "code": CODE}
