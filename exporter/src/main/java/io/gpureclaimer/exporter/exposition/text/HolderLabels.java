package io.gpureclaimer.exporter.exposition.text;

import io.gpureclaimer.common.vocabulary.Labels;
import io.gpureclaimer.exporter.sample.Claim;
import io.gpureclaimer.exporter.sample.DeviceAssignment;
import io.gpureclaimer.exporter.sample.Label;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Labels that name the holder of a device; null labels are omitted. A shared device's numbers
 * belong to no one of its holders, so only what all of them have in common is said.
 *
 * @param namespace the pod's, if one pod alone holds the device
 * @param pod its name
 * @param container its container, if one alone does
 * @param uid its uid, if it is to be written
 * @param share which share, if it is to be written
 * @param claim by which claim
 * @param podLabels those of the pod's labels that are served
 * @param job the job of a batch scheduler
 */
record HolderLabels(
    @Nullable String namespace,
    @Nullable String pod,
    @Nullable String container,
    @Nullable String uid,
    @Nullable String share,
    @Nullable Claim claim,
    List<Label> podLabels,
    @Nullable String job) {
  private static final HolderLabels NOT_HELD =
      new HolderLabels(null, null, null, null, null, null, List.of(), null);

  HolderLabels {
    podLabels = List.copyOf(podLabels);
  }

  /** One for each series of a device, at least one; no two say the same. */
  static List<HolderLabels> of(
      List<DeviceAssignment> holdings, List<String> jobs, HolderStyle style) {
    if (!style.perShare() || holdings.isEmpty()) {
      return together(holdings, jobs, style);
    }
    var groups = new LinkedHashMap<List<@Nullable String>, List<DeviceAssignment>>();
    for (DeviceAssignment holding : holdings) {
      groups.computeIfAbsent(shown(holding, style), absent -> new ArrayList<>()).add(holding);
    }
    return withJobs(groups.values().stream().map(group -> alike(group, style)).toList(), jobs);
  }

  /** One for each job, of what all these have in common. */
  static List<HolderLabels> together(
      List<DeviceAssignment> holdings, List<String> jobs, HolderStyle style) {
    return withJobs(List.of(holdings.isEmpty() ? NOT_HELD : common(holdings, style)), jobs);
  }

  /**
   * What two series must differ in: two pods of one name differ only where their uid is written.
   */
  private static List<@Nullable String> shown(DeviceAssignment holding, HolderStyle style) {
    var holder = holding.holder();
    return Arrays.asList(
        holder.namespace(),
        holder.pod(),
        holder.container(),
        style.podUid() ? holder.uid() : null,
        holding.share());
  }

  /** Of holdings that have the same labels. */
  private static HolderLabels alike(List<DeviceAssignment> holdings, HolderStyle style) {
    var holder = holdings.getFirst().holder();
    var labels = same(holdings, DeviceAssignment::labels);
    return new HolderLabels(
        holder.namespace(),
        holder.pod(),
        holder.container(),
        style.podUid() ? holder.uid() : null,
        holdings.getFirst().share(),
        same(holdings, DeviceAssignment::claim),
        labels == null ? List.of() : labels.served(),
        null);
  }

  private static HolderLabels common(List<DeviceAssignment> holdings, HolderStyle style) {
    var first = holdings.getFirst();
    boolean onePod =
        same(holdings, holding -> holding.holder().namespace()) != null
            && same(holdings, holding -> holding.holder().pod()) != null
            && haveOneUid(holdings);
    return new HolderLabels(
        onePod ? first.holder().namespace() : null,
        onePod ? first.holder().pod() : null,
        onePod ? same(holdings, holding -> holding.holder().container()) : null,
        onePod && style.podUid() ? first.holder().uid() : null,
        style.perShare() ? same(holdings, DeviceAssignment::share) : null,
        same(holdings, DeviceAssignment::claim),
        onePod ? first.labels().served() : List.of(),
        null);
  }

  /** The same, or none. */
  private static boolean haveOneUid(List<DeviceAssignment> holdings) {
    String first = holdings.getFirst().holder().uid();
    for (DeviceAssignment holding : holdings) {
      if (!Objects.equals(first, holding.holder().uid())) {
        return false;
      }
    }
    return true;
  }

  /** What all have; null if they differ, or have none. */
  private static <T> @Nullable T same(
      List<DeviceAssignment> holdings, Function<DeviceAssignment, @Nullable T> part) {
    T first = part.apply(holdings.getFirst());
    for (DeviceAssignment holding : holdings) {
      if (first == null || !first.equals(part.apply(holding))) {
        return null;
      }
    }
    return first;
  }

  private static List<HolderLabels> withJobs(List<HolderLabels> series, List<String> jobs) {
    return jobs.isEmpty()
        ? series
        : series.stream().flatMap(one -> jobs.stream().map(one::withJob)).toList();
  }

  private HolderLabels withJob(String running) {
    return new HolderLabels(namespace, pod, container, uid, share, claim, podLabels, running);
  }

  /** The block that dcgm-exporter calls attributes, not yet in order. */
  List<Label> attributes() {
    var labels = new ArrayList<Label>();
    add(Labels.CONTAINER, container, labels);
    add(Labels.NAMESPACE, namespace, labels);
    add(Labels.POD, pod, labels);
    add(Labels.POD_UID, uid, labels);
    add(Labels.VGPU, share, labels);
    add(Labels.HPC_JOB, job, labels);
    if (claim != null) {
      addClaim(claim, labels);
    }
    return labels;
  }

  private static void addClaim(Claim claim, List<Label> into) {
    add(Labels.CLAIM_NAME, claim.name(), into);
    add(Labels.CLAIM_NAMESPACE, claim.namespace(), into);
    add(Labels.CLAIM_DRIVER, claim.driver(), into);
    add(Labels.CLAIM_POOL, claim.pool(), into);
    add(Labels.CLAIM_DEVICE, claim.device(), into);
    var mig = claim.mig();
    if (mig != null) {
      add(Labels.CLAIM_MIG_PROFILE, mig.profile(), into);
      add(Labels.CLAIM_MIG_UUID, mig.uuid(), into);
    }
  }

  private static void add(String name, @Nullable String value, List<Label> into) {
    if (value != null) {
      into.add(new Label(name, value));
    }
  }
}
