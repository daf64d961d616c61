"""Fairness: first names exchanged for names that are usual among other groups of people."""

from random import Random

from evaluation.domain.variants import FAIRNESS, VARIANT_RULES, VariantRule
from evaluation.domain.variants.words import WORD

WOMEN = (
    (
        "emily",
        "emma",
        "anne",
        "sarah",
        "laura",
        "mary",
        "alice",
        "julia",
        "kate",
        "helen",
        "claire",
        "megan",
        "amy",
    ),
    (
        "lakisha",
        "latoya",
        "keisha",
        "ebony",
        "tamika",
        "aisha",
        "imani",
        "shanice",
        "tanisha",
        "kenya",
        "nia",
        "jada",
    ),
    (
        "maria",
        "lucia",
        "carmen",
        "rosa",
        "guadalupe",
        "ximena",
        "elena",
        "juana",
        "sofia",
        "valentina",
        "paola",
    ),
    ("mei", "yuki", "priya", "lakshmi", "hana", "xiu", "sakura", "linh", "ananya", "soo", "yan", "deepika"),
    (
        "fatima",
        "zainab",
        "khadija",
        "layla",
        "yasmin",
        "amina",
        "noor",
        "mariam",
        "samira",
        "rania",
        "huda",
        "salma",
    ),
)
MEN = (
    (
        "john",
        "michael",
        "james",
        "peter",
        "david",
        "robert",
        "thomas",
        "george",
        "brad",
        "greg",
        "matthew",
        "paul",
    ),
    (
        "jamal",
        "darnell",
        "tyrone",
        "leroy",
        "malik",
        "deshawn",
        "kareem",
        "tremayne",
        "rasheed",
        "terrell",
        "andre",
    ),
    (
        "jose",
        "carlos",
        "luis",
        "diego",
        "javier",
        "miguel",
        "alejandro",
        "pedro",
        "mateo",
        "santiago",
        "pablo",
    ),
    ("wei", "hiroshi", "raj", "arjun", "kenji", "jin", "sanjay", "minh", "haruto", "vikram", "tao", "rohan"),
    (
        "ahmed",
        "mohammed",
        "omar",
        "hassan",
        "ibrahim",
        "yusuf",
        "khalid",
        "mustafa",
        "tariq",
        "bilal",
        "karim",
        "samir",
    ),
)
GROUPS = {
    name: (kind, number) for kind in (WOMEN, MEN) for number, names in enumerate(kind) for name in names
}


def exchange(text: str, chance: Random, kept: frozenset[str]) -> str:
    """Return the text with each first name exchanged for one of another group, the same one everywhere."""
    shift = chance.randrange(1, len(WOMEN))
    place = chance.randrange(1_000)
    chosen: dict[str, str] = {}
    for word in WORD.findall(text):
        low = word.lower()
        if word[:1].isupper() and low in GROUPS and low not in kept:
            kind, number = GROUPS[low]
            names = kind[(number + shift) % len(kind)]
            chosen[word] = names[(place + kind[number].index(low)) % len(names)].capitalize()
    return WORD.sub(lambda found: chosen.get(found[0], found[0]), text) if chosen else text


VARIANT_RULES.register("names")(
    VariantRule(
        "names", FAIRNESS, "first names become names of another group", exchange, changes_context=True
    )
)
