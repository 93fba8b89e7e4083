"""Words that point to the role of a section, in the languages papers are written in; stems, one role per line."""

from __future__ import annotations

from ibidem.features.headings.text import stem, words_of
from ibidem.features.token_class import index_words

_WORDS = {
    "abstract": "abstract abstracts zusammenfassung resume resumen riassunto sommario kurzfassung synopsis 摘要 "
    "аннотация",
    "keywords": "keyword keywords schlusselworter schlagworter palabras mots index phrases 关键词",
    "categories": "category categories descriptors classification",
    "general-terms": "terms",
    "introduction": "introduction introductory motivation motivations einleitung einfuhrung introduzione introduccion "
    "引言 введение overview problem",
    "background": "background backgrounds preliminary preliminaries definition definitions notation notations "
    "notions fundamentals basics basic hintergrund grundlagen concepts terminology",
    "related-work": "related previous prior existing literature state earlier verwandte stand antecedentes",
    "method": "method methods methodology methodologies approach approaches model models modeling modelling algorithm "
    "algorithms architecture framework system systems design implementation material materials procedure procedures "
    "technique techniques theory formulation proposed proposal methode methoden metodi metodologia methodes protocol "
    "overview structure solution analysis learning 方法 методы",
    "evaluation": "experiment experiments experimental experimentation evaluation evaluations evaluating result "
    "results performance empirical simulation simulations validation comparison measurements benchmark benchmarks "
    "ergebnisse resultats resultados risultati findings tests testing accuracy 结果 результаты case study studies user",
    "discussion": "discussion discussions limitations limitation implications diskussion discussione discusion open "
    "future further outlook directions lessons 讨论 обсуждение",
    "conclusions": "conclusion conclusions concluding summary remarks schluss fazit conclusioni conclusiones "
    "schlussfolgerungen closing final 结论 заключение",
    "acknowledgements": "acknowledgment acknowledgments acknowledgement acknowledgements thanks danksagung "
    "remerciements ringraziamenti agradecimientos 致谢",
    "declarations": "availability contributions contribution funding competing conflict conflicts interest interests "
    "ethics declaration declarations disclosure statement consent orcid",
    "references": "reference references bibliography literatur literaturverzeichnis bibliographie bibliografia cited "
    "referencias 参考文献 литература",
    "supplement": "appendix appendices appendixes supplement supplementary supplemental supporting anhang annex annexe",
}
ROLES = ("none", *_WORDS)
NUMBER = {role: number for number, role in enumerate(ROLES)}
COUNT = len(ROLES)
_PLAIN = frozenset("and of the a an in for to on with our its und der die das et des de e y & our work works".split())
# A heading with words of several roles: the first of these that is among them. What says most stands first.
_TELLING = (
    "references acknowledgements keywords categories general-terms abstract supplement declarations related-work "
    "conclusions introduction background discussion evaluation method"
).split()

BY_STEM = index_words({role: dict.fromkeys(map(stem, words.split())) for role, words in _WORDS.items()})


def roles_of(text: str) -> list[tuple[str, ...]]:
    """Return the roles that each word of a heading points to; function words are left out."""
    return [BY_STEM.get(stem(word), ()) for word in words_of(text) if word not in _PLAIN]


def role_of(text: str) -> str:
    """Return the role that the words of a heading point to most clearly, "none" where they point to none.

    >>> role_of("Experiments and results"), role_of("Bells of the marsh"), role_of("Conclusions and Future Work")
    ('evaluation', 'none', 'conclusions')
    """
    named = {role for roles in roles_of(text) for role in roles}
    return next((role for role in _TELLING if role in named), "none")


def attributes(text: str) -> list[str]:
    """Return attributes of the roles that the words of a heading point to, and whether all words point to one."""
    by_word = roles_of(text)
    named = dict.fromkeys(role for roles in by_word for role in roles)
    found = [f"role={role}" for role in named]
    found += [f"only={role}" for role in named if all(role in roles for roles in by_word)]
    found.append(f"roles={'+'.join(sorted(named))}")
    found.append(f"telling={role_of(text)}")
    if by_word:
        found += [f"first-role={role}" for role in by_word[0]]
        found += [f"last-role={role}" for role in by_word[-1]]
        found.append(f"silent={min(sum(not roles for roles in by_word), 3)}")
    return found
