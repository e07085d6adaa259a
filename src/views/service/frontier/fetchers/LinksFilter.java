package orbweaver;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.stormcrawler.Metadata;
import org.apache.stormcrawler.parse.Outlink;
import org.apache.stormcrawler.parse.ParseFilter;
import org.apache.stormcrawler.parse.ParseResult;
import org.apache.stormcrawler.util.URLPartitioner;
import org.w3c.dom.DocumentFragment;

/**
 * Puts the links of a page into its metadata, so that a frontier which ranks learns them with the page's result:
 * {@code orbweaver.links} has their URLs, after StormCrawler's URL filters, and {@code orbweaver.keys} the queue of
 * each. Both names must be among {@code metadata.persist}, and the last of the parse filters sees all links.
 *
 * <p>A message has at most 4 MiB, and StormCrawler's stream to the frontier does not outlive a longer one: links beyond
 * {@code maxBytes} of them (3 MiB) are left out.
 */
public class LinksFilter extends ParseFilter {

    public static final String LINKS = "orbweaver.links";
    public static final String KEYS = "orbweaver.keys";

    private final URLPartitioner partitioner = new URLPartitioner();
    private long maxBytes = 3L << 20;

    @Override
    public void configure(Map<String, Object> stormConf, JsonNode params) {
        partitioner.configure(stormConf);
        if (params != null) maxBytes = params.path("maxBytes").asLong(maxBytes);
    }

    @Override
    public void filter(String url, byte[] content, DocumentFragment doc, ParseResult parse) {
        final List<String> links = new ArrayList<>();
        final List<String> keys = new ArrayList<>();
        long bytes = 0;
        for (Outlink outlink : parse.getOutlinks()) {
            final String target = outlink.getTargetURL();
            final Metadata metadata = outlink.getMetadata();
            // The key under which StatusUpdaterBolt puts the same URL.
            final String key = partitioner.getPartition(target, metadata == null ? new Metadata() : metadata);
            links.add(target);
            keys.add(key == null ? "_DEFAULT_" : key);
            // Each value has a head of at most 4 bytes.
            bytes += target.getBytes(StandardCharsets.UTF_8).length + keys.get(keys.size() - 1).length() + 8L;
            if (bytes > maxBytes) {
                links.remove(links.size() - 1);
                keys.remove(keys.size() - 1);
                break;
            }
        }
        if (links.isEmpty()) {
            // A page without links: StormCrawler's metadata have no empty lists.
            links.add("");
            keys.add("");
        }
        final Metadata metadata = parse.get(url).getMetadata();
        metadata.setValues(LINKS, links.toArray(new String[0]));
        metadata.setValues(KEYS, keys.toArray(new String[0]));
    }
}
