"""Long arrays are read as tomllib reads them, and what tomllib refuses is refused with its words."""

import random
import tomllib

import pytest

from tdrc_theory.cli import toml_file
from tdrc_theory.cli.toml_file import toml_with_long_arrays

ENTRIES = ("1", "-2", "0", "0.5", "-1.250", "1e5", "1E-3", '"1/2"', '"-3"', '"0.25"', '""', "-0", "-0.0")
UNREAD = ("+1", "1_000", "'1/2'", "true", "nan", "0x1f", '"a"', "1979-05-27", "{}", "[1]", "[]", '"1\\u0031"')
WRONG = ("01", "1.", ".5", "--1", "1 2", '"1', ",", "null", "NaN", "1,,2", "\r", "]")


@pytest.fixture(autouse=True)
def every_array(monkeypatch):
    monkeypatch.setattr(toml_file, "_SHORTEST", 0)


def written(rng, entries, end):
    """Write two arrays of rows with comments, blanks and commas where TOML allows them."""

    def row():
        between = [rng.choice([",", ", ", " ,\t", f", # a, [b] = 1{end}"]) for _ in range(3)]
        last = rng.choice(["", ",", f" # end ]{end}", f",{end}"])
        return "[" + "".join(rng.choice(entries) + comma for comma in between) + rng.choice(entries) + last + "]"

    def array(key):
        rows = f",{end}".join(row() for _ in range(rng.randint(1, 4)))
        return f"{key} = [{rng.choice(['', end, f' # heading{end}'])}{rows}{rng.choice(['', ',', f',{end}'])}]"

    after = rng.choice(["", " # told, [1]"])
    parts = [f'name = "a"{end}{array("features")}{after}', "[mdp]", array("transitions"), f"[[list]]{end}{array('x')}"]
    return end.join(parts) + rng.choice(["", end])


@pytest.mark.parametrize("seed", range(40))
def test_an_array_is_what_tomllib_reads(seed):
    rng = random.Random(seed)
    text = written(rng, ENTRIES if seed % 2 else ENTRIES + UNREAD, rng.choice(["\n", "\r\n"]))
    assert toml_with_long_arrays(text, str) == tomllib.loads(text, parse_float=str)
    assert len(toml_file._taken_out(text, str)[1]) == 3 or not seed % 2


@pytest.mark.parametrize("wrong", WRONG)
def test_what_tomllib_refuses_is_refused_with_its_words(wrong):
    text = f"a = [1,\n2]\nb = [\n[3, {wrong}],\n]\nc = 1\n"
    with pytest.raises(tomllib.TOMLDecodeError) as plain:
        tomllib.loads(text)
    with pytest.raises(tomllib.TOMLDecodeError) as result:
        toml_with_long_arrays(text, str)
    assert str(result.value) == str(plain.value)


@pytest.mark.parametrize("line", ["a = [1] 2", "a = [1]\na = [2]", "[a]\nx = 1\n[b]\n[a]", "a = 1\nb = [1]]"])
def test_an_error_beside_a_long_array_names_its_own_line(line):
    text = f"long = [1,\n2,\n3]\n{line}\n"
    with pytest.raises(tomllib.TOMLDecodeError) as plain:
        tomllib.loads(text)
    with pytest.raises(tomllib.TOMLDecodeError) as result:
        toml_with_long_arrays(text, str)
    assert str(result.value) == str(plain.value)


def test_text_that_looks_like_an_array_is_text():
    text = 'a = """\nb = [1, 2]\n"""\nc = [1]\n'
    assert toml_with_long_arrays(text, str) == tomllib.loads(text)
