package io.gpureclaimer.nvml.inventory;

import io.gpureclaimer.common.device.GpuUuid;
import org.jspecify.annotations.Nullable;

/** What a survey got to know of one GPU. */
public sealed interface SurveyedGpu {

  /** The driver's index of it. */
  int index();

  /** It answered. */
  record Answered(GpuFacts facts) implements SurveyedGpu {
    @Override
    public int index() {
      return facts.gpu().index();
    }
  }

  /**
   * The driver counts it, and could not tell what has to be known of it.
   *
   * @param uuid which it is, if it told or an earlier survey knew it at that index; null if not
   * @param reason the question that failed and how, for people
   */
  record Unreadable(int index, @Nullable GpuUuid uuid, String reason) implements SurveyedGpu {}
}
