"""Stop words: the function words that a question is full of and an answer is not recognised by.

Owns short lists by language, folded as terms are. Must not hold content words: when in doubt, a word stays out.
"""

STOP_WORDS = {
    "en": """
a an the this that these those such same other another each every either neither both all any some few many much more most several own
i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its itself
they them their theirs themselves one ones someone something anyone anything who whom whose which what when where why how whatever
is am are was were be been being do does did doing done have has had having will would shall should can could may might must ought
and or but nor not no so if then else than as because while until unless although though whether
of in on at to from by for with without about into onto over under between among through during before after above below up down out off
again further here there now just also only very too really quite ever yet still already almost maybe
i'm you're he's she's it's we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll she'll we'll they'll
isn't aren't wasn't weren't don't doesn't didn't haven't hasn't hadn't won't wouldn't shan't shouldn't can't cannot couldn't mustn't
let's that's what's who's where's when's why's how's here's there's
""",
    "ru": """
а и но да или либо ни не нет же ли бы б ж уж ведь вот вон то это этот эта эти этого этой этих этому этим этими этом эту
тот та те того той тех тому тем теми ту такой такая такое такие такого таких так там тут здесь туда сюда
я ты он она оно мы вы они меня тебя его ее нас вас их мне тебе ему ей нам вам им мной тобой ним ней нами вами ними нем него нее них нему
себя себе собой мой моя мое мои моего моей моих твой твоя твое твои наш наша наше наши нашего нашей наших ваш ваша ваше ваши свой своя свое
свои своего своей своих своему своим сам сама само сами
кто что чего чему чем кого кому кем ком чей чья чье чьи какой какая какое какие какого каких каким какую который которая которое которые
которого которой которых которому которым которую которыми как когда где куда откуда зачем почему сколько
быть был была было были есть будет будут буду будем будешь
в во на с со к ко о об обо у из изо от ото до по за над под при про без для через между перед после около ради
если чтобы чтоб потому поэтому хотя пока раз ну еще уже только лишь даже тоже также очень можно нужно надо весь вся все всех всем всего
всей всему всеми всю кто-то что-то какой-то как-то где-то
""",
    "de": """
der die das den dem des ein eine einer eines einem einen kein keine keiner keinen keinem
ich mich mir du dich dir er ihn ihm sie ihr ihnen es wir uns euch mein meine meiner dein deine sein seine seiner unser unsere euer eure sich
dieser diese dieses diesem diesen jener jene jenes welcher welche welches wer wen wem wessen was wann wo warum wie wieso weshalb
und oder aber denn sondern doch nicht auch nur noch schon sehr so dann da dass ob wenn als weil während bis
in im an am auf aus bei beim mit nach von vom zu zum zur über unter vor hinter zwischen durch für gegen ohne um
ist sind war waren bin bist sei gewesen haben hat habe hatte hatten wird werden wurde wurden kann können soll muss müssen darf mag man
hier dort alle alles jede jeder jedes
""",
    "fr": """
le la les l un une des du de d au aux ce cet cette ces c je j me m moi tu te t toi il elle on nous vous ils elles se s lui leur leurs y en
mon ma mes ton ta tes son sa ses notre nos votre vos qui que qu quoi dont où quel quelle quels quelles quand comment pourquoi combien
et ou mais donc or ni car si ne n pas plus non aussi très bien tout toute tous toutes même comme
à dans par pour sur sous avec sans entre vers chez avant après depuis pendant contre
est suis es sommes êtes sont était étaient être été a ai as avons avez ont avait avoir fait faire peut peuvent
l'on d'un d'une qu'il qu'elle qu'on c'est j'ai n'est s'il ici là
""",
    "es": """
el la los las lo un una unos unas al del este esta esto estos estas ese esa eso esos esas aquel aquella aquello
yo me mi mí mis tú te ti tu tus él ella ello ellos ellas se sí su sus nosotros nos nuestro nuestra vosotros os vuestro usted ustedes le les
que qué quien quién cual cuál cuando cuándo donde dónde como cómo por porque cuanto cuánto
y e o u ni pero sino si no también tampoco ya muy más menos tan todo toda todos todas algo
a ante bajo con contra de desde en entre hacia hasta para según sin sobre tras durante
es son era eran ser sido soy eres somos fue fueron está están estaba estar ha han he hay había haber tiene puede
aquí ahí allí
""",
    "it": """
il lo la i gli le l un uno una del dello della dei degli delle dell al allo alla ai agli alle all dal dalla dai dalle dall
nel nello nella nei nelle nell sul sullo sulla sui sulle sull questo questa questi queste quello quella quelli quelle quel
io mi me tu ti te lui lei noi ci voi vi loro si se mio mia tuo tua suo sua nostro vostro ne
che chi cui quale quali quando dove come perché quanto cosa
e ed o ma anche non né più molto già solo così tutto tutta tutti tutte
a di da in con su per tra fra senza sotto sopra dopo prima contro
è sono era erano essere stato sia ha hanno ho hai aveva avere può qui qua là c'è
""",
    "nl": """
de het een dit dat deze die ik mij me mijn jij je jou jouw hij hem zijn zij ze haar wij we ons onze jullie u uw hun hen zich
wie wat wanneer waar waarom hoe welke welk en of maar want dus niet geen ook nog al wel heel zo dan toen als omdat terwijl
in op aan bij met van voor naar uit over onder door om tot te tegen tussen zonder na
is was waren ben bent heb heeft hebben had hadden wordt worden werd kan kunnen zal zou moet mag er hier daar alle alles
""",
    "pl": """
a i oraz ale lub albo ani nie tak się to ten ta te tego tej tych temu tym tymi tę ja ty on ona ono my wy oni one mnie mi cię ci go mu jej ją
nas nam was wam ich im nimi mój moja moje twój twoja nasz nasza wasz swój swoja kto co czego czemu kogo komu kim czym jaki jaka jakie który
która które którego której których jak kiedy gdzie dlaczego ile czy że żeby bo gdy jeśli jeżeli
w we na z ze do od po za o u przy przez dla bez nad pod przed między jest są był była było były być będzie będą
też także już jeszcze tylko bardzo
""",
    "pt": """
o a os as um uma uns umas do da dos das ao à aos às no na nos nas num numa pelo pela pelos pelas
este esta isto estes estas esse essa isso esses essas aquele aquela aquilo eu me mim tu te ti ele ela eles elas se si você vocês nós
lhe lhes meu minha meus minhas teu tua seu sua seus suas nosso nossa que quem qual quais quando onde como porque quanto
e ou mas nem não sim também já muito mais menos tão todo toda todos todas só
de em por para com sem sob sobre entre até desde contra
é são era eram ser sido foi foram está estão estava estar tem têm tinha ter há pode aqui ali
""",
}
"""Space-separated words by ISO 639-1 code."""
