"""Words that announce a field, in the languages references are written in; folded, one class per line.

The classes are few and closed; open classes (names, journals, places) are lexicons.
"""

from __future__ import annotations

_CLASSES = {
    "in": "in en dans nel nella nello im i v u 见 载",
    "page": "p pp pg pgs page pages s ss seite seiten pag pagg pagine pagina paginas str с c стр",
    "volume": "vol vols volume volumes bd band bde jg jahrgang t tome tom tomo tomes v volumen volym т том 卷",
    "issue": "no nr num number numero nos issue iss heft h n fasc fascicule fascicolo part pt № вып 期",
    "editor": "ed eds editor editors edited hrsg hg herausgeber herausgegeben dir cura redaktion red ред sous compiler "
    "coord éds org orgs",
    "translator": "trans transl translated translator trad traduction traduit ubers ubersetzt traduzione пер",
    "edition": "edn edition editions aufl auflage ausgabe edizione edicion изд rev revised reprint repr reprinted",
    "chapter": "chap chapter kap kapitel cap capitolo capitulo ch chapitre гл",
    "thesis": "thesis phd ph.d dissertation diss diplomarbeit masterarbeit habilitation these tesi tesis diploma msc "
    "m.sc doctoral master bachelor doctorat dottorato inaugural диссертация habil",
    "report": "report rep reports tech technical working paper preprint memo memorandum bericht rapport discussion "
    "manuscript rapporto informe white arbeitspapier",
    "status": "press appear submitted preparation published unpublished forthcoming accepted prep personal "
    "communication druck erscheinen manuscript advance epub",
    "month": "jan feb mar apr may jun jul aug sep sept oct nov dec january february march april june july august "
    "september october november december januar februar marz mai juni juli oktober dezember janvier fevrier mars "
    "avril juin juillet aout septembre octobre novembre decembre gennaio febbraio marzo aprile maggio giugno luglio "
    "agosto settembre ottobre novembre dicembre enero febrero abril mayo junio julio septiembre octubre noviembre "
    "diciembre spring summer autumn fall winter",
    "accessed": "accessed retrieved available from online internet viewed visited abgerufen zugriff consulte cited "
    "consultato consultado disponible verfugbar stand last access url http www accessible disponibile",
    "university": "university universitat universite universita universidad univ institute institut school college "
    "department dept dep faculty laboratory lab academy hochschule center centre inst ecole fakultat facolta",
    "publisher": "press verlag publishers publishing publisher books editions editore edizioni editorial academic sons "
    "publications ltd inc co gmbh kluwer springer wiley elsevier издательство изд",
    "conference": "proceedings proc conference conf symposium symp workshop congress meeting annual international "
    "tagung atti convegno actes colloque congreso kongress transactions lecture notes",
    "journal": "journal j zeitschrift zeitschr revue rivista revista annals annales review rev bulletin bull letters "
    "lett archives arch acta archiv magazine quarterly trans jahrbuch",
    "and": "and und et e y & i og och en",
    "etal": "al alii colleagues others u.a",
    "suffix": "jr sr ii iii iv jnr",
    "particle": "van von der den de del della di da du la le el al bin ibn ten ter zu zur dos das af av st",
    "collaboration": "collaboration consortium group committee team network society association organization "
    "initiative organisation council ministry bureau agency commission federation study investigators",
    "arxiv": "arxiv eprint hep math cond astro quant corr biorxiv medrxiv ssrn",
    "identifier": "doi pmid pmcid isbn issn pubmed medline issn pii crossref lccn oclc",
    "function": "the of a an for on with from by to at as der die das des ein eine zur zum fur mit uber le les des un "
    "une sur pour par aux il lo gli per con los las para sobre sul sulla dei delle и на о по",
}

CLASSES = tuple(_CLASSES)


def _by_word() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, words in _CLASSES.items():
        for word in words.split():
            found[word] = (*found.get(word, ()), name)
    return found


BY_WORD = _by_word()
