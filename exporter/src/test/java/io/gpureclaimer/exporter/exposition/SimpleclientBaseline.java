package io.gpureclaimer.exporter.exposition;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Gauge;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Series of the text format, entered into simpleclient's registry as gauges. */
final class SimpleclientBaseline {
  private static final Pattern LINE = Pattern.compile("(\\w+)\\{(.*)} (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"([^\"]*)\"");

  private SimpleclientBaseline() {}

  /** Of a text whose label values need no escaping. */
  static CollectorRegistry of(String text) {
    var registry = new CollectorRegistry();
    Map<String, Gauge> gauges = new HashMap<>();
    for (String each : text.lines().toList()) {
      Matcher line = LINE.matcher(each);
      if (!line.matches()) {
        continue;
      }
      var names = new ArrayList<String>();
      var values = new ArrayList<String>();
      LABEL
          .matcher(line.group(2))
          .results()
          .forEach(
              label -> {
                names.add(label.group(1));
                values.add(label.group(2));
              });
      gauges
          .computeIfAbsent(line.group(1), name -> gauge(name, names, registry))
          .labels(values.toArray(String[]::new))
          .set(Double.parseDouble(line.group(3)));
    }
    return registry;
  }

  private static Gauge gauge(String name, List<String> labels, CollectorRegistry registry) {
    return Gauge.build(name, "What it is (in U).")
        .labelNames(labels.toArray(String[]::new))
        .register(registry);
  }
}
