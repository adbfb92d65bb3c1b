"""French forms of statements, for `memd.domain.extraction.romance_statements`. They read text without accents."""

import re
from typing import Final

from memd.domain.romance.forms import Forms
from memd.domain.romance.french_statements import DAY, LASTING
from memd.domain.text.alternatives import any_of, either

FRENCH: Final = Forms(
    lead=re.compile(
        r"\W*(?:(?:(?:bon )?tant pis|bonjour|bonsoir|salut|coucou|hello|hey|merci|merci beaucoup|ok|d'accord|oui|non|si|super|parfait"
        r"|tres bien|bon|rectification|correction|note|important|info)(?: \w+)? ?[,:;!.–—-]+\s+(?:et |mais )?|"
        r"(?:au fait|d'ailleurs|en fait|de toute facon|de toutes facons|en tout cas|pour info|a propos|soit dit en passant|par ailleurs|sinon|et|mais|aussi"
        r"|du coup|alors|ah|eh bien|bon|bref|car|sache que),?\s+"
        r"|(?:le|la|mon|ma) (?:medecin|docteur|doctoresse|dentiste|allergologue) (?:dit|m'a dit|a dit) qu(?:e |')(?=je (?:ne )?(?:suis|peux|dois)|j'ai|je n'ai))",
        re.IGNORECASE,
    ),
    explicit=re.compile(
        r"(?:s'il te plait,? )?(?:n'oublie(?:z)? (?:pas|jamais)|souviens-toi|souvenez-vous|rappelle-toi|retiens"
        r"|retenez|note(?:z)?(?: bien)?|garde(?:z)? (?:en tete|a l'esprit|en memoire))(?: bien)?(?: que | qu'| ?: "
        r"|, )(?P<rest>\S+ \S.*)",
        re.IGNORECASE,
    ),
    reminder=re.compile(
        r"\W*(?:s'il te plait,? )?(?:rappelle(?:z)?[- ](?:moi|nous)|(?:tu peux|peux-tu|pourrais-tu|pouvez-vous) "
        r"(?:me|nous) rappeler)\b(?=.{6})",
        re.IGNORECASE,
    ),
    rule=re.compile(
        r"ne \w+ \S.{0,60}? sans (?:me |m'|nous )(?:demander|prevenir|avertir|consulter)|"
        r"(?:demande|previens|prevenez|consulte)(?:z)?-(?:moi|nous) (?:toujours )?avant (?:de |d')\S|"
        r"arrete(?:z)? (?:de |d')(?:(?:t'|vous |te )?(?:excuser|repeter)|(?:me )?(?:utiliser|mettre|ecrire|ajouter|flatter)"
        r" (?!(?:ca|cela|ce|cette|le|la)\b)\S)|"
        r"(?:s'il te plait,? )?(?:(?:a partir de (?:maintenant|aujourd'hui)|desormais|dorenavant|a l'avenir),? "
        r"(?:s'il te plait,? )?(?:ne (?:me )?|n')?(?:repond|ecri|utilis|parl|appell|tutoi|vouvoi|evit|sois|soyez"
        r"|fais|faites|donn|met|commenc|termin|garde|pose|dis|propose)\w*|(?:repond|ecri|parl)\w*(?:-(?:moi"
        r"|nous))? (?:toujours|uniquement|seulement)\b|toujours (?:me )?(?:repondre|ecrire|utiliser)\b|(?:appelle"
        r"|appelez|tutoie|tutoyez|vouvoie|vouvoyez)[- ]moi\b|(?:n'utilise|ne (?:me )?\w+)(?:z|s)? jamais \S|"
        r"(?:chez nous,? )?(?:nous|on) (?:ne |n')?\w+(?:\s\w+){0,2}? (?:jamais|toujours) \S|il est "
        r"(?:strictement )?interdit \S|(?:la |notre )?regle(?: \S+){0,4}? (?:est|:))",
        re.IGNORECASE,
    ),
    lasting=LASTING,
    request=re.compile(
        r"\W*(?:s'il te plait,? |s'il vous plait,? )?"
        + any_of(
            r"""
            tu_(?:peux|pourrais|me|connais|sais|as) peux-tu pourrais-tu pouvez-vous pourriez-vous est-ce j'ai_besoin
            nous_avons_besoin on_a_besoin (?:je_voudrais|nous_voudrions|on_voudrait)
            je_veux_(?:que|un|une|le|la|les|des|du|savoir|voir|comprendre|faire|creer|ecrire) je_cherche
            nous_cherchons on_cherche j'aimerais nous_aimerions donne donnez dis dites ecris ecrivez redige\w* fais
            faites explique\w* resume\w* traduis\w* traduire corrige\w* aide\w* genere\w* cree creez calcule\w*
            enumere\w* liste compare recommande\w* conseille\w* suggere\w* montre\w* cherche trouve\w* verifie\w*
            relis analyse propose\w* prepare planifie organise reserve commande envoie\w* ajoute change supprime
            efface ameliore optimise decris definis raconte\w* imagine\w* qu'est que quel quelle quels quelles quand
            ou_(?:est|se|puis|peut) comment qui combien pourquoi
            """
        )
        + r"\b",
        re.IGNORECASE,
    ),
    asked_about=re.compile(
        r"\W*(?:ca|cela|ceci|c'est|c'etait|ce (?:n'est|sont)|cette (?!(?:annee|semaine)\b)|ces|ici|la,|ainsi|merci"
        r"|tres bien|d'accord|compris|ma question )",
        re.IGNORECASE,
    ),
    shown=re.compile(
        either(
            r"\b(?:ton|ta|tes|votre|vos|mon|ma|mes|ce|cette|cet|ces) (?:(?:derniere?|premiere?|deuxieme|propre) )?"
            + any_of(
                """
                reponses? options? versions? suggestions? propositions? questions? code script fonction texte paragraphe
                phrases? fichier tableau redaction dissertation poeme personnages? heros devoir exercices? traduction
                message prompt resume chapitre brouillon
                """
            )
            + r"\b",
            r"\b(?:un|une|le) (?:dissertation|devoir|expose|redaction|resume|commentaire) (?:sur|de \d)",
            r"\b(?:la|le|l')\s?(?:(?:derniere?|premiere?|deuxieme|seconde?|troisieme|precedente?) )?(?:reponse"
            r"|option|version|suggestion|heros|paragraphe|code|exercice)\b",
        ),
        re.IGNORECASE,
    ),
    material=re.compile(
        r"\b(?:tradui(?:s|sez|re|t)\b|corrige(?:z|r)?\b|resume(?:z|r)\b|resume(?= (?:le|la|ce|cet|cette|mon|ma|l'"
        r"|en|moi|:))|reformule\w*|paraphras\w+|relis|(?:ameliore|analyse|complete|verifie)(?:z|r)? (?:le|la|ce"
        r"|cette|cet|mon|ma) (?:texte|lettre|phrase|paragraphe|mail|cv|redaction|dissertation|code)|(?:dans|pour"
        r"|de) (?:le|la|l'|un|une|mon|ma) ?(?:conte|roman|poeme|nouvelle|scenario|redaction|dissertation|personnage"
        r"|film|serie|histoire|texte|exercice|exemple|piece)|(?<!')(?<!\w )(?:ecris|ecrivez|redigez?|inventez?"
        r"|imaginez?|racontez?)(?:[- ](?:moi|nous))? (?:un|une) (?:\w+ )?(?:conte|roman|poeme|nouvelle|scenario"
        r"|histoire|dialogue|chanson)|fais comme si|jeu de role|joue le role|fais semblant|cette phrase|ces phrases"
        r"|(?:phrase|texte|paragraphe) suivante?)",
        re.IGNORECASE,
    ),
    doubt=re.compile(
        either(
            r"\b"
            + any_of(
                r"""
                je_(?:crois|pense|suppose|doute|me_demande|ne_sais_pas|sais_pas|ne_suis_pas_sure?)
                on_(?:dirait|ne_sait_pas) peut-etre sans_doute probablement apparemment il_parait parait-il il_se_peut
                il_semble soi-disant imagin\w+ suppos\w+ admettons mettons_que j'espere nous_esperons j'hesite hypothe\w+
                comme_si si_(?:j'|je|nous|on|tu|vous) serais aurais pourrais ferais irais vivrais travaillerais j'ai_reve
                inventee? fictive? fictif par_exemple
                """
            )
            + r"\b",
            r"\A\W*(?:et )?(?:si|s'il|quand|lorsque|dans (?:mon|un|le) (?:reve|jeu|roman|conte)|exemple)\b",
        ),
        re.IGNORECASE,
    ),
    reported=re.compile(
        either(
            r"\b"
            + any_of(
                """
                dit disent disait selon d'apres affirme(?:nt)? pretend(?:ent)? raconte(?:nt)?_que soutient
                pense(?:nt)?_que croit_que croient_que m'a_(?:dit|raconte|explique) j'ai_lu ecrit_que explique_que
                """
            )
            + r"\b",
            r"[«“\"][^»”\"]{12,}",
        ),
        re.IGNORECASE,
    ),
    trouble=re.compile(
        r"\b(?:ne (?:marche|fonctionne|compile|demarre|charge|s'ouvre|se connecte|repond|trouve|s'installe"
        r"|s'affiche|s'allume|comprends|passe)\w* (?:pas|plus)|erreurs?|bug|bugs|plante|exception|traceback"
        r"|problemes?|soucis?|casse|en panne|en ce moment|un instant|chaos|horrible|lente?s?|ce (?:soir|matin|midi)"
        r"|cet apres-midi|dans \w+ minutes|en train de|je (?:n'|ne )?(?:arrive|parviens) pas)\b",
        re.IGNORECASE,
    ),
    listener=re.compile(r"\b(?:te|t['’]|toi|tu|(?<!-)vous|votre|vos|ton|ta|tes)\b", re.IGNORECASE),
    question=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:et|mais|alors|donc|du coup) )?"
        + any_of(
            """
            tu_(?:peux|pourrais|me|connais|sais|as) peux-tu pourrais-tu pouvez-vous pourriez-vous est-ce qu'est que
            quel quelle quels quelles quand ou comment qui combien pourquoi y_a-t-il il_y_a as-tu connais-tu
            """
        )
        + r"\b",
        re.IGNORECASE,
    ),
    wish=re.compile(
        r"(?:[,;]\s+(?:et |mais |donc )?|\s(?:et|mais|donc)\s)(?:(?:je|nous|on) (?:voudrais|voudrions|voudrait"
        r"|cherche|cherchons)|j'aimerais|nous aimerions|on aimerait)\b",
        re.IGNORECASE,
    ),
    clause=re.compile(
        r"(?:[,;:.]|\s[–—-])\s+(?:(?:et|mais|car|parce que|puisque) )?(?=\w)|\s(?:car|parce que|puisque|mais) |\sparce qu'(?=on)",
        re.IGNORECASE,
    ),
    detail=re.compile(
        r"(?:il|elle|ils|elles) "
        + any_of(
            r"""
            est sont s'appelle(?:nt)? a_\S+_ans ont_\S+_ans vit vivent habite(?:nt)? travaille(?:nt)? etudie(?:nt)?
            aime(?:nt)? deteste(?:nt)? joue(?:nt)? ne_mange(?:nt)? vient
            """
        )
        + r" (?!(?:possible|vrai|important|facile|difficile|necessaire|clair)\b)\S",
        re.IGNORECASE,
    ),
    value=re.compile(rf"\d|{DAY}", re.IGNORECASE),
)
