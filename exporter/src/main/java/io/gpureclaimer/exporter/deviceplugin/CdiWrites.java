package io.gpureclaimer.exporter.deviceplugin;

import io.gpureclaimer.core.cdi.CdiOutcome;
import io.gpureclaimer.core.cdi.CdiReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the writing of CDI specifications has gone so far.
 *
 * @param written how many files
 * @param failed how many could not be
 * @param lastSuccess when all were last as they should be, written then or found so; null if never
 */
public record CdiWrites(long written, long failed, @Nullable Instant lastSuccess) {
  static final CdiWrites NONE = new CdiWrites(0, 0, null);

  CdiWrites after(CdiReport report, Instant at) {
    long more =
        report.files().values().stream().filter(CdiOutcome.Written.class::isInstance).count();
    long less =
        report.files().values().stream().filter(CdiOutcome.Failed.class::isInstance).count();
    boolean whole =
        less == 0 && report.files().values().stream().noneMatch(CdiOutcome.Kept.class::isInstance);
    return new CdiWrites(written + more, failed + less, whole ? at : lastSuccess);
  }
}
