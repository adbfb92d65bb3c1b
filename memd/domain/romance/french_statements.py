"""What French sentences state of their author, of people and of things: the forms and their words.

They read text without accents (`text.plain`), from its beginning, for `memd.domain.romance.french`.
"""

import re
from typing import Final

from memd.domain.romance.forms import Statement
from memd.domain.romance.french_facts import FRENCH_WORDS
from memd.domain.text.alternatives import any_of, either
from memd.domain.types import Category

_MONTH: Final = any_of(FRENCH_WORDS.months)
_WEEKDAY: Final = any_of(FRENCH_WORDS.weekdays)
DAY: Final = any_of(
    rf"""
    \b(?:\d{{1,2}}|1er)_{_MONTH}\b \ben_(?:{_MONTH}|(?:19|20)\d\d)\b \b{_WEEKDAY}s?\b \bdemain\b
    \bprochaine?s?\b \bhier\b \bdernier\b \bderniere\b \b\d{{1,2}}/\d{{1,2}}\b \ba_\d{{1,2}}_?h
    """
)
_COUNT: Final = r"(?:un|une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|plusieurs|\d+)"
_PEOPLE: Final = any_of(
    r"""
    mere peres? parents maman papa (?:arriere-)?(?:grand-?meres?|grands?-?peres?|grands-parents) freres?
    s(?:oe|œ)urs? fils filles? enfants? bebe femme mari epou(?:x|se) copain copine compagn(?:on|e) conjointe?
    fiancee? cousine?s? oncle tante niece neveux? beau-\w+ belle-\w+ petit[es]*-(?:fils|filles?|enfants)
    amie?s? chef cheffe patronn?e? manager collegues? voisine?s? medecin docteur dentiste pediatre psy kine
    avocate? proprietaire proprio prof professeure? comptable coach tuteur tutrice mentor associee?s? parrain
    marraine filleule? jumea?u?x jumelles chiens? chiennes? chats? chattes? famille ex
    """
)
_MATTER: Final = any_of(
    """
    questions? problemes? soucis? erreurs? doutes? idees? bug bugs textes? fichiers? tableaux? listes?
    scripts? code codes fonctions? exercices? devoirs? exposes? dissertation redaction poeme histoire
    personnages? heros phrases? paragraphes? mails? messages? prompt resume brouillon titre options?
    suggestions? propositions? reponses? solution variables? colonnes? lignes? donnees images? pdf json csv
    moment minutes? instant peu truc choses? envie besoin impression avis but ordinateur ordi ecran programme
    appli application terminal navigateur cas tete point
    """
)
_POSSESSED: Final = any_of(
    r"""
    animal animaux lapins? oiseaux? poissons tortues? chev(?:al|aux) poules vaches moutons ruches voitures?
    motos? velos? camion camionnette bateau maisons? appartements? terrain potager jardin magasins? boutiques?
    entreprise societe restaurants? bar blog chaine podcast salaries employe\w* clients eleves patients
    developpeu\w+ ingenieurs? personnes bureaux? diplome master doctorat licence bourse credit pret assurance
    pacemaker piano guitare equipe ans
    """
)
_VERB: Final = any_of(
    """
    est sont s'appelle(?:nt)? vit vivent habite(?:nt)? travaille(?:nt)? etudie(?:nt)? a ont compte fete
    aime(?:nt)? adore(?:nt)? deteste(?:nt)? prefere(?:nt)? mange(?:nt)? boit joue(?:nt)? parle(?:nt)?
    coute(?:nt)? commence(?:nt)? finit se_termine expire part partent arrive ouvre ferme va vont vient_de
    viennent_de enseigne dirige peut peuvent souffre prend prennent utilise(?:nt)? fait supporte
    se_marie(?:nt)? demenage(?:nt)? tombe dure s'eleve conduit porte garde
    passe(?:nt)?_(?:le|la|son|sa|ses|un|une|leur) mesure pese
    """
)
_PROFESSION: Final = (
    r"(?!(?:souvent|\w+ment|(?:me)?contente?|tristes?|confiante?|hesitante?|mefiante?|consciente?|patiente?"
    r"|prudente?|presente?|absente?|differente?|partante?|certaine?|premiere?|dernier|derniere|heureuse|vraie"
    r"|loin|bien|rien|seul|partout|entiere|familiere|fiere|legere|autre|contraire|mienne|tienne|necessaire|pret"
    r"|prete|peut|impatiente?|mauvaise?)\b)\w{2,}"
    + any_of(
        """
        eur eure euse rice ier iere ien ienne iste logue iatre ectes? tecte ant ante ent ente aire cat graphe ois
        oise ais aise ain aine and ande gnol gnole omain onome
        """
    )
    + r"\b"
)
_SUIS: Final = (
    r"(?:(?-i:[A-Z])\w+|(?:un|une|le|la|de|du|d') ?(?!(?:peu|seule?|retour|accord|avis|bonne humeur|mauvaise|ceux"
    r"|nouveau|debutante?|celui|celle|cote|plus)\b)\w|(?:allergique|intolerante?|coeliaque|cœliaque|diabetique"
    r"|asthmatique|vegane?|vegetarien|gaucher|gauchere|daltonien|celibataire|mariee?|divorcee?|veuf|veuve"
    r"|retraitee?|pacsee?|fiancee?|separee?|enceinte|independante?|freelance|medecin|avocate?|prof\b|etudiante?"
    r"|pere|mere|maman|papa|chef|cheffe|sourde?|aveugle|juive?|musulmane?|catholique|athee|au chomage|a la retraite"
    r"|en (?:conge|alternance|stage|licence|master|terminale|seconde|premiere annee|arret)|nee? (?:a|au|en|le)"
    rf"|originaire|fan de|passionnee?)\w*|{_PROFESSION})"
)
_HERE: Final = (
    r"(?:la|le|l')\s?"
    + any_of(
        """
        premier deuxieme second troisieme dernier autre option idee reponse proposition version suggestion
        precedent
        """
    )
    + r"\w*"
)
_LIKED: Final = (
    r"(?!(?:bien |mieux |beaucoup )?(?:t[ao]n?|tes|votre|vos|cette|ce|cet|ces|ca|cela|quand tu|comme ca|savoir"
    rf"|que ce(?:la)? soit|l[ae] (?-i:[A-Z]\b)|{_HERE})\b|(?:bien|beaucoup|mieux)\W*\Z)\S"
)
_I: Final = r"(?:je |j'|nous |on )"
_EATS: Final = any_of(
    r"""
    mang\w+ boi[st] buvons fum\w+ support\w+ toler\w+ condui\w+ consomm\w+ travaill\w+ vi[st] vivons habit\w+
    prend\w* prenons utilis\w+ port\w+ voyag\w+
    """
)


def _owned(noun: str) -> str:
    """What is said of something of the author's that `noun` matches."""
    return (
        rf"(?:mon|ma|mes|notre|nos) (?!{_MATTER}\b){noun}(?: (?!qui\b|que\b)[\w.'-]+){{0,5}}? "
        rf"(?:(?:ne |n')?)?{_VERB} (?!(?:ainsi|ca|bien|mal|facile|simple|(?-i:claire?))\b)\S"
    )


def _form(pattern: str, category: Category) -> Statement:
    return Statement(
        re.compile(
            r"(?:(?:maintenant|actuellement|aujourd'hui|desormais|avant|moi|(?:en tant que|depuis) (?:[\w'-]+ ){0,2}?[\w'-]+),? )?"
            rf"(?:{pattern})",
            re.IGNORECASE,
        ),
        category,
    )


_APPOINTMENT: Final = any_of(
    """
    rendez-vous rdv reunion vol train examen entretien mariage cours concert visite operation diner partiel
    controle audience bapteme demenagement match soutenance
    """
)
LASTING: Final = (
    _form(
        r"(?:nous avons|j'ai|on a|l'equipe a|le client a|la cliente a) (?:\w+ ){0,2}?(?:decide|convenu|choisi"
        r"|retenu|tranche)\b \S+ \S",
        Category.DECISION,
    ),
    _form(r"(?:j'ai|nous avons|on a) (?:appris|compris) (?:que|qu'|a) ?\S+ \S|lecon(?: retenue)? ?:", Category.LESSON),
    _form(
        either(
            rf"(?:j'ai|nous avons|on a) (?:\w+ ){{0,3}}?{_APPOINTMENT}\b(?=.{{0,160}}{DAY})",
            rf"(?:le|la|l'|mon|ma|notre) ?{_APPOINTMENT}\b.{{0,60}}? (?:est|sera|a lieu|aura lieu|tombe|a ete)\b"
            rf"(?=.{{0,120}}{DAY})",
        ),
        Category.EVENT,
    ),
    _form(_owned(rf"(?:nouve\w+ )?{_PEOPLE}"), Category.PERSON),
    _form(
        either(
            r"(?:mon|notre) (?:objectif|but|reve)(?: \S+){0,4}? est \S",
            any_of(
                """
                je_veux nous_voulons on_veut je_compte je_prevois_de je_vais nous_allons on_va je_dois nous_devons on_doit
                """
            )
            + rf"\b(?! (?:que|savoir|un|une)\b)(?=.{{0,160}}{DAY}).{{8}}",
        ),
        Category.GOAL,
    ),
    _form(r"(?:mon|ma|notre) (?:[\w-]+ ){1,4}?est [\w.+-]{1,64}@\w", Category.FACT),
    _form(_owned(r"(?:[\w-]{2,})"), Category.FACT),
    _form(
        r"(?:mon|ma|mes|notre|nos) (?:[\w-]+ ){1,3}?(?:tourne|repose|fonctionne)(?:nt)? (?:sur|avec) (?-i:[A-Z])\w",
        Category.FACT,
    ),
    _form(
        either(
            r"(?:je suis|nous sommes|on est) (?:de retour|revenue?s?) (?:a|chez|au|en) (?-i:[A-Z])\w",
            r"finalement,? (?:je|nous|on) (?:ne |n')(?!(?:comprend|sai|savon|voi|voy|trouv|march|fonctionn)\w*)\w+ (?:pas|plus) (?!(?:ca|cela)\b)\S+ ?\S",
        ),
        Category.FACT,
    ),
    _form(
        r"(?:je|on|nous) prepar(?:e|ons) (?:le |la |l'|un |une |mon |ma )"
        + any_of("marathon semi-marathon triathlon concours bac examen diplome these agregation permis"),
        Category.FACT,
    ),
    _form(r"(?:je m'appelle|mon nom est|moi,? c'est|on m'appelle) \S", Category.FACT),
    _form(
        rf"(?:je (?:ne )?suis|nous sommes|on est)(?: pas| plus)?(?: \w+ment| aussi| devenue?| toujours)? {_SUIS}|j'ai \d+ ans\b|je (?:mesure|pese|chausse du) \d",
        Category.FACT,
    ),
    _form(
        rf"{_I}(?:n'|ne )?(?:habit(?:e|ons|ais)|vi[st]|vivons|vivais|resid\w+|demenag\w+|lou(?:e|ons)|(?:ai|avons"
        r"|a) (?:grandi|demenage|vecu|emmenage))(?! dans (?:l'(?:attente|espoir)|une? (?:societe|epoque|bulle|monde"
        r"|ere))\b)(?: [\w-]+){0,3}? (?:a|au|aux|en|chez|avec|seule?|depuis|de|du|sur|rue|dans)\b.?\S",
        Category.FACT,
    ),
    _form(
        either(
            rf"{_I}(?:n'|ne )?(?:(?:travaill(?:e|ons|ais)|boss(?:e|ons|ais))(?! (?:actuellement )?sur (?:un|une|ce"
            r"|cette|mon|ma)\b)|etudi(?:e|ons)|enseign(?:e|ons)|dirig(?:e|eons)|ger(?:e|ons)|tien[st]|(?:ai|avons"
            r"|a) (?:commence|change de|quitte|arrete|rejoint|demissionne)|fais (?:des etudes|un master|une these"
            r"|une licence|un stage|partie)|(?:ai|avons|a) (?:ouvert|cree|fonde|lance) (?:une?|mon|ma|notre) (?:\w+ )?(?:boulangerie|boutique"
            r"|magasin|restaurant|cabinet|atelier|entreprise|societe|boite|salon|cafe|bar|association|start-?up)|prends ma retraite) (?:\S+ )?\S",
            r"je viens (?:de (?:commencer|changer|demenager|me marier|rejoindre|prendre|acheter|quitter"
            r"|divorcer) \S+|d'(?:acheter|emmenager|adopter|avoir) \S+|(?:de|du|d') ?(?-i:[A-Z])\w+)",
            r"(?:je me suis|nous nous sommes|on s'est) (?:\w+ )?(?:marie|installe|inscrit|separe|pacse|fiance"
            r"|rencontre|reconverti)\w*",
        ),
        Category.FACT,
    ),
    _form(
        either(
            r"(?:j'ai|je souffre|nous avons)(?: \w+){0,2}?(?: (?:d'|de l'|l'|la |le |une |un |du |de |des )?)"
            + any_of(
                """
                allergie intolerance diabete asthme migraine hypertension maladie_c(?:oe|œ)liaque epilepsie arthrose
                endometriose tdah cholesterol vertige phobie anemie insomnie
                """
            )
            + r"s?\b",
            rf"{_I}(?:ne |n')?(?:peu[xt] (?:pas|plus) (?:manger|boire|porter|conduire|prendre|supporter)|{_EATS} "
            r"(?:\w+ )?(?:pas|plus|jamais|ni|que)\b|(?:ai|a|avons) (?:pas|plus) (?:d'enfants?|de voiture|le permis"
            r"|de permis|d'animaux|de television)\b)",
        ),
        Category.FACT,
    ),
    _form(
        rf"(?:{_I}(?:n'|ne )?(?:prefer(?:e|ons)|aim(?:e|ons)|ador(?:e|ons)|detest(?:e|ons)|hais|supporte)(?: pas"
        rf"| plus| vraiment| surtout| beaucoup| bien)*|je prefererais) {_LIKED}",
        Category.FACT,
    ),
    _form(
        rf"(?:j'ai|nous avons|on a) (?:aussi |deja |en tout )?{_COUNT} (?:[\w-]+ )?(?:{_PEOPLE}|{_POSSESSED})\b|"
        r"(?:mon|ma|mes) [\w-]+ (?:preferee?|favorite?) est \S",
        Category.FACT,
    ),
    _form(
        either(
            rf"{_I}(?:utilis(?:e|ons)(?! (?:toujours|souvent))|programm(?:e|ons)|deploi(?:e)|deployons|code en) (?!"
            r"(?:ce|cette|ces|cet|ton|ta|la fonction|le code|une boucle)\b)\S",
            _I
            + any_of(
                r"""
                parl(?:e|ons)_(?!(?:de|d'|du|a)\b) jou(?:e|ons)_(?:du|de_la|au|aux|a_la|de_l') pratiqu(?:e|ons) condui[st]
                chant(?:e|ons) peins apprend?s cours collectionn(?:e|ons) fai[ts]_(?:du|de_la|de_l')
                """
            )
            + r" ?\S",
        ),
        Category.FACT,
    ),
    _form(
        either(
            rf"(?:le {_WEEKDAY}(?: (?:et|ou) le {_WEEKDAY})?|tous les \w+|toutes les \w+|chaque \w+|en semaine"
            rf"|d'habitude|generalement|le (?:matin|soir|week-end|midi))(?: (?:matin|soir|midi))?,? {_I}\S+",
            _I
            + any_of(
                """
                vais va allons cours joue nage fais sors lis medite me_leve me_couche prends mange mangeons dine
                """
            )
            + rf" (?=.{{0,120}}\b(?:le {_WEEKDAY}|tous les|toutes les|chaque|le matin|le soir|en semaine|par (?:jour"
            r"|semaine|mois))\b)\S",
        ),
        Category.FACT,
    ),
    _form(
        either(
            r"(?:j'ai|nous avons|on a) (?:\w+ )?"
            + any_of(
                """
                achete vendu adopte loue reserve signe herite fonde
                cree_(?:une|ma|mon|notre)_(?:entreprise|societe|boite|association) embauche recrute obtenu reussi rate
                renove publie epouse annule perdu_(?:mon|ma|mes)
                """
            )
            + r"\w* (?!(?:le|un) (?:code|bug|script)\b)\S",
            rf"(?:je suis|nous sommes|on est) (?:partie?s?|allee?s?|arrivee?s?|rentree?s?)\b(?=.{{0,120}}{DAY}) \S",
        ),
        Category.EVENT,
    ),
    _form(
        r"(?-i:[A-Z])[\w-]+(?: (?-i:[A-Z])[\w-]+)? (?:est|sera|etait) (?:mon|ma|notre) (?!(?:probleme|question"
        r"|objectif|erreur)\b)\S",
        Category.PERSON,
    ),
)
