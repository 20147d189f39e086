package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.time.Durations;
import io.gpureclaimer.reclaimer.cluster.Reclamation;
import io.gpureclaimer.reclaimer.cluster.Reclamation.ReclamationProgress;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Records of actions as a table, the newest first. */
public final class ReclamationTable {
  private ReclamationTable() {}

  /** Lines, each ended by a line feed; none without a record. */
  public static String of(List<Reclamation> records, Instant now) {
    List<ReclamationProgress> rows =
        records.stream()
            .flatMap(record -> record.status().stream())
            .sorted(
                Comparator.comparing((ReclamationProgress row) -> row.times().recordedAt())
                    .reversed()
                    .thenComparing(row -> row.owner().toString()))
            .toList();
    if (rows.isEmpty()) {
      return "";
    }
    var table = new Table("NAMESPACE", "RECLAIMED", "ACTION", "GPUS", "STATE", "AGE", "MESSAGE");
    for (ReclamationProgress row : rows) {
      table.add(
          row.owner().namespace(),
          row.owner().kind() + "/" + row.owner().name(),
          row.action(),
          Integer.toString(row.devices()),
          row.state().text().toLowerCase(Locale.ROOT),
          age(row, now),
          row.message());
    }
    return table.text();
  }

  private static String age(ReclamationProgress row, Instant now) {
    Duration age = Duration.between(row.times().recordedAt(), now);
    return Durations.format(age.isNegative() ? Duration.ZERO : Duration.ofSeconds(age.toSeconds()));
  }
}
