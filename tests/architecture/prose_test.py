"""scripts/prose.py on small pages: what is a sentence, what is a word, what is left out."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True  # the tree stays as it is
SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "prose.py"
sys.path.insert(0, str(SCRIPT.parent))
import prose  # noqa: E402


class Prose(unittest.TestCase):
    def counts(self, text):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text(text)
            return [(count, in_list) for count, _, in_list in prose.counts_of(page)]

    def test_sentences_end_at_stops_and_with_their_paragraph(self):
        self.assertEqual(self.counts("One two three.\nFour five\nsix. Seven\n\nEight nine\n"), [(3, False), (3, False), (1, False), (2, False)])

    def test_items_of_lists_are_apart(self):
        self.assertEqual(self.counts("Before it:\n\n- one two\n- three\n  four\n\nAfter.\n"), [(2, False), (2, True), (2, True), (1, False)])

    def test_code_tables_and_headings_are_left_out(self):
        self.assertEqual(self.counts("# Head\n\nOne.\n\n```\nint two;\n```\n\n    three\n\n| a | b |\n| --- | --- |\n<!-- four. five. -->\n![six](seven)\n"), [(1, False)])

    def test_numbers_names_and_initials_end_no_sentence(self):
        self.assertEqual(self.counts("A step of 0.5 is long, e.g. by J. Chan.\n"), [(10, False)])

    def test_links_count_as_what_they_show(self):
        self.assertEqual(self.counts("See [the guide](user-guide.md#the mesh) now.\n"), [(4, False)])

    def test_limits_decide_the_exit_code(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("word " * 41 + ".\n\nOne two three.\n")
            run = lambda *options: subprocess.run([sys.executable, SCRIPT, *options, page], capture_output=True).returncode
            self.assertEqual([run("--mean", "22"), run("--mean", "21"), run("--share", "50"), run("--share", "49")], [0, 1, 0, 1])


if __name__ == "__main__":
    unittest.main()
