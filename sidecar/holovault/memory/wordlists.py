"""Words that decide whether two facts can contradict each other, in English and Russian, folded.

Owns lists and nothing else. A word stays out when in doubt: a missing one costs a pair that is listed for a person to look at.
"""

from dataclasses import dataclass


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


NEGATIONS = _set("not no never without не нет никогда без cannot")
"""Turn a sentence round; two of them turn it no further (in Russian they belong together)."""

SCOPES = _set(
    "also too another other besides additionally second formerly previously earlier once then sometimes usually often used originally "
    "if when before until after during example "
    "также тоже еще другой другая другие вторая второй кроме помимо раньше прежде ранее тогда иногда обычно часто изначально бывший бывшая "
    "если когда до после во-вторых например временно"
)
"""Say that something else may be true as well, or was at another time."""

FILLERS = _set(
    "now currently today recently just already about around approximately roughly exactly new actually "
    "теперь сейчас сегодня недавно уже примерно около ровно новый новая новое на данный момент действительно"
)
"""Change nothing in what is said."""

EVENTS = _set(
    "visited met read wrote played went bought paid ordered trip trips meeting meetings call saw talked discussed tried attended travelled "
    "flew ran swam walked drove won lost sold gave got received donated weighed measured slept spent "
    "посетил посетила встретил встретила встретился встретилась прочитал прочитала написал написала сыграл сыграла ездил ездила купил "
    "купила оплатил оплатила заказал заказала поездка встреча созвон звонок видел видела обсудил обсудила пробовал пробовала летал летала "
    "ходил ходила бегал бегала пробежал пробежала выиграл выиграла проиграл проиграла продал продала отдал отдала получил получила "
    "потратил потратила проспал проспала"
)
"""Tell of one event among others: the next one may have another date, number or person."""

ADDITIVE = EVENTS | _set(
    "know knows like likes love loves use uses speak speaks visit visits meet meets reads writes play plays own owns support supports "
    "depend depends include includes contain contains friend friends colleague colleagues child children son sons daughter daughters "
    "brother brothers sister sisters member members participant participants part hobby hobbies mentions mentioned knew studied worked "
    "lived learns teaches helps wants recommends recommended enjoys hates prefers "
    "знает любит использует говорит посещает встречался встречалась читает пишет играет владеет поддерживает зависит включает содержит "
    "друг друзья подруга коллега коллеги ребенок дети сын сыновья дочь дочери брат братья сестра сестры участник участники участница хобби "
    "упомянул упомянула изучал изучала работал работала жил жила учит помогает хочет рекомендует советует был была нравится умеет "
    "предпочитает ненавидит"
)
"""Words with which several answers are true at once."""


@dataclass(frozen=True, slots=True)
class Joiners:
    """Small words before a name: `with` adds somebody, `places` make the sentence one about a place."""

    with_: frozenset[str]
    places: frozenset[str]


JOINERS = Joiners(_set("with and or plus с со и или плюс"), _set("in at on в во на"))
