"""Text F1: the likeness of two short answers, in any language, from 0 to 1.

`F1 = 2 · shared / (m + n)`: the texts have m and n tokens, `shared` of them in common, each as often as it stands in
both (Rajpurkar et al., "SQuAD", 2016). Unlike SQuAD's rule (`token_f1`), which is made for English words, it keeps the
differences between answers, and a task's languages define tokens (Lewis et al., "MLQA", 2020, evaluation script):

- Letter case, width, canonical forms, default ignorables and the kind of dash make no difference (Unicode Standard,
  section 3.13); digits of all scripts are equal. Punctuation separates tokens, but for an apostrophe in a word, which
  is dropped.
- A number is one token with its sign and the marks between its digits: `-5`, `3.5`, `12:30`, `1/2`. `1,000` is `1000`
  where all languages of the task group digits by commas (CLDR); elsewhere it stays as it is written.
- `C++`, `C#`, `.NET`, `A-` and `node.js` are tokens of their own, as are symbols: `$5` is two tokens. `U.S.` is `US`.
- In languages without spaces each character of their scripts is a token; other scripts keep their words (MLQA's mixed
  segmentation).
- An article of a language that MLQA lists is dropped before another word: of `the end`, not of `vitamin A` or `the`.
- A text without any token is one token as it stands, so `?` is equal to `?` alone.
"""

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import regex

Likeness = Callable[[str, str], float]
"""Returns the similarity of two texts, from 0 to 1."""

ARTICLES = {
    "ar": "ال",
    "de": "ein eine einen einem eines einer der die das den dem des",
    "en": "a an the",
    "es": "un una unos unas el la los las",
    "vi": "của là cái chiếc những",
}
ARABIC_ARTICLE = ARTICLES["ar"]
SCRIPTS = {
    **dict.fromkeys(("zh", "cmn", "yue", "wuu", "nan", "hak", "lzh"), ("Han",)),
    "ja": ("Han", "Hiragana", "Katakana"),
    **{"th": ("Thai",), "lo": ("Lao",), "km": ("Khmer",), "my": ("Myanmar",)},
}
"""The scripts of languages that put no spaces between words."""
COMMA_GROUPS = "en zh cmn yue ja ko th hi bn ta te mr gu kn ml pa ur he ms fil tl sw"
IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}+")
DASH = regex.compile("[\u2010-\u2013\u2212\ufe63]")
APOSTROPHE = regex.compile(r"(?<=[\p{L}\p{N}])['\u2019\u02bc](?=\p{L})")
GROUPED = regex.compile(r"[0-9]{1,3}(,[0-9]{2,3})*,[0-9]{3}(?![0-9,:/])")
ACRONYM = regex.compile(r"\p{L}(\.\p{L})+")
NUMBER = r"""
    (?P<minus>(?<![\p{L}\p{M}\p{N}-])-)?(?P<currency>\p{Sc})?
    (?P<number>((?<![\p{L}\p{M}\p{N}.])\.)?[0-9]+([.,:/][0-9]+)*\p{No}*)
"""
SYMBOL = r"[\p{S}--\p{Sk}][\p{M}\p{Sk}]* | [%‰#&@§]"


@dataclass(frozen=True)
class TextF1:
    """The rule for texts in these languages, given as language tags."""

    languages: tuple[str, ...]

    def __call__(self, one: str, other: str) -> float:
        """Return the F1 of two texts."""
        mine, theirs = self.tokens(one), self.tokens(other)
        if not mine or not theirs:
            return float(mine == theirs)
        return 2 * (Counter(mine) & Counter(theirs)).total() / (len(mine) + len(theirs))

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text; none of one that shows nothing."""
        tags = frozenset(tag.partition("-")[0].lower() for tag in self.languages)
        seen, articles = normalised(text), _articles(tags)
        found = [*_tokens(seen, tags)]
        kept = [
            token
            for token, following in zip(found, [*found[1:], ""], strict=False)
            if token not in articles or not following or following in articles
        ]
        whole = "".join(seen.split())
        return kept or ([whole] if whole else [])


def normalised(text: str) -> str:
    """Return a text without differences that no answer means."""
    decomposed = unicodedata.normalize("NFD", IGNORABLE.sub("", unicodedata.normalize("NFD", text)))
    folded = "".join(map(_plain, decomposed)).casefold()
    return APOSTROPHE.sub("", DASH.sub("-", unicodedata.normalize("NFC", folded)))


def _plain(character: str) -> str:
    """Return a character in its usual width, and a decimal digit as ASCII's."""
    if character.isascii():
        return character
    if character.isdecimal():
        return str(unicodedata.decimal(character))
    is_wide = unicodedata.decomposition(character).startswith(("<wide>", "<narrow>"))
    return unicodedata.normalize("NFKD", character) if is_wide else character


def _tokens(text: str, tags: frozenset[str]) -> Iterator[str]:
    scripts = frozenset(script for tag in tags for script in SCRIPTS.get(tag, ()))
    for found in _pattern(scripts).finditer(text):
        number, word = found["number"], found["word"]
        if number is not None:
            yield from found["currency"] or ""
            is_grouped = tags <= {*COMMA_GROUPS.split()} and GROUPED.match(number)
            yield (found["minus"] or "") + (number.replace(",", "") if is_grouped else number)
        elif word is None:
            yield found[0]
        elif ACRONYM.fullmatch(word):
            yield word.replace(".", "")
        else:
            has_article = "ar" in tags and len(word) > len(ARABIC_ARTICLE) + 1
            yield word.removeprefix(ARABIC_ARTICLE) if has_article else word


@lru_cache(maxsize=64)
def _articles(tags: frozenset[str]) -> frozenset[str]:
    return frozenset(word for tag in tags for word in ARTICLES.get(tag, "").split())


@lru_cache(maxsize=64)
def _pattern(scripts: frozenset[str]) -> "regex.Pattern[str]":
    """Return a pattern for tokens, in which each character of these scripts is one."""
    unspaced = "".join(rf"\p{{scx={script}}}" for script in sorted(scripts))
    first, rest, character = r"[\p{L}\p{Nl}\p{No}]", r"[\p{L}\p{M}\p{N}]", ""
    if unspaced:
        character = rf"| [[\p{{L}}\p{{Nl}}]&&[{unspaced}]]\p{{M}}*"
        first, rest = (rf"[{letters}--[{unspaced}]]" for letters in (first, rest))
    part = f"{first}{rest}*"
    word = (
        rf"(?<![\p{{L}}\p{{N}}])\p{{L}}{{1,2}}-(?![\p{{L}}\p{{N}}-])"
        rf"| ((?<![\p{{L}}\p{{M}}\p{{N}}.])\.)?{part}(\.{part})*([+\#]+(?!{rest}))?"
    )
    return regex.compile(f"{NUMBER} {character} | (?P<word>{word}) | {SYMBOL}", regex.V1 | regex.VERBOSE)
