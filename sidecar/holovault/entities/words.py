"""Words with capitals that are no names.

Owns short lists, casefolded. Must not grow into a dictionary: what is not here is decided by where it stands.
"""

_CALENDAR = """
monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun january february march april may
june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec понедельник понедельника вторник
вторника среда среду среды четверг четверга пятница пятницу пятницы суббота субботу субботы воскресенье воскресенья январь января январе
февраль февраля феврале март марта марте апрель апреля апреле май мая мае июнь июня июне июль июля июле август августа августе сентябрь
сентября сентябре октябрь октября октябре ноябрь ноября ноябре декабрь декабря декабре montag dienstag mittwoch donnerstag freitag
samstag sonntag januar februar märz mai juni juli oktober dezember lundi mardi mercredi jeudi vendredi samedi dimanche janvier février
mars avril juin juillet août septembre octobre novembre décembre
"""
_FUNCTION = """
a an the this that these those my your his her its our their i we you he she it they and or but nor not no so if then when where while
how what which who whose why in on at to from by for with without about into over under after before as of is are was were be do does
did can could may might must should will would have has had here there now also just only more most some any all each every both other
another such see use using let lets don't doesn't it's i'm i've i'd i'll we're you're that's there's what's please thanks yes ok okay
note mr mrs ms dr prof в во на с со к ко о об обо у из от до по за над под при про без для через между перед после около и а но да или
либо ни не нет же ли это этот эта эти тот та те то так там тут здесь я ты он она оно мы вы они меня тебя его её ее нас вас их мне тебе
ему ей нам вам им мой моя мое моё мои твой наш наша наше наши ваш ваша ваше ваши свой своя свои кто что как где когда куда откуда почему
зачем который которая которые если хотя чтобы потому поэтому ещё еще уже только даже тоже также очень все всё весь вся каждый каждая
другой другая вами вам вас вы вашей вашего вашу вашем вашим ваших см der die das dem des den ein eine einer eines einem einen und oder
aber nicht auch wenn als wie so ich du er sie es wir ihr mein dein sein im am zum zur bei beim mit nach von vom zu für auf aus in an
über unter le la les l un une des du au aux ce cet cette ces et ou mais donc je tu il elle nous vous ils elles en dans par pour sur avec
sans el los las una unos y o pero con sin por para en
"""
_ABBREVIATIONS = """
AM PM TODO FIXME NOTE WIP TBD TBA FAQ FYI ASAP IMO IMHO TLDR AKA ETC RSVP LOL USD EUR GBP RUB UTC GMT ISO RFC API CLI GUI IDE SDK URL
URI HTTP HTTPS FTP SSH SSL TLS DNS TCP UDP JSON YAML TOML XML HTML CSS CSV TSV PDF PNG JPG JPEG GIF SVG MP3 MP4 ZIP RAM CPU GPU SSD HDD
USB SQL REST GET PUT POST HEAD DELETE PATCH NULL TRUE FALSE README LICENSE TXT DOC CTRL ALT TAB ESC CMD DEL END SHIFT ENTER AND NOT THE
FOR YOU NEW YES ALL ANY BUT
"""

CALENDAR = frozenset(_CALENDAR.split())
"""Days and months."""

FUNCTION_WORDS = frozenset(_FUNCTION.split())
"""What never begins or ends a name."""

COMMON_ABBREVIATIONS = frozenset(_ABBREVIATIONS.split())
"""Capitals that say what kind of thing something is, not which one."""

_ARTICLES = "a an the for in on at to from by with as is are was be i i'm i've i'd i'll o oh mr mrs ms dr prof"
_OPENERS = "use using see let lets don't doesn't note please thanks yes no ok okay do does can will have if when how what which why where"

ARTICLES = frozenset(_ARTICLES.split())
"""What is no part of a name even inside a sentence."""

OPENERS = frozenset(_OPENERS.split())
"""Words that begin labels as well as sentences, so that a capital after them may be a label's."""

GERMAN = (" der ", " die ", " das ", " und ", " ist ", " nicht ", " ein ", " eine ", " mit ", " für ", " auf ")
"""The commonest words of a language in which every noun has a capital, as they stand in running text."""

PARTICLES = ("van", "von", "der", "den", "de", "di", "da", "del", "della", "du", "dos", "das", "la", "le", "bin", "ibn", "al", "el", "of")
"""Small words inside names: `Ludwig van Beethoven`, `Vasco da Gama`, `Bank of England`."""
