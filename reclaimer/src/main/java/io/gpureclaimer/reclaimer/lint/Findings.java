package io.gpureclaimer.reclaimer.lint;

import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonText;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All that was found.
 *
 * @param all in the order of the files and of what is in them
 */
public record Findings(List<Finding> all) {
  private static final int SCHEMA = 1;

  public Findings {
    all = List.copyOf(all);
  }

  /** How many of them are mistakes; the others only say that something else is allowed. */
  public long mistakes() {
    return all.stream().filter(finding -> finding.remark().isMistake()).count();
  }

  /** A line for each; nothing where there is none. */
  public String text() {
    return all.stream().map(finding -> finding.text() + "\n").collect(Collectors.joining());
  }

  /** The same for machines; the names of its members are promised to stay. */
  public String json() {
    return JsonText.indented(
        new JsonObject()
            .put("schema", SCHEMA)
            .put("mistakes", mistakes())
            .list("findings", all, Findings::json));
  }

  private static JsonObject json(Finding finding) {
    return new JsonObject()
        .put("source", finding.source())
        .put("object", finding.remark().object())
        .put("key", finding.remark().key())
        .put("value", finding.remark().value())
        .put("rule", finding.remark().rule())
        .put("mistake", finding.remark().isMistake());
  }
}
