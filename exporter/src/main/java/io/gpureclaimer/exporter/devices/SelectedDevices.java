package io.gpureclaimer.exporter.devices;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.exporter.sample.GpuSample;
import io.gpureclaimer.exporter.sample.GpuSample.Answered;
import io.gpureclaimer.exporter.sample.GpuSample.LastKnown;
import io.gpureclaimer.exporter.sample.GpuSample.Unresponsive;
import io.gpureclaimer.exporter.sample.InstanceSample;
import io.gpureclaimer.exporter.sample.Reading;
import io.gpureclaimer.exporter.sample.Snapshot;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Selection of devices in one pass. */
public final class SelectedDevices {
  /** These cover every GPU, whatever is selected. */
  private static final Set<DcgmField> OF_ALL_GPUS =
      Set.of(DcgmField.EXP_GPU_HEALTH_STATUS, DcgmField.EXP_P2P_STATUS);

  private SelectedDevices() {}

  /**
   * The same pass, with the readings of what is selected.
   *
   * @param division on which series the values of a GPU stand that MIG has divided
   */
  public static Snapshot of(Selection selection, MigValuePlacement division, Snapshot all) {
    return all.withGpus(all.gpus().stream().map(gpu -> of(selection, division, gpu)).toList());
  }

  /**
   * The part of a selection that matches no device.
   *
   * @param before the same of the pass before: which instances a GPU has is not known while it does
   *     not respond
   */
  public static Selection unmatched(Selection selection, Selection before, Snapshot all) {
    if (selection.flexible()) {
      return Selection.NOTHING;
    }
    var instances = instances(all);
    boolean allRespond = all.gpus().stream().allMatch(Answered.class::isInstance);
    return new Selection(
        false,
        selection.gpus().unmatched(index -> index < all.gpus().size(), !all.gpus().isEmpty()),
        selection
            .instances()
            .unmatched(
                number ->
                    instances.contains(number)
                        || (!isKnown(Selection.gpuOf(number), all)
                            && !before.instances().contains(number)),
                !instances.isEmpty() || (!allRespond && !before.instances().all())));
  }

  /** One line about a part of a selection that matches no device. */
  public static String describe(Selection unmatched, Snapshot all) {
    var lines = new ArrayList<String>();
    var missing = new ArrayList<String>();
    unmatched.gpus().ranges().forEach(range -> missing.add("GPU " + range));
    unmatched.instances().ranges().forEach(range -> missing.add("instance " + range));
    if (!missing.isEmpty()) {
      boolean one = unmatched.gpus().some().size() + unmatched.instances().some().size() == 1;
      lines.add(
          String.join(", ", missing)
              + (one ? " is" : " are")
              + " selected and not there; there are "
              + all.gpus().size()
              + " GPUs and "
              + instances(all).size()
              + " instances");
    }
    if (unmatched.gpus().all()) {
      lines.add("GPUs are selected, and the driver has none");
    }
    if (unmatched.instances().all()) {
      lines.add("MIG instances are selected, and no GPU has any");
    }
    return String.join("; ", lines);
  }

  /** Whether it is known which instances a GPU has: a silent one may have any. */
  private static boolean isKnown(int gpu, Snapshot all) {
    return all.gpus().stream()
        .filter(sample -> sample.index() == gpu)
        .allMatch(Answered.class::isInstance);
  }

  /** The part, with the GPU's values that none of its parts has itself. */
  private static InstanceSample withThoseOf(Answered gpu, InstanceSample part) {
    var own = fieldsOfParts(gpu);
    var readings = new ArrayList<>(part.readings());
    gpu.readings().stream()
        .filter(reading -> !own.contains(reading.field()) && !OF_ALL_GPUS.contains(reading.field()))
        .forEach(readings::add);
    return new InstanceSample(part.instance(), readings, part.failed());
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

  private static GpuSample of(Selection selection, MigValuePlacement division, GpuSample sample) {
    return sample instanceof Answered answered
        ? new Answered(
            answered.device(),
            answered.at(),
            readings(selection, division, answered),
            answered.failed(),
            answered.texts(),
            instances(selection, division, answered),
            answered.load(),
            answered.processes())
        : ofUnresponsive(selection, sample);
  }

  private static GpuSample ofUnresponsive(Selection selection, GpuSample sample) {
    if (!(sample instanceof Unresponsive silent) || selection.showsGpu(silent.index())) {
      return sample;
    }
    var known = silent.lastKnown();
    return silent.with(
        new LastKnown(
            known.readings().stream()
                .filter(reading -> OF_ALL_GPUS.contains(reading.field()))
                .toList(),
            known.texts()));
  }

  private static List<Reading> readings(
      Selection selection, MigValuePlacement division, Answered answered) {
    var readings = answered.readings().stream();
    if (!selection.showsGpu(answered.index())) {
      return readings.filter(reading -> OF_ALL_GPUS.contains(reading.field())).toList();
    }
    if (!selection.flexible() || answered.instances().isEmpty()) {
      return answered.readings();
    }
    return switch (division) {
      case ONCE -> {
        var ofParts = fieldsOfParts(answered);
        yield readings.filter(reading -> !ofParts.contains(reading.field())).toList();
      }
      case REPEATED -> readings.filter(reading -> OF_ALL_GPUS.contains(reading.field())).toList();
    };
  }

  /**
   * A value of its instances would be a duplicate at the GPU; also in a pass in which one of them
   * fails to report it.
   */
  private static Set<DcgmField> fieldsOfParts(Answered answered) {
    var fields = new HashSet<DcgmField>();
    for (InstanceSample part : answered.instances()) {
      fields.addAll(part.failed());
      part.readings().forEach(reading -> fields.add(reading.field()));
    }
    return fields;
  }

  private static List<InstanceSample> instances(
      Selection selection, MigValuePlacement division, Answered answered) {
    var shown = new ArrayList<InstanceSample>();
    for (int ordinal = 0; ordinal < answered.instances().size(); ordinal++) {
      if (selection.showsInstance(answered.index(), ordinal)) {
        var part = answered.instances().get(ordinal);
        shown.add(division == MigValuePlacement.REPEATED ? withThoseOf(answered, part) : part);
      }
    }
    return shown;
  }
}
