"""Ranks documents by tantivy's BM25 (k1 1.2, b 0.75): reads one JSON document from standard input, writes one.

in:  {"documents": ["words of a document, separated by spaces", ...], "queries": [["word", ...], ...], "hits": 10}
out: {"version": "...", "results": [[document, ...], ...]}
"""
import json
import sys

import tantivy

task = json.load(sys.stdin)
builder = tantivy.SchemaBuilder()
builder.add_integer_field("id", stored=True)
builder.add_text_field("body", tokenizer_name="words", index_option="freq")
schema = builder.build()
index = tantivy.Index(schema)
# Words are folded already: white space alone separates them.
index.register_tokenizer("words", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build())
writer = index.writer(heap_size=200_000_000, num_threads=1)
for number, body in enumerate(task["documents"]):
    document = tantivy.Document()
    document.add_integer("id", number)
    document.add_text("body", body)
    writer.add_document(document)
writer.commit()
writer.wait_merging_threads()
index.reload()
searcher = index.searcher()
results = []
for words in task["queries"]:
    clauses = [(tantivy.Occur.Should, tantivy.Query.term_query(schema, "body", word, "freq")) for word in words]
    hits = searcher.search(tantivy.Query.boolean_query(clauses), task["hits"]).hits if clauses else []
    results.append([searcher.doc(address)["id"][0] for _, address in hits])
json.dump({"version": tantivy.__version__, "results": results}, sys.stdout)
