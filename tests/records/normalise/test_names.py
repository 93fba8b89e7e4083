"""Tables of names: what is written and the parts it has."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ibidem.records.normalise import name_lists
from ibidem.records.normalise.given_names import given_of
from ibidem.records.normalise.name_lists import split_names
from ibidem.records.normalise.names import family_of, name_of, name_of_parts
from ibidem.records.record import Name

ONE = {
    # orders
    "Jane Doe": Name("Doe", "Jane"),
    "Doe, Jane": Name("Doe", "Jane"),
    "J. A. Doe": Name("Doe", "J. A."),
    "J.A. Doe": Name("Doe", "J. A."),
    "J.Doe": Name("Doe", "J."),
    "Doe JA": Name("Doe", "J. A."),
    "Doe J-P": Name("Doe", "J.-P."),
    "DOE JA": Name("DOE", "J. A."),
    "DOE, J": Name("DOE", "J."),
    "Jane A. Doe": Name("Doe", "Jane A."),
    "Doe": Name("Doe"),
    "Yu. A. Petrov": Name("Petrov", "Yu. A."),
    # particles
    "Ludwig van der Rohe": Name("Rohe", "Ludwig", "van der"),
    "van der Rohe, L.": Name("Rohe", "L.", "van der"),
    "van der Rohe L": Name("Rohe", "L.", "van der"),
    "Rohe, Ludwig van der": Name("Rohe", "Ludwig", "van der"),
    "Rohe L van der": Name("Rohe", "L.", "van der"),
    "Juana de la Cruz": Name("Cruz", "Juana", "de la"),
    "A. von Hohenfels": Name("Hohenfels", "A.", "von"),
    "von Hohenfels": Name("Hohenfels", "", "von"),
    "Faisal bin Rashid": Name("Rashid", "Faisal", "bin"),
    "Rivka ben Arieh": Name("Arieh", "Rivka", "ben"),
    "Carl De Groot": Name("De Groot", "Carl"),
    "Nadia al-Rashid": Name("al-Rashid", "Nadia"),
    "Nadia Al Rashid": Name("Al Rashid", "Nadia"),
    "Marie d'Orsel": Name("d'Orsel", "Marie"),
    "Seán O'Hara": Name("O'Hara", "Seán"),
    "Rohe, A. van.": Name("Rohe", "A.", "van"),
    "Roe F de A": Name("Roe", "F. de A."),
    "A. R. de C. Roe": Name("Roe", "A. R. de C."),
    # suffixes
    "L. DOE, JR.": Name("DOE", "L.", "", "JR."),
    "Doe, J. A., Jr.": Name("Doe", "J. A.", "", "Jr."),
    "Doe, Jr., J. A.": Name("Doe", "J. A.", "", "Jr."),
    "John Doe III": Name("Doe", "John", "", "III"),
    "Doe JA Jr": Name("Doe", "J. A.", "", "Jr"),
    "Doe JA 3rd": Name("Doe", "J. A.", "", "3rd"),
    "Roe SR": Name("Roe", "S. R."),
    "Roe, JR": Name("Roe", "J. R."),
    "Roe IV": Name("Roe", "I. V."),
    # initials
    "Duchat GSMJE": Name("Duchat", "G. S. M. J. E."),
    "SMARL, Jane": Name("SMARL", "Jane"),
    "Doe MJTh": Name("Doe", "M. J. Th."),
    "Doe C a": Name("Doe", "C. a"),
    "ON Doe": Name("Doe", "O. N."),
    # double family names
    "J. A. Ruano Cern": Name("Ruano Cern", "J. A."),
    "J. Robert Doe": Name("Doe", "J. Robert"),
    "Ana García Ruano": Name("García Ruano", "Ana"),
    "García Ruano, A.": Name("García Ruano", "A."),
    "José Ortega y Gasset": Name("Ortega y Gasset", "José"),
    "Mary Ann Doe": Name("Doe", "Mary Ann"),
    "Lee-Roe, K.": Name("Lee-Roe", "K."),
    # the family name first, and in capitals
    "SMARL Heinz": Name("SMARL", "Heinz"),
    "Heinz SMARL": Name("SMARL", "Heinz"),
    "Pellworth Susan L.": Name("Pellworth", "Susan L."),
    # East Asian order and script
    "Zhang Xiaoming": Name("Zhang", "Xiaoming"),
    "Xiaoming Zhang": Name("Zhang", "Xiaoming"),
    "Zhang X": Name("Zhang", "X."),
    "王小明": Name("王", "小明"),
    "欧阳小明": Name("欧阳", "小明"),
    "김민수": Name("김", "민수"),
    "山田 太郎": Name("山田", "太郎"),
    # Cyrillic
    "Иванов И. П.": Name("Иванов", "И. П."),
    "И. П. Иванов": Name("Иванов", "И. П."),
    "Иванов, Иван": Name("Иванов", "Иван"),
    "Петров Иван Петрович": Name("Петров", "Иван Петрович"),
    "Иван Петрович Петров": Name("Петров", "Иван Петрович"),
    # groups
    "Travis C. Service": Name("Service", "Travis C."),
    "World Health Organization": Name(literal="World Health Organization"),
    "The Reed Collaboration": Name(literal="The Reed Collaboration"),
    "Bureau of Mines": Name(literal="Bureau of Mines"),
    "UNESCO": Name(literal="UNESCO"),
    # noise of pages
    "Mont- roll, E. W.": Name("Montroll", "E. W."),
    "Roe- Kress , G .": Name("Roe-Kress", "G."),
    "Calder´on, A.": Name("Calderón", "A."),
    "S. Dro · zd·z": Name("Drożdż", "S."),
    "C¸ . Roe": Name("Roe", "Ç."),
    "12. Doe, J.": Name("Doe", "J."),
}


@pytest.mark.parametrize("text", ONE)
def test_a_name_has_these_parts(text):
    assert name_of(text) == ONE[text]


LISTS = {
    "Doe, A. … Z. Roe": ["Doe A.", "Roe Z."],
    "Doe, A., Poe, B., ... & Roe, Z.": ["Doe A.", "Poe B.", "Roe Z."],
    "Doe, A.; Poe, B.; and Roe, C.": ["Doe A.", "Poe B.", "Roe C."],
    "DOE, POE, ROE": ["DOE", "POE", "ROE"],
    "Quarl, J. Robert, Anne B. Roe, and Carl Poe": ["Quarl J. Robert", "Roe Anne B.", "Poe Carl"],
    "DEN HARP, Govert": ["DEN HARP Govert"],
    "Doe II, R.A., Roe, B.": ["Doe R. A. II", "Roe B."],
    "DOE M., and L. ROE, JR.": ["DOE M.", "ROE L. JR."],
    "Quarl Stuart, Vorn Paul, Zeld Sean": ["Quarl Stuart", "Vorn Paul", "Zeld Sean"],
    "Liu Yafang, Chang Kai, Fu Kexin": ["Liu Yafang", "Chang Kai", "Fu Kexin"],
    "Santos, Maria Sampaio dos, Roe, Anna De Campos": ["dos Santos Maria Sampaio", "Roe Anna De Campos"],
    "Doe J, Roe AB": ["Doe J.", "Roe A. B."],
    "Doe, J., Roe, A. B.": ["Doe J.", "Roe A. B."],
    "Doe, J., & Roe, A. B.": ["Doe J.", "Roe A. B."],
    "J. Doe, A. B. Roe and C. Poe": ["Doe J.", "Roe A. B.", "Poe C."],
    "Doe, J., A. B. Roe, and C. Poe": ["Doe J.", "Roe A. B.", "Poe C."],
    "Doe, Jane; Roe, Anne B.": ["Doe Jane", "Roe Anne B."],
    "Doe, Jane, and Anne Roe": ["Doe Jane", "Roe Anne"],
    "Jane Doe, Anne Roe": ["Doe Jane", "Roe Anne"],
    "Doe, Jane, Roe, Anne": ["Doe Jane", "Roe Anne"],
    "DOE, J., ROE, A. B., AND LEE, C.": ["DOE J.", "ROE A. B.", "LEE C."],
    "van der Rohe L, de la Cruz J": ["van der Rohe L.", "de la Cruz J."],
    "Doe, J., Jr., Roe, A.": ["Doe J. Jr.", "Roe A."],
    "Doe L. H. Roe M. F., Poe K.": ["Doe L. H.", "Roe M. F.", "Poe K."],
    "García Ruano, A., Pérez, B.": ["García Ruano A.", "Pérez B."],
    "Иванов И. П., Петров А. Б.": ["Иванов И. П.", "Петров А. Б."],
    "World Health Organization": ["World Health Organization"],
    "Müller K und Schmidt P": ["Müller K.", "Schmidt P."],
    "": [],
    "123": [],
}


def written(name: Name) -> str:
    """A name in one line."""
    return " ".join(part for part in (name.particle, name.family, name.given, name.suffix, name.literal) if part)


@pytest.mark.parametrize("text", LISTS)
def test_a_list_has_these_names(text):
    assert [written(name) for _, _, name in split_names(text)[0]] == LISTS[text]


ELSEWHERE = {  # (family, given) of lists in other scripts, orders and languages
    "Moe, Ann/Roe, Bo": "Moe, Ann; Roe, Bo",
    "松本健一・山田太郎編": "松本, 健一; 山田, 太郎",
    "王明、李红，等": "王, 明; 李, 红",
    "김철수·이영희": "김, 철수; 이, 영희",
    "김철수, 이영희, 박민수": "김, 철수; 이, 영희; 박, 민수",
    "محمد علي، أحمد حسن": "علي, محمد; حسن, أحمد",
    "علی رضایی و حسن کریمی": "رضایی, علی; کریمی, حسن",
    "דוד כהן, רות לוי": "כהן, דוד; לוי, רות",
    "Nguyễn Văn An, Trần Thị Bình": "Nguyễn, Văn An; Trần, Thị Bình",
    "Yılmaz, Ahmet ve Kaya, Mehmet": "Yılmaz, Ahmet; Kaya, Mehmet",
    "NOVÁK, Jan a Petr SVOBODA": "NOVÁK, Jan; SVOBODA, Petr",
    "LE GOFF Jean-Luc": "LE GOFF, Jean-Luc",
    "SILVA, António (Orgs.)": "SILVA, António",
    "Hrsg. von Karl Moor und Anna Ried": "Moor, Karl; Ried, Anna",
    "translated by Jane Doe and Ann Roe": "Doe, Jane; Roe, Ann",
    "Doe, J., Senior, A. W.": "Doe, J.; Senior, A. W.",
    "Doe EA, Roe UA": "Doe, E. A.; Roe, U. A.",
}


@pytest.mark.parametrize("text", ELSEWHERE)
def test_lists_of_other_scripts_and_languages_are_divided(text):
    found = [f"{name.family}, {name.given}" for _, _, name in split_names(text)[0]]
    assert "; ".join(found) == ELSEWHERE[text]


@pytest.mark.parametrize(
    "group",
    ["Food and Agriculture Organization of the United Nations", "Statistisches Bundesamt (Hrsg.)", "IBM Corp"],
)
def test_groups_stay_whole(group):
    assert [name.literal for _, _, name in split_names(group)[0]] == [group.removesuffix(" (Hrsg.)")]


MORE = "et al.; et al; and others; u. a.; и др.; e.a.; a kol.; och andra; ja muut; и соавт.; ואחרים; و همکاران".split(
    "; "
)


@pytest.mark.parametrize("more", MORE)
def test_the_words_that_say_that_a_list_goes_on_are_found(more):
    names, place = split_names(f"Doe J, Roe A, {more}")
    assert [name.family for _, _, name in names] == ["Doe", "Roe"]
    assert f"Doe J, Roe A, {more}"[slice(*place)] == more


def test_names_without_commas_are_divided_by_given_names_that_are_known(monkeypatch):
    monkeypatch.setattr(name_lists, "is_given_name", {"Jane", "Anne"}.__contains__)
    assert [name.family for _, _, name in split_names("Jane Doe Anne Roe and Carl Poe")[0]] == ["Doe", "Roe", "Poe"]


@given(st.text(max_size=120))
def test_any_text_is_divided_into_names_in_order_that_do_not_overlap(text):
    place = 0
    for start, end, name in split_names(text)[0]:
        assert place <= start < end <= len(text)
        assert written(name)
        place = end


@given(st.text(max_size=60))
def test_any_text_is_a_name_that_has_some_part_where_it_has_a_letter(text):
    assert written(name_of(text)) or not any(character.isalpha() for character in text)


PARTS = {
    ("Doe", "JA", ""): Name("Doe", "J. A."),
    ("van Doe", "J. A.", ""): Name("Doe", "J. A.", "van"),
    ("DOE", "JANE", ""): Name("DOE", "JANE"),
    ("Doe,", "Jane,", "Jr."): Name("Doe", "Jane", "", "Jr."),
    ("Doe.", "", ""): Name("Doe"),
}


@pytest.mark.parametrize("parts", PARTS)
def test_parts_that_were_found_make_a_name(parts):
    assert name_of_parts(*parts) == PARTS[parts]


def test_case_is_never_changed():
    assert family_of("MacDONALD") == ("", "MacDONALD")
    assert given_of("jane") == "jane"
