package io.gpureclaimer.exporter.devices;

import io.gpureclaimer.core.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a selection means for one pass. */
public final class Selected {
  /** These cover every GPU, whatever is selected. */
  private static final Set<DcgmField> OF_ALL_GPUS =
      Set.of(DcgmField.EXP_GPU_HEALTH_STATUS, DcgmField.EXP_P2P_STATUS);

  private Selected() {}

  /** The same pass, with the readings of what is selected. */
  public static Snapshot of(Selection selection, Snapshot all) {
    return selection.flexible()
        ? all
        : all.withGpus(all.gpus().stream().map(gpu -> of(selection, gpu)).toList());
  }

  /** The devices that are selected by number and that the driver does not have, in one line. */
  public static Optional<String> missing(Selection selection, Snapshot all) {
    var missing = new ArrayList<String>();
    selection.gpus().some().stream()
        .filter(index -> index >= all.gpus().size())
        .sorted()
        .forEach(index -> missing.add("GPU " + index));
    var instances = instances(all);
    new TreeSet<>(selection.instances().some())
        .stream()
            .filter(number -> !instances.contains(number) && isKnown(Selection.gpuOf(number), all))
            .forEach(number -> missing.add("instance " + number));
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            String.join(", ", missing)
                + (missing.size() == 1 ? " is" : " are")
                + " selected and not there; there are "
                + all.gpus().size()
                + " GPUs and "
                + instances.size()
                + " instances");
  }

  /** Whether it is known which instances a GPU has: a silent one may have any. */
  private static boolean isKnown(int gpu, Snapshot all) {
    return all.gpus().stream()
        .filter(sample -> sample.index() == gpu)
        .allMatch(Answered.class::isInstance);
  }

  private static Set<Integer> instances(Snapshot all) {
    var numbers = new TreeSet<Integer>();
    for (GpuSample sample : all.gpus()) {
      if (sample instanceof Answered answered) {
        for (int ordinal = 0; ordinal < answered.instances().size(); ordinal++) {
          numbers.add(Selection.numberOf(answered.index(), ordinal));
        }
      }
    }
    return numbers;
  }

  private static GpuSample of(Selection selection, GpuSample sample) {
    return sample instanceof Answered answered
        ? new Answered(
            answered.device(),
            answered.at(),
            readings(selection, answered),
            answered.failed(),
            answered.texts(),
            instances(selection, answered),
            answered.load(),
            answered.processes())
        : sample;
  }

  private static List<Reading> readings(Selection selection, Answered answered) {
    return selection.showsGpu(answered.index())
        ? answered.readings()
        : answered.readings().stream()
            .filter(reading -> OF_ALL_GPUS.contains(reading.field()))
            .collect(Collectors.toList());
  }

  private static List<InstanceSample> instances(Selection selection, Answered answered) {
    var shown = new ArrayList<InstanceSample>();
    for (int ordinal = 0; ordinal < answered.instances().size(); ordinal++) {
      if (selection.showsInstance(answered.index(), ordinal)) {
        shown.add(answered.instances().get(ordinal));
      }
    }
    return shown;
  }
}
