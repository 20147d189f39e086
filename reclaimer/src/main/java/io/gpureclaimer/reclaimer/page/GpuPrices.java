package io.gpureclaimer.reclaimer.page;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.page.GpuUse.GpuActivity;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Prices of GPUs.
 *
 * @param byModel dollars of an hour by model, as in the label of nodes
 */
public record GpuPrices(Map<String, Double> byModel) {
  public static final GpuPrices NONE = new GpuPrices(Map.of());

  private static final int HOURS_OF_A_DAY = 24;

  public GpuPrices {
    byModel = Map.copyOf(byModel);
  }

  /**
   * What idle GPUs cost.
   *
   * @param perDay dollars of those whose price is known
   * @param withoutPrice GPUs and instances whose price is not
   */
  record IdleCost(double perDay, int withoutPrice) {}

  /** What the idle GPUs of these workloads cost; empty without any price. */
  Optional<IdleCost> ofIdle(List<Verdict> verdicts, GpuModels models) {
    if (byModel.isEmpty()) {
      return Optional.empty();
    }
    double perHour = 0;
    int withoutPrice = 0;
    for (Verdict verdict : verdicts) {
      if (GpuUse.activity(verdict) != GpuActivity.IDLE) {
        continue;
      }
      for (PodView pod : verdict.workload().pods()) {
        int devices = pod.holdsGpus() ? pod.accelerators().devices() : 0;
        Optional<Double> price =
            models.of(pod).flatMap(model -> Optional.ofNullable(byModel.get(model)));
        // The price of an instance is not that of its GPU.
        int priced = price.isPresent() ? pod.gpus() : 0;
        perHour += priced * price.orElse(0.0);
        withoutPrice += devices - priced;
      }
    }
    return Optional.of(new IdleCost(HOURS_OF_A_DAY * perHour, withoutPrice));
  }
}
