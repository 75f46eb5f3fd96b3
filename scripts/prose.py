#!/usr/bin/env python3
"""Counts words a sentence in Markdown pages. Needs nothing but Python 3.

    python3 scripts/prose.py README.md docs/*.md              # a row for each page
    python3 scripts/prose.py --long 40 docs/theory.md         # prints the sentences with more words, too
    python3 scripts/prose.py --mean 16 --share 2 README.md    # exit code 1 if a page's mean or its share over 40 words is larger

Paragraphs and list items are counted apart: a sentence ends where its paragraph or item does. Left out are code, tables, headings, comments, pictures, and
lines of file names alone. Initials and abbreviated journals end no sentence.
A word has a letter or a digit. `code in a line` is as many words as it has between blanks, a link the words that it shows, [text](target).
"""
import argparse
import pathlib
import re
import statistics
import sys

FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+")
ABBREVIATIONS = re.compile(r"\b([A-Z]|e\.g|i\.e|cf|vs|Fig|Eq|No|pp|al|Phil|Mag|Sci|Comput|Phys|Math|Numer|Anal|Appl|Mech|Methods|Engrg|Fluids|Meth)\.(?=[\s,)])")
LONG = 40


def blocks_of(text):
    """(is a list item, its text) of every paragraph and list item."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    blocks, current, fenced, in_item = [], None, False, False
    for line in text.split("\n"):
        if FENCE.match(line):
            fenced, current = not fenced, None
            continue
        if fenced or not line.strip() or re.match(r"\s*(\||#|!\[)", line):
            current = None
            continue
        indent = len(line) - len(line.lstrip())
        if ITEM.match(line) and (indent < 4 or in_item):
            current = [True, [ITEM.sub("", line)]]
            in_item = True
            blocks.append(current)
        elif current:
            current[1].append(line)
        elif indent < (8 if in_item else 4):  # else it is code
            in_item = in_item and indent > 0
            current = [in_item, [line]]
            blocks.append(current)
    return [(is_item, " ".join(part.strip() for part in lines)) for is_item, lines in blocks]


def sentences_of(text):
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"</?\w[^>]*>|\*\*", "", text)
    text = ABBREVIATIONS.sub(r"\1", text)
    parts = re.split(r"(?<=[.!?])[)\"”]?\s+(?=[\"“(`\[]?[^\sa-z])", text)
    return [part for part in parts if words_of(re.sub(r"`[^`]*`", "", part))]


def words_of(sentence):
    return [word for word in sentence.split() if re.search(r"\w", word)]


def counts_of(page):
    """[(words, sentence, is of a list)]"""
    return [(len(words_of(sentence)), sentence, is_item) for is_item, text in blocks_of(page.read_text()) for sentence in sentences_of(text)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--long", type=int, metavar="WORDS", help="print sentences with more words")
    parser.add_argument("--mean", type=float, metavar="WORDS", help="the largest mean that is allowed")
    parser.add_argument("--share", type=float, metavar="PERCENT", help=f"the largest share of sentences over {LONG} words that is allowed")
    parser.add_argument("pages", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    failed = False
    print("sentences   mean  median  over 40  in lists  page")
    for page in options.pages:
        counts = counts_of(page)
        if not counts:
            continue
        words = [count for count, _, _ in counts]
        mean, share = statistics.mean(words), 100 * sum(count > LONG for count in words) / len(words)
        in_lists = sum(is_item for _, _, is_item in counts)
        bad = (options.mean and mean > options.mean) or (options.share is not None and share > options.share)
        failed = failed or bad
        print(f"{len(words):9} {mean:6.1f} {statistics.median(words):7.0f} {share:7.1f}% {in_lists:9}  {page}{'   too long' if bad else ''}")
        for count, sentence, _ in counts:
            if options.long and count > options.long:
                print(f"    {count}: {sentence}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
