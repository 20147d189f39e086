package io.gpureclaimer.reclaimer.lint;

import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.policy.EffectivePolicy.Remark;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.stream.Collectors;

/**
 * All that was found.
 *
 * @param all in the order of the files and of what is in them
 */
public record LintReport(List<LintFinding> all) {
  private static final int SCHEMA = 1;

  public LintReport {
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
    return Json.indented(
        new FindingsJson(SCHEMA, mistakes(), all.stream().map(FindingJson::of).toList()));
  }

  @Serdeable
  record FindingsJson(int schema, long mistakes, List<FindingJson> findings) {}

  @Serdeable
  record FindingJson(
      String source, String object, String key, String value, String rule, boolean mistake) {
    static FindingJson of(LintFinding finding) {
      return new FindingJson(
          finding.source(),
          finding.remark().object(),
          finding.remark().key(),
          finding.remark().value(),
          finding.remark().rule(),
          finding.remark().isMistake());
    }
  }

  /**
   * Something in the annotations of an object that does not hold as it is written.
   *
   * @param source the file; of a cluster, {@code cluster}
   * @param remark what does not hold
   */
  public record LintFinding(String source, Remark remark) {

    /** One line for people. */
    public String text() {
      return source + ": " + (remark.isMistake() ? "" : "note: ") + remark.text();
    }
  }
}
