package io.gpureclaimer.exporter.collect.computed;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.collect.Collector;
import io.gpureclaimer.exporter.collect.DcgmFields;
import io.gpureclaimer.exporter.collect.Readings;
import io.gpureclaimer.nvml.DeviceNumber;
import io.gpureclaimer.nvml.DeviceNumbers;
import io.gpureclaimer.nvml.NvmlResult;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.PolledGpu;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * State of the infoROM of each board. Reading the flash memory may take long, so it runs on another
 * thread, at most once an hour; each poll reports the last result.
 */
public final class InforomCollector implements Collector {
  private static final Duration READ_AGAIN_AFTER = Duration.ofHours(1);
  private static final Duration TRIED_AGAIN_AFTER = Duration.ofMinutes(1);

  /** What is older was read before a call that does not return, and is no longer reported. */
  private static final Duration VALID_FOR = Duration.ofHours(2);

  private static final List<DcgmField> FIELDS =
      List.of(
          DcgmFields.field("DEV_INFOROM_CONFIG_CHECK"),
          DcgmFields.field("DEV_INFOROM_CONFIG_VALID"));
  private static final List<DeviceNumber> ASKED =
      List.of(DeviceNumbers.INFOROM_CHECKSUM, DeviceNumbers.INFOROM_VALID);

  private final MonotonicClock monotonic;
  private final Executor executor;
  private final Map<GpuUuid, Reader> readers = new ConcurrentHashMap<>();
  private final Map<GpuUuid, InforomReadings> answers = new ConcurrentHashMap<>();

  private record Reader(long began, Future<?> call) {}

  private record InforomReadings(long nanos, List<NvmlResult<Long>> read) {}

  /**
   * @param monotonic monotonic clock
   * @param executor calls the driver; no poll waits for it
   */
  public InforomCollector(MonotonicClock monotonic, Executor executor) {
    this.monotonic = monotonic;
    this.executor = executor;
  }

  @Override
  public String name() {
    return "inforom";
  }

  @Override
  public Set<DcgmField> fields() {
    return Set.copyOf(FIELDS);
  }

  @Override
  public void collect(PolledGpu device, Readings into) {
    var gpu = device.gpu().uuid();
    if (isDue(readers.get(gpu))) {
      readers.put(gpu, new Reader(monotonic.nanos(), read(device)));
    }
    var answer = answers.get(gpu);
    if (answer == null || monotonic.nanos() - answer.nanos() > VALID_FOR.toNanos()) {
      return;
    }
    var read = answer.read();
    for (int i = 0; i < read.size(); i++) {
      if (read.get(i) instanceof Value<Long>(var value)) {
        into.put(FIELDS.get(i), value);
      }
    }
  }

  private boolean isDue(@Nullable Reader last) {
    if (last == null) {
      return true;
    }
    var pause = last.call().state() == Future.State.FAILED ? TRIED_AGAIN_AFTER : READ_AGAIN_AFTER;
    return last.call().isDone() && monotonic.nanos() - last.began() >= pause.toNanos();
  }

  private Future<?> read(PolledGpu device) {
    return CompletableFuture.runAsync(
        () -> {
          var read = device.nvml().numbersApart(device.handle(), ASKED);
          answers.put(device.gpu().uuid(), new InforomReadings(monotonic.nanos(), read));
        },
        executor);
  }
}
