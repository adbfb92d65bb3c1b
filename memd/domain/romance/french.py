"""French forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms, Statement
from memd.domain.romance.french_facts import FRENCH_WORDS
from memd.domain.text.alternatives import any_of
from memd.domain.types import Category

_MONTH: Final = any_of(FRENCH_WORDS.months)
_WEEKDAY: Final = any_of(FRENCH_WORDS.weekdays)
_DAY: Final = rf"(?:\b(?:\d{{1,2}}|1er) {_MONTH}\b|\ben (?:{_MONTH}|(?:19|20)\d\d)\b|\b{_WEEKDAY}s?\b|\bdemain\b|\bprochaine?s?\b|\bhier\b|\bdernier\b|\bderniere\b|\b\d{{1,2}}/\d{{1,2}}\b|\ba \d{{1,2}} ?h)"
_COUNT: Final = r"(?:un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|plusieurs|\d+)"
_PEOPLE: Final = (
    r"(?:mere|peres?|parents|maman|papa|(?:arriere-)?(?:grand-?meres?|grands?-?peres?|grands-parents)|freres?|s(?:oe|œ)urs?|fils|filles?|enfants?|bebe|femme|mari|epou(?:x|se)|copain|copine|compagn(?:on|e)|conjointe?|fiancee?|cousine?s?|oncle|tante|niece|neveux?|beau-\w+|belle-\w+|petit[es]*-(?:fils|filles?|enfants)"
    r"|amie?s?|chef|cheffe|patronn?e?|manager|collegues?|voisine?s?|medecin|docteur|dentiste|pediatre|psy|kine|avocate?|proprietaire|proprio|prof|professeure?|comptable|coach|tuteur|tutrice|mentor|associee?s?|parrain|marraine|filleule?|jumea?u?x|jumelles|chiens?|chiennes?|chats?|chattes?|famille|ex)"
)
_MATTER: Final = (
    r"(?:questions?|problemes?|soucis?|erreurs?|doutes?|idees?|bug|bugs|textes?|fichiers?|tableaux?|listes?|scripts?|code|codes|fonctions?|exercices?|devoirs?|exposes?|dissertation|redaction|poeme|histoire|personnages?|heros|phrases?|paragraphes?|mails?|messages?|prompt|resume|brouillon|titre|options?|suggestions?|propositions?|reponses?"
    r"|solution|variables?|colonnes?|lignes?|donnees|images?|pdf|json|csv|moment|minutes?|instant|peu|truc|choses?|envie|besoin|impression|avis|but|ordinateur|ordi|ecran|programme|appli|application|terminal|navigateur|cas|tete|point)"
)
_POSSESSED: Final = (
    r"(?:animal|animaux|lapins?|oiseaux?|poissons|tortues?|chev(?:al|aux)|poules|vaches|moutons|ruches|voitures?|motos?|velos?|camion|camionnette|bateau|maisons?|appartements?|terrain|potager|jardin|magasins?|boutiques?|entreprise|societe|restaurants?|bar|blog|chaine|podcast|salaries|employe\w*|clients|eleves|patients"
    r"|developpeu\w+|ingenieurs?|personnes|bureaux?|diplome|master|doctorat|licence|bourse|credit|pret|assurance|pacemaker|piano|guitare|equipe|ans)"
)
_VERB: Final = (
    r"(?:est|sont|s'appelle(?:nt)?|vit|vivent|habite(?:nt)?|travaille(?:nt)?|etudie(?:nt)?|a|ont|compte|fete|aime(?:nt)?|adore(?:nt)?|deteste(?:nt)?|prefere(?:nt)?|mange(?:nt)?|boit|joue(?:nt)?|parle(?:nt)?|coute(?:nt)?|commence(?:nt)?|finit|se termine|expire|part|partent|arrive|ouvre|ferme|va|vont|vient de|viennent de|enseigne|dirige"
    r"|peut|peuvent|souffre|prend|prennent|utilise(?:nt)?|fait|supporte|se marie(?:nt)?|demenage(?:nt)?|tombe|dure|s'eleve|conduit|porte|garde)"
)
_OWNED: Final = rf"(?:mon|ma|mes|notre|nos) (?!{_MATTER}\b){{noun}}(?: (?!qui\b|que\b)[\w.'-]+){{{{0,5}}}}? (?:(?:ne |n')?)?{_VERB} (?!(?:ainsi|ca|bien|mal|facile|simple|(?-i:claire?))\b)\S"
_PROFESSION: Final = (
    r"(?!(?:souvent|\w+ment|(?:me)?contente?|tristes?|confiante?|hesitante?|mefiante?|consciente?|patiente?|prudente?|presente?|absente?|differente?|partante?|certaine?|premiere?|dernier|derniere|heureuse|vraie|loin|bien|rien|seul|partout|entiere|familiere|fiere|legere|autre|contraire|mienne|tienne|necessaire|pret|prete|peut|impatiente?|mauvaise?)\b)"
    r"\w{2,}(?:eur|eure|euse|rice|ier|iere|ien|ienne|iste|logue|iatre|ectes?|tecte|ant|ante|ent|ente|aire|cat|graphe|ois|oise|ais|aise|ain|aine|and|ande|gnol|gnole|omain|onome)\b"
)
_SUIS: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:un|une|le|la|de|du|d') ?(?!(?:peu|seule?|retour|accord|avis|bonne humeur|mauvaise|ceux|nouveau|debutante?|celui|celle|cote|plus)\b)\w|(?:allergique|intolerante?|coeliaque|cœliaque|diabetique|asthmatique|vegane?|vegetarien|gaucher|gauchere|daltonien|celibataire|mariee?|divorcee?|veuf|veuve|retraitee?|pacsee?|fiancee?|separee?|enceinte"
    rf"|independante?|freelance|medecin|avocate?|prof\b|etudiante?|pere|mere|maman|papa|chef|cheffe|sourde?|aveugle|juive?|musulmane?|catholique|athee|au chomage|a la retraite|en (?:conge|alternance|stage|licence|master|terminale|seconde|premiere annee|arret)|nee? (?:a|au|en|le)|originaire|fan de|passionnee?)\w*|{_PROFESSION})"
)
_HERE: Final = r"(?:la|le|l')\s?(?:premier|deuxieme|second|troisieme|dernier|autre|option|idee|reponse|proposition|version|suggestion|precedent)\w*"
_LIKED: Final = rf"(?!(?:bien |mieux |beaucoup )?(?:t[ao]n?|tes|votre|vos|cette|ce|cet|ces|ca|cela|quand tu|comme ca|savoir|que ce(?:la)? soit|l[ae] (?-i:[A-Z]\b)|{_HERE})\b|(?:bien|beaucoup|mieux)\W*\Z)\S"
_I: Final = r"(?:je |j'|nous |on )"
_EATS: Final = r"(?:mang\w+|boi[st]|buvons|fum\w+|support\w+|toler\w+|condui\w+|consomm\w+|travaill\w+|vi[st]|vivons|habit\w+|prend\w*|prenons|utilis\w+|port\w+|voyag\w+)"


def _form(pattern: str, category: Category) -> Statement:
    return Statement(
        re.compile(rf"(?:(?:maintenant|actuellement|aujourd'hui|desormais|avant|moi),? )?(?:{pattern})", re.IGNORECASE),
        category,
    )


_APPOINTMENT: Final = r"(?:rendez-vous|rdv|reunion|vol|train|examen|entretien|mariage|cours|concert|visite|operation|diner|partiel|controle|audience|bapteme|demenagement|match|soutenance)"
_LASTING: Final = (
    _form(
        r"(?:nous avons|j'ai|on a|l'equipe a|le client a|la cliente a) (?:\w+ ){0,2}?(?:decide|convenu|choisi|retenu|tranche)\b \S+ \S",
        Category.DECISION,
    ),
    _form(r"(?:j'ai|nous avons|on a) (?:appris|compris) (?:que|qu'|a) ?\S+ \S|lecon(?: retenue)? ?:", Category.LESSON),
    _form(
        rf"(?:j'ai|nous avons|on a) (?:\w+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{_DAY})|(?:le|la|l'|mon|ma|notre) ?{_APPOINTMENT}\b.{{0,60}}? (?:est|sera|a lieu|aura lieu|tombe|a ete)\b(?=.{{0,120}}{_DAY})",
        Category.EVENT,
    ),
    _form(_OWNED.format(noun=rf"(?:nouve\w+ )?{_PEOPLE}"), Category.PERSON),
    _form(
        rf"(?:mon|notre) (?:objectif|but|reve)(?: \S+){{0,4}}? est \S|(?:je veux|nous voulons|on veut|je compte|je prevois de|je vais|nous allons|on va|je dois|nous devons|on doit)\b(?! (?:que|savoir|un|une)\b)(?=.{{0,160}}{_DAY}).{{8}}",
        Category.GOAL,
    ),
    _form(r"(?:mon|ma|notre) (?:[\w-]+ ){1,4}?est [\w.+-]{1,64}@\w", Category.FACT),
    _form(_OWNED.format(noun=r"(?:[\w-]{2,})"), Category.FACT),
    _form(r"(?:je m'appelle|mon nom est|moi,? c'est|on m'appelle) \S", Category.FACT),
    _form(
        rf"(?:je (?:ne )?suis|nous sommes|on est)(?: pas| plus)?(?: \w+ment| aussi| devenue?| toujours)? {_SUIS}|j'ai \d+ ans\b",
        Category.FACT,
    ),
    _form(
        rf"{_I}(?:n'|ne )?(?:habit(?:e|ons|ais)|vi[st]|vivons|vivais|resid\w+|demenag\w+|lou(?:e|ons)|(?:ai|avons|a) (?:grandi|demenage|vecu|emmenage))(?! dans (?:l'(?:attente|espoir)|une? (?:societe|epoque|bulle|monde|ere))\b)(?: [\w-]+){{0,3}}? (?:a|au|aux|en|chez|avec|seule?|depuis|de|du|sur|rue|dans)\b.?\S",
        Category.FACT,
    ),
    _form(
        rf"{_I}(?:n'|ne )?(?:(?:travaill(?:e|ons|ais)|boss(?:e|ons|ais))(?! (?:actuellement )?sur (?:un|une|ce|cette|mon|ma)\b)|etudi(?:e|ons)|enseign(?:e|ons)|dirig(?:e|eons)|ger(?:e|ons)|tien[st]|(?:ai|avons|a) (?:commence|change de|quitte|arrete|rejoint|demissionne)|fais (?:des etudes|un master|une these|une licence|un stage|partie)|prends ma retraite) (?:\S+ )?\S"
        r"|je viens (?:de (?:commencer|changer|demenager|me marier|rejoindre|prendre|acheter|quitter|divorcer) \S+|d'(?:acheter|emmenager|adopter|avoir) \S+|(?:de|du|d') ?(?-i:[A-Z])\w+)|(?:je me suis|nous nous sommes|on s'est) (?:\w+ )?(?:marie|installe|inscrit|separe|pacse|fiance|rencontre|reconverti)\w*",
        Category.FACT,
    ),
    _form(
        r"(?:j'ai|je souffre|nous avons)(?: \w+){0,2}?(?: (?:d'|de l'|l'|la |le |une |un |du |de |des )?)(?:allergie|intolerance|diabete|asthme|migraine|hypertension|maladie c(?:oe|œ)liaque|epilepsie|arthrose|endometriose|tdah|cholesterol|vertige|phobie|anemie|insomnie)s?\b"
        rf"|{_I}(?:ne |n')?(?:peu[xt] (?:pas|plus) (?:manger|boire|porter|conduire|prendre|supporter)|{_EATS} (?:\w+ )?(?:pas|plus|jamais|ni|que)\b|(?:ai|a|avons) (?:pas|plus) (?:d'enfants?|de voiture|le permis|de permis|d'animaux|de television)\b)",
        Category.FACT,
    ),
    _form(
        rf"(?:{_I}(?:n'|ne )?(?:prefer(?:e|ons)|aim(?:e|ons)|ador(?:e|ons)|detest(?:e|ons)|hais|supporte)(?: pas| plus| vraiment| surtout| beaucoup| bien)*|je prefererais) {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:j'ai|nous avons|on a) (?:aussi |deja |en tout )?{_COUNT} (?:[\w-]+ )?(?:{_PEOPLE}|{_POSSESSED})\b|(?:mon|ma|mes) [\w-]+ (?:preferee?|favorite?) est \S",
        Category.FACT,
    ),
    _form(
        rf"{_I}(?:utilis(?:e|ons)(?! (?:toujours|souvent))|programm(?:e|ons)|deploi(?:e)|deployons|code en) (?!(?:ce|cette|ces|cet|ton|ta|la fonction|le code|une boucle)\b)\S|{_I}(?:parl(?:e|ons) (?!(?:de|d'|du|a)\b)|jou(?:e|ons) (?:du|de la|au|aux|a la|de l')|pratiqu(?:e|ons)|condui[st]|chant(?:e|ons)|peins|apprend?s|cours|collectionn(?:e|ons)|fai[ts] (?:du|de la|de l')) ?\S",
        Category.FACT,
    ),
    _form(
        rf"(?:le {_WEEKDAY}(?: (?:et|ou) le {_WEEKDAY})?|tous les \w+|toutes les \w+|chaque \w+|en semaine|d'habitude|generalement|le (?:matin|soir|week-end|midi))(?: (?:matin|soir|midi))?,? {_I}\S+|{_I}(?:vais|va|allons|cours|joue|nage|fais|sors|lis|medite|me leve|me couche|prends|mange|mangeons|dine) (?=.{{0,120}}\b(?:le {_WEEKDAY}|tous les|toutes les|chaque|le matin|le soir|en semaine|par (?:jour|semaine|mois))\b)\S",
        Category.FACT,
    ),
    _form(
        rf"(?:j'ai|nous avons|on a) (?:\w+ )?(?:achete|vendu|adopte|loue|reserve|signe|herite|fonde|cree (?:une|ma|mon|notre) (?:entreprise|societe|boite|association)|embauche|recrute|obtenu|reussi|rate|renove|publie|epouse|perdu (?:mon|ma|mes))\w* (?!(?:le|un) (?:code|bug|script)\b)\S|(?:je suis|nous sommes|on est) (?:partie?s?|allee?s?|arrivee?s?|rentree?s?)\b(?=.{{0,120}}{_DAY}) \S",
        Category.EVENT,
    ),
    _form(
        r"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:est|sera|etait) (?:mon|ma|notre) (?!(?:probleme|question|objectif|erreur)\b)\S",
        Category.PERSON,
    ),
)

FRENCH: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:bonjour|bonsoir|salut|coucou|hello|hey|merci|merci beaucoup|ok|d'accord|oui|non|si|super|parfait|tres bien|bon|rectification|correction|note|important|info)(?: \w+)? ?[,:;!.–—-]+\s+(?:et |mais )?"
        r"|(?:au fait|d'ailleurs|en fait|pour info|a propos|soit dit en passant|par ailleurs|sinon|et|mais|aussi|du coup|alors|ah|eh bien|car|sache que),?\s+)",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:s'il te plait,? )?(?:n'oublie(?:z)? (?:pas|jamais)|souviens-toi|souvenez-vous|rappelle-toi|retiens|retenez|note(?:z)?(?: bien)?|garde(?:z)? (?:en tete|a l'esprit|en memoire))(?: bien)?(?: que | qu'| ?: |, )(?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:s'il te plait,? )?(?:rappelle(?:z)?[- ](?:moi|nous)|(?:tu peux|peux-tu|pourrais-tu|pouvez-vous) (?:me|nous) rappeler)\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"(?:s'il te plait,? )?(?:(?:a partir de (?:maintenant|aujourd'hui)|desormais|dorenavant|a l'avenir),? (?:s'il te plait,? )?(?:ne (?:me )?|n')?(?:repond|ecri|utilis|parl|appell|tutoi|vouvoi|evit|sois|soyez|fais|faites|donn|met|commenc|termin|garde|pose|dis|propose)\w*"
        r"|(?:repond|ecri|parl)\w*(?:-(?:moi|nous))? (?:toujours|uniquement|seulement)\b|toujours (?:me )?(?:repondre|ecrire|utiliser)\b|(?:appelle|appelez|tutoie|tutoyez|vouvoie|vouvoyez)[- ]moi\b|(?:n'utilise|ne (?:me )?\w+)(?:z|s)? jamais \S"
        r"|(?:chez nous,? )?(?:nous|on) (?:ne |n')?\w+(?:\s\w+){0,2}? (?:jamais|toujours) \S|il est (?:strictement )?interdit \S|(?:la |notre )?regle(?: \S+){0,4}? (?:est|:))",
        re.IGNORECASE,
    ),
    lasting=_LASTING,
    request=re.compile(
        r"\W*(?:s'il te plait,? |s'il vous plait,? )?(?:tu (?:peux|pourrais|me|connais|sais|as)|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|est-ce|j'ai besoin|nous avons besoin|on a besoin|(?:je voudrais|nous voudrions|on voudrait)|je veux (?:que|un|une|le|la|les|des|du|savoir|voir|comprendre|faire|creer|ecrire)|je cherche|nous cherchons|on cherche|j'aimerais|nous aimerions"
        r"|donne|donnez|dis|dites|ecris|ecrivez|redige\w*|fais|faites|explique\w*|resume\w*|traduis\w*|traduire|corrige\w*|aide\w*|genere\w*|cree|creez|calcule\w*|enumere\w*|liste|compare|recommande\w*|conseille\w*|suggere\w*|montre\w*|cherche|trouve\w*|verifie\w*|relis|analyse|propose\w*|prepare|planifie|organise|reserve|commande|envoie\w*"
        r"|ajoute|change|supprime|efface|ameliore|optimise|decris|definis|raconte\w*|imagine\w*|qu'est|que|quel|quelle|quels|quelles|quand|ou (?:est|se|puis|peut)|comment|qui|combien|pourquoi)\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:ca|cela|ceci|c'est|c'etait|ce (?:n'est|sont)|cette (?!(?:annee|semaine)\b)|ces|ici|la,|ainsi|merci|tres bien|d'accord|compris|ma question )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        r"\b(?:ton|ta|tes|votre|vos|mon|ma|mes|ce|cette|cet|ces) (?:(?:derniere?|premiere?|deuxieme|propre) )?(?:reponses?|options?|versions?|suggestions?|propositions?|questions?|code|script|fonction|texte|paragraphe|phrases?|fichier|tableau|redaction|dissertation|poeme|personnages?|heros|devoir|exercices?|traduction|message|prompt|resume|chapitre|brouillon)\b"
        r"|\b(?:un|une|le) (?:dissertation|devoir|expose|redaction|resume|commentaire) (?:sur|de \d)|\b(?:la|le|l')\s?(?:(?:derniere?|premiere?|deuxieme|seconde?|troisieme|precedente?) )?(?:reponse|option|version|suggestion|heros|paragraphe|code|exercice)\b",
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:tradui(?:s|sez|re|t)\b|corrige(?:z|r)?\b|resume(?:z|r)\b|resume(?= (?:le|la|ce|cet|cette|mon|ma|l'|en|moi|:))|reformule\w*|paraphras\w+|relis|(?:ameliore|analyse|complete|verifie)(?:z|r)? (?:le|la|ce|cette|cet|mon|ma) (?:texte|lettre|phrase|paragraphe|mail|cv|redaction|dissertation|code)"
        r"|(?:dans|pour|de) (?:le|la|l'|un|une|mon|ma) ?(?:conte|roman|poeme|nouvelle|scenario|redaction|dissertation|personnage|film|serie|histoire|texte|exercice|exemple|piece)|(?<!')(?<!\w )(?:ecris|ecrivez|redigez?|inventez?|imaginez?|racontez?)(?:[- ](?:moi|nous))? (?:un|une) (?:\w+ )?(?:conte|roman|poeme|nouvelle|scenario|histoire|dialogue|chanson)|fais comme si|jeu de role|joue le role|fais semblant|cette phrase|ces phrases|(?:phrase|texte|paragraphe) suivante?)",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        r"\b(?:je (?:crois|pense|suppose|doute|me demande|ne sais pas|sais pas|ne suis pas sure?)|on (?:dirait|ne sait pas)|peut-etre|sans doute|probablement|apparemment|il parait|parait-il|il se peut|il semble|soi-disant|imagin\w+|suppos\w+|admettons|mettons que|j'espere|nous esperons|j'hesite|hypothe\w+"
        r"|comme si|si (?:j'|je|nous|on|tu|vous)|serais|aurais|pourrais|ferais|irais|vivrais|travaillerais|j'ai reve|inventee?|fictive?|fictif|par exemple)\b|\A\W*(?:et )?(?:si|s'il|quand|lorsque|dans (?:mon|un|le) (?:reve|jeu|roman|conte)|exemple)\b",
        re.IGNORECASE,
    ),
    reported=re.compile(
        r"\b(?:dit|disent|disait|selon|d'apres|affirme(?:nt)?|pretend(?:ent)?|raconte(?:nt)? que|soutient|pense(?:nt)? que|croit que|croient que|m'a (?:dit|raconte|explique)|j'ai lu|ecrit que|explique que)\b|[«“\"][^»”\"]{12,}",
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:ne (?:marche|fonctionne|compile|demarre|charge|s'ouvre|se connecte|repond|trouve|s'installe|s'affiche|s'allume|comprends|passe)\w* (?:pas|plus)|erreurs?|bug|bugs|plante|exception|traceback|problemes?|soucis?|casse|en panne|en ce moment|un instant|chaos|horrible|lente?s?|ce (?:soir|matin|midi)|cet apres-midi|dans \w+ minutes|en train de|je (?:n'|ne )?(?:arrive|parviens) pas)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(r"\b(?:te|t['’]|toi|tu|(?<!-)vous|votre|vos|ton|ta|tes)\b", re.IGNORECASE),
    question=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:et|mais|alors|donc|du coup) )?(?:tu (?:peux|pourrais|me|connais|sais|as)|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous|est-ce|qu'est|que|quel|quelle|quels|quelles|quand|ou|comment|qui|combien|pourquoi|y a-t-il|il y a|as-tu|connais-tu)\b",
        re.IGNORECASE,
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:et |mais |donc )?|\s(?:et|mais|donc)\s)(?:(?:je|nous|on) (?:voudrais|voudrions|voudrait|cherche|cherchons)|j'aimerais|nous aimerions|on aimerait)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:et|mais|car|parce que|puisque) )?(?=\w)|\s(?:car|parce que|puisque|mais) |\sparce qu'(?=on)",
        re.IGNORECASE,
    ),
    detail=re.compile(
        r"(?:il|elle|ils|elles) (?:est|sont|s'appelle(?:nt)?|a \S+ ans|ont \S+ ans|vit|vivent|habite(?:nt)?|travaille(?:nt)?|etudie(?:nt)?|aime(?:nt)?|deteste(?:nt)?|joue(?:nt)?|ne mange(?:nt)?|vient) (?!(?:possible|vrai|important|facile|difficile|necessaire|clair)\b)\S",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{_DAY}", re.IGNORECASE),
)
