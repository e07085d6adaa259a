import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.apache.storm.topology.TopologyBuilder;
import org.apache.storm.tuple.Fields;
import org.apache.stormcrawler.bolt.FetcherBolt;
import org.apache.stormcrawler.bolt.JSoupParserBolt;
import org.apache.stormcrawler.bolt.URLPartitionerBolt;
import org.apache.stormcrawler.indexing.DummyIndexer;
import org.apache.stormcrawler.urlfrontier.Spout;
import org.apache.stormcrawler.urlfrontier.StatusUpdaterBolt;
import org.yaml.snakeyaml.Yaml;

/**
 * StormCrawler on Storm's LocalCluster, until its standard input ends: URLs from the frontier at args[0], pages from
 * the proxy at port args[1], settings from the YAML file args[2].
 */
public class Crawl {
    public static void main(String[] args) throws Exception {
        Config conf = new Config();
        conf.putAll(settings(Crawl.class.getResourceAsStream("/crawler-default.yaml")));
        conf.putAll(settings(java.nio.file.Files.newInputStream(java.nio.file.Path.of(args[2]))));
        conf.put("urlfrontier.address", List.of(args[0]));
        conf.put("http.proxy.host", "127.0.0.1");
        conf.put("http.proxy.port", Integer.parseInt(args[1]));

        TopologyBuilder builder = new TopologyBuilder();
        builder.setSpout("spout", new Spout(), 1);
        builder.setBolt("partition", new URLPartitionerBolt(), 1).shuffleGrouping("spout");
        builder.setBolt("fetch", new FetcherBolt(), 1).fieldsGrouping("partition", new Fields("key"));
        builder.setBolt("parse", new JSoupParserBolt(), 1).localOrShuffleGrouping("fetch");
        builder.setBolt("index", new DummyIndexer(), 1).localOrShuffleGrouping("parse");
        Fields url = new Fields("url");
        builder.setBolt("status", new StatusUpdaterBolt(), 1)
                .fieldsGrouping("fetch", "status", url)
                .fieldsGrouping("parse", "status", url)
                .fieldsGrouping("index", "status", url);

        try (LocalCluster cluster = new LocalCluster();
                LocalCluster.LocalTopology topology = cluster.submitTopology("crawl", conf, builder.createTopology())) {
            while (System.in.read() >= 0) continue;
        }
        System.exit(0);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> settings(InputStream yaml) {
        return (Map<String, Object>) new Yaml().<Map<String, Object>>load(yaml).get("config");
    }
}
