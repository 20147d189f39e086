package io.gpureclaimer.deviceplugin.runtime;

import io.gpureclaimer.deviceplugin.cdi.CdiOutcome;
import io.gpureclaimer.deviceplugin.cdi.CdiReport;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Counts the writes of CDI specifications.
 *
 * @param written how many files
 * @param failed how many could not be
 * @param lastSuccess when all were last as they should be, written then or found so; null if never
 */
public record CdiWrites(long written, long failed, @Nullable Instant lastSuccess) {
  static final CdiWrites NONE = new CdiWrites(0, 0, null);

  CdiWrites after(CdiReport report, Instant at) {
    long more = 0;
    long less = 0;
    boolean whole = true;
    for (CdiOutcome outcome : report.files().values()) {
      switch (outcome) {
        case CdiOutcome.Written _ -> more++;
        case CdiOutcome.Failed _, CdiOutcome.FolderDeleted _ -> {
          less++;
          whole = false;
        }
        case CdiOutcome.Kept() -> whole = false;
        case CdiOutcome.Unchanged(), CdiOutcome.Removed() -> {}
      }
    }
    return new CdiWrites(written + more, failed + less, whole ? at : lastSuccess);
  }
}
