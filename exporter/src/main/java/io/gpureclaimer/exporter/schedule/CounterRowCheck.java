package io.gpureclaimer.exporter.schedule;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.counters.CounterSet;
import io.gpureclaimer.exporter.counters.CounterSet.UnservedRow;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Reports rows of the counters file that are not served: invalid rows, and rows that no GPU
 * supports. Logs once that a row is not served, and once that it is again. Confined to the sampling
 * job.
 */
final class CounterRowCheck {
  private static final Logger log = LoggerFactory.getLogger(CounterRowCheck.class);

  /** Fewer are a hiccup, or a counter that needs two readings. */
  private static final int PASSES = 10;

  private final String setting;
  private final Level level;

  /** For how many passes no GPU has reported a row. */
  private final Map<String, Integer> unreported = new HashMap<>();

  private CounterSet set = new CounterSet(List.of(), List.of(), List.of());

  /** Rows that are read, by name. */
  private Map<String, DcgmField> asked = Map.of();

  private List<UnservedRow> rows = List.of();

  /**
   * @param setting name of the counters file in messages
   * @param level of the line about a row that is not served
   */
  CounterRowCheck(String setting, Level level) {
    this.setting = setting;
    this.level = level;
  }

  /**
   * Rows that are not served.
   *
   * @param inForce the rows
   * @param all a pass; one in which no GPU responded changes nothing
   */
  List<UnservedRow> see(CounterSet inForce, Snapshot all) {
    if (!inForce.equals(set)) {
      set = inForce;
      asked = asked(set);
      rows = set.skipped();
      unreported.clear();
      for (UnservedRow row : rows) {
        log.atLevel(level)
            .log(
                "{}: {} in line {} is not served: it {}",
                setting,
                row.name(),
                row.line(),
                row.reason());
      }
    }
    var answered =
        all.gpus().stream().filter(Answered.class::isInstance).map(Answered.class::cast).toList();
    if (!answered.isEmpty()) {
      judge(answered, answered.size() == all.gpus().size());
    }
    return rows;
  }

  private void judge(List<Answered> gpus, boolean allRespond) {
    var reported = new HashSet<DcgmField>();
    var failed = new HashSet<DcgmField>();
    gpus.forEach(gpu -> enter(gpu, reported, failed));
    var now = new ArrayList<>(set.skipped());
    var begun = new TreeMap<String, List<String>>();
    var ended = new ArrayList<String>();
    asked.forEach(
        (name, field) -> {
          if (reported.contains(field)) {
            if (unreported.getOrDefault(name, 0) >= PASSES) {
              ended.add(name);
            }
            unreported.remove(name);
            return;
          }
          var reason = field.source().reason();
          now.add(
              new UnservedRow(
                  null,
                  name,
                  failed.contains(field)
                      ? "the driver failed to read it"
                      : "no device of this node reports it; it is " + reason));
          if (allRespond
              && !failed.contains(field)
              && unreported.merge(name, 1, Integer::sum) == PASSES) {
            begun.computeIfAbsent(reason, _ -> new ArrayList<>()).add(name);
          }
        });
    rows = List.copyOf(now);
    begun.forEach(
        (reason, names) ->
            log.atLevel(level)
                .log(
                    "{}: no GPU of this node reports {}: {}",
                    setting,
                    String.join(", ", names),
                    reason));
    if (!ended.isEmpty()) {
      log.info("{}: {} reported again", setting, String.join(", ", ended));
    }
  }

  private static void enter(Answered gpu, Set<DcgmField> reported, Set<DcgmField> failed) {
    gpu.readings().stream().map(Reading::field).forEach(reported::add);
    reported.addAll(gpu.texts().keySet());
    failed.addAll(gpu.failed());
    for (var part : gpu.instances()) {
      part.readings().stream().map(Reading::field).forEach(reported::add);
      failed.addAll(part.failed());
    }
  }

  private static Map<String, DcgmField> asked(CounterSet set) {
    var fields = new LinkedHashMap<String, DcgmField>();
    set.counters().forEach(row -> fields.put(row.name(), row.field()));
    set.labels().forEach(row -> fields.put(row.name(), row.field()));
    return fields;
  }
}
