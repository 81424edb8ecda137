import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;

/** Lucene: four threads add, replace and delete documents while four others search and one reopens and commits. */
public class LuceneLoad {
    static final String[] WORDS = {"alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa"};

    static Document document(String id, Random random) {
        Document d = new Document();
        d.add(new StringField("id", id, Field.Store.YES));
        StringBuilder text = new StringBuilder("common");
        for (int i = 0; i < 30; i++) text.append(' ').append(WORDS[random.nextInt(WORDS.length)]);
        d.add(new TextField("text", text.toString(), Field.Store.YES));
        return d;
    }

    public static void main(String[] args) throws Exception {
        RAMDirectory directory = new RAMDirectory();
        IndexWriterConfig config = new IndexWriterConfig(Version.LATEST, new StandardAnalyzer());
        config.setMaxBufferedDocs(200);
        IndexWriter writer = new IndexWriter(directory, config);
        SearcherManager searchers = new SearcherManager(writer, true, new SearcherFactory());
        AtomicLong live = new AtomicLong();
        Load load = new Load(args);
        for (int i = 0; i < 4; i++) {
            int me = i;
            Random random = new Random(i);
            load.add("indexer-" + i, turn -> {
                String id = me + "-" + turn;
                writer.addDocument(document(id, random));
                live.incrementAndGet();
                if (turn % 5 == 4) writer.updateDocument(new Term("id", me + "-" + (turn - 2)), document(me + "-" + (turn - 2), random));
                if (turn % 7 == 6) {
                    // Not one of those that are replaced: each identifier exists at most once.
                    writer.deleteDocuments(new Term("id", id));
                    live.decrementAndGet();
                }
            });
        }
        for (int i = 0; i < 4; i++) {
            Random random = new Random(100 + i);
            load.add("searcher-" + i, turn -> {
                IndexSearcher s = searchers.acquire();
                try {
                    BooleanQuery query = new BooleanQuery();
                    query.add(new TermQuery(new Term("text", "common")), BooleanClause.Occur.MUST);
                    query.add(new TermQuery(new Term("text", WORDS[random.nextInt(WORDS.length)])), BooleanClause.Occur.SHOULD);
                    TopDocs top = s.search(query, 10);
                    Load.check(top.totalHits == s.getIndexReader().numDocs(), "a document without its common word");
                    for (ScoreDoc hit : top.scoreDocs) {
                        Load.check(s.doc(hit.doc).get("text").startsWith("common"), "a document with another text");
                    }
                    // On a busy machine the first refresh takes a while; searches for nothing would only delay it.
                    if (top.totalHits == 0) Thread.sleep(5);
                } finally {
                    searchers.release(s);
                }
            });
        }
        load.add("refresher", turn -> {
            searchers.maybeRefresh();
            if (turn % 20 == 19) writer.commit();
            Thread.sleep(10);
        });
        load.finish();
        searchers.close();
        writer.close();
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher s = new IndexSearcher(reader);
            long left = s.search(new MatchAllDocsQuery(), 1).totalHits;
            Load.check(left == s.search(new TermQuery(new Term("text", "common")), 1).totalHits, "a word was lost");
            // A deletion of turn t may hit a document that a later turn puts back: t % 7 == 6 and (t + 2) % 5 == 4.
            Load.check(left >= live.get() && left <= live.get() * 2, "documents were lost");
        }
        System.out.println("ok");
    }
}
