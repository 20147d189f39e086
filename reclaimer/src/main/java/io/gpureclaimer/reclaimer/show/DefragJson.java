package io.gpureclaimer.reclaimer.show;

import io.gpureclaimer.common.vocabulary.ResourceNames;
import io.gpureclaimer.reclaimer.audit.CycleReport;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.json.Json;
import io.gpureclaimer.reclaimer.plan.Defragmentation;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Move;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Proposal;
import io.gpureclaimer.reclaimer.plan.Defragmentation.Total;
import io.gpureclaimer.reclaimer.verdict.VerdictCode;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * JSON of proposals to move workloads, with the same facts as {@link DefragText}.
 *
 * @param migDevices by profile; absent in a cluster without MIG devices
 */
@Serdeable
public record DefragJson(
    int schema,
    Instant at,
    Optional<String> blind,
    String summary,
    int freeGpus,
    double fragmentedGpus,
    double fragmentedGpusAfter,
    Optional<Map<String, TotalJson>> migDevices,
    boolean complete,
    List<ProposalJson> proposals,
    List<String> remarks) {

  /** One object, ended by a line feed. */
  public static String of(CycleReport report) {
    Defragmentation found = DefragText.found(report);
    return Json.indented(
        new DefragJson(
            PlanJson.SCHEMA,
            report.at(),
            switch (report.observation()) {
              case Observation.Blind(String reason) -> Optional.of(reason);
              case Observation.Seen _ -> Optional.empty();
            },
            DefragText.summary(found),
            found.gpus().free(),
            rounded(found.gpus().before()),
            rounded(found.gpus().after()),
            byProfile(found.totals(), TotalJson::of),
            found.isComplete(),
            found.proposals().stream().map(ProposalJson::of).toList(),
            DefragText.remarks(found)));
  }

  private static double rounded(double gpus) {
    return Math.round(gpus * 100) / 100.0;
  }

  /** The entries of MIG devices, by profile; absent if there are none. */
  private static <V, J> Optional<Map<String, J>> byProfile(
      Map<String, V> byKind, Function<V, J> json) {
    SortedMap<String, J> byProfile = new TreeMap<>();
    byKind.forEach(
        (kind, value) -> {
          if (!kind.equals(ResourceNames.GPU)) {
            byProfile.put(DefragText.profile(kind), json.apply(value));
          }
        });
    return Optional.<Map<String, J>>of(byProfile).filter(all -> !all.isEmpty());
  }

  /** MIG devices of one profile. */
  @Serdeable
  record TotalJson(int free, double fragmented, double fragmentedAfter) {
    static TotalJson of(Total total) {
      return new TotalJson(total.free(), rounded(total.before()), rounded(total.after()));
    }
  }

  /**
   * Moves away from one node.
   *
   * @param profile of the MIG devices that the workloads hold; absent for whole GPUs
   * @param fits how many more pods of a number of devices fit, by that number
   * @param fewerFragmentedMigDevices by profile; absent if their number does not change
   */
  @Serdeable
  record ProposalJson(
      String node,
      String pool,
      Optional<String> profile,
      boolean freesWholeNode,
      Map<Integer, Integer> fits,
      double fewerFragmentedGpus,
      Optional<Map<String, Double>> fewerFragmentedMigDevices,
      String frees,
      List<MoveJson> moves) {
    static ProposalJson of(Proposal proposal) {
      return new ProposalJson(
          proposal.node(),
          proposal.pool(),
          Optional.of(proposal.kind())
              .filter(_ -> !DefragText.isOfGpus(proposal))
              .map(DefragText::profile),
          proposal.wholeNode(),
          proposal.fits(),
          rounded(proposal.fragmented().getOrDefault(ResourceNames.GPU, 0.0)),
          byProfile(proposal.fragmented(), DefragJson::rounded),
          DefragText.frees(proposal),
          proposal.moves().stream().map(move -> MoveJson.of(proposal, move)).toList());
    }
  }

  /**
   * A move of one workload.
   *
   * @param slices MIG devices by profile; absent for whole GPUs
   */
  @Serdeable
  record MoveJson(
      String namespace,
      String kind,
      String name,
      int gpus,
      Optional<Map<String, Integer>> slices,
      String verdict,
      boolean idle,
      List<String> to) {
    static MoveJson of(Proposal proposal, Move move) {
      var workload = move.workload();
      return new MoveJson(
          workload.namespace(),
          workload.kind(),
          workload.name(),
          DefragText.isOfGpus(proposal) ? move.devices() : 0,
          byProfile(Map.of(proposal.kind(), move.devices()), count -> count),
          VerdictCode.of(move.verdict()).verdict(),
          move.isIdle(),
          move.to());
    }
  }
}
